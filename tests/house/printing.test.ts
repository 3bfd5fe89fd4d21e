import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Where what comes from outside is made visible before it is printed. */
const PRINTERS = new Set([
  'scripts/terminal.ts',
  'firmware-bridge/src/commands/terminal.ts',
  'firmware-bridge/src/log.ts',
  // An error's lines before the bridge runs.
  'firmware-bridge/src/main.ts',
  'scripts/deploy/answers.ts',
]);

const commands = globSync(['firmware-bridge/src/**/*.ts', 'scripts/{backup,deploy,operator}/**/*.ts']);

test('SEC-49 operators’ commands and the bridge print in one way, which leaves nothing raw', () => {
  expect(commands.length).toBeGreaterThan(50);
  const others = commands.filter(
    (file) =>
      !PRINTERS.has(file) && /\bconsole\.\w+\(|std(?:out|err)\.write\(/.test(readFileSync(file, 'utf8')),
  );
  expect(others).toEqual([]);
});
