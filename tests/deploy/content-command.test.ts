import { firstVersion } from '#content/first-version';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { writeContent } from '../../scripts/operator/content.ts';

test.each([
  firstVersion.publications,
  'a `mark`, a ${value}, a \\backslash and \\u0041\n',
  String.raw`@article{a, title={$\alpha$ {\"o}}}`,
  'a backslash at the end \\',
  '',
])('EDIT-5 what is exported into the files is what they say afterwards: %j', async (publications) => {
  const folder = mkdtempSync(join(tmpdir(), 'content-'));
  mkdirSync(join(folder, 'content'));
  writeContent(JSON.stringify({ ...firstVersion, publications }), folder);
  const texts: unknown = JSON.parse(readFileSync(join(folder, 'content/content.json'), 'utf8'));
  const written: { publications: string } = await import(
    pathToFileURL(join(folder, 'content/publications.ts')).href
  );
  expect({ ...Object(texts), publications: written.publications }).toEqual({ ...firstVersion, publications });
});
