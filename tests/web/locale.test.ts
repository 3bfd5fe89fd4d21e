import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { chooseLocale, localeOfPath, localizedPath } from '../../web/src/lib/locale.ts';

describe('the language of the page', () => {
  test('PUB-1 is Korean when nothing is stored', () => {
    expect(chooseLocale('/', null)).toBe('ko');
    expect(chooseLocale('/login', null)).toBe('ko');
  });

  test('PUB-2 is the stored choice, and Korean when what is stored is no language', () => {
    expect(chooseLocale('/', 'en')).toBe('en');
    expect(chooseLocale('/', 'ko')).toBe('ko');
    for (const stored of ['', 'EN', 'fr', 'null', '{}']) expect(chooseLocale('/', stored)).toBe('ko');
  });

  test('PUB-9 is that of the address /ko or /en, whatever is stored', () => {
    expect(chooseLocale('/en', 'ko')).toBe('en');
    expect(chooseLocale('/ko/', 'en')).toBe('ko');
    expect(localeOfPath('/english')).toBeUndefined();
    expect(localeOfPath('/korea')).toBeUndefined();
  });

  test.each([
    ['/', '/ko', '/en'],
    ['/ko', '/ko', '/en'],
    ['/en/', '/ko', '/en'],
    ['/docs/privacy', '/docs/privacy', '/en/docs/privacy'],
    ['/en/docs/privacy', '/docs/privacy', '/en/docs/privacy'],
  ])('PUB-13 of %s stands at %s in Korean and at %s in English', (path, korean, english) => {
    expect([localizedPath('ko', path), localizedPath('en', path)]).toEqual([korean, english]);
    expect(localeOfPath(english)).toBe('en');
  });

  test('PUB-9 goes on from an address to the next page until a choice is made', () => {
    expect(chooseLocale('/login', null, 'en')).toBe('en');
    expect(chooseLocale('/login', 'ko', 'en')).toBe('ko');
  });

  const textsOf = (locale: string): Record<string, string> =>
    JSON.parse(readFileSync(`web/messages/${locale}.json`, 'utf8'));
  const { $schema: _, ...english } = textsOf('en');
  const { $schema: __, ...korean } = textsOf('ko');

  test('PUB-2 both languages have every text, so that the fallback is never seen', () => {
    expect(Object.keys(korean)).toEqual(Object.keys(english));
  });

  test('every text is shown somewhere, and none is written twice', () => {
    const code = globSync('web/src/**/*.{ts,tsx}', { exclude: ['**/paraglide/**'] });
    const shown = new Set(
      code.flatMap((file) =>
        Array.from(readFileSync(file, 'utf8').matchAll(/\bm\.(\w+)/g), ([, key]) => key),
      ),
    );
    expect(Object.keys(english).filter((key) => !shown.has(key))).toEqual([]);
    const pairs = Object.keys(english).map((key) => `${english[key]} ${korean[key]}`);
    expect(new Set(pairs).size).toBe(pairs.length);
  });
});
