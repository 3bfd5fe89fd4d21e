import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const web = new URL('../../web/', import.meta.url);
const lines = readFileSync(new URL('public/_redirects', web), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

/** Routes whose pages are files of the build. */
const drawn = [
  'index',
  'ko',
  'en',
  '{-$locale}.publications',
  '{-$locale}.news',
  '{-$locale}.projects.$name',
  'login',
  'docs.$name',
  'en_.docs.$name',
];

/** Addresses of the app as the static host writes them: `/error/{-$status}` is `/error/*`. */
const routes = globSync('**/*.tsx', { cwd: new URL('src/routes', web) })
  .map((file) => file.replace(/\.tsx$/, '').replace(/^_signed-in\//, ''))
  .filter((name) => !['__root', '_signed-in', ...drawn].includes(name))
  .map((name) => `/${name.replaceAll('.', '/').replace(/[{$].*$/, '*')}`);

test('NAV-3 every address of the app is answered with its shell and 200', () => {
  for (const route of routes) expect(lines).toContain(`${route} /app 200`);
  expect(lines).toContain('/error /app 200');
});

test('NAV-3 no other address is answered with the shell and 200', () => {
  for (const line of lines.filter((each) => each.endsWith(' 200'))) {
    const [from = ''] = line.split(' ');
    expect(['/error', ...routes]).toContain(from);
  }
});
