import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PARTS_FILE, partsOf, PICTURES } from '../support/pictures.ts';

test('the pictures of README.md show screens as they are: when a part has come or gone, npm run screenshots', () => {
  const readme = readFileSync('README.md', 'utf8');
  const taken: unknown = JSON.parse(readFileSync(PARTS_FILE, 'utf8'));
  for (const [name, { screen }] of Object.entries(PICTURES)) {
    const file = `docs/images/${name}.png`;
    expect(existsSync(file), file).toBe(true);
    expect(readme, file).toContain(`(${file})`);
    expect(partsOf(screen).length, screen).toBeGreaterThan(5);
    expect(taken, screen).toHaveProperty([name], partsOf(screen));
  }
});
