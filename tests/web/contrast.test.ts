import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const css = readFileSync(new URL('../../web/src/tokens.css', import.meta.url), 'utf8');
const [light = '', rest = ''] = css.split('@media screen and (prefers-color-scheme: dark)');
const themes = { light: coloursIn(light), dark: coloursIn(rest.split('@theme')[0] ?? '') };

const textPairs = [
  ['ink', 'paper'],
  ['ink', 'surface'],
  ['ink', 'sunken'],
  ['ink-soft', 'paper'],
  ['ink-soft', 'surface'],
  ['ink-soft', 'sunken'],
  ['accent', 'paper'],
  ['accent', 'surface'],
  ['accent-strong', 'paper'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-strong'],
  ['paper', 'ink'],
  ['danger', 'paper'],
  ['danger', 'surface'],
  ['danger', 'danger-wash'],
  ['on-danger', 'danger'],
  ['notice', 'notice-wash'],
] as const;

describe.each(['light', 'dark'] as const)('the %s colours', (theme) => {
  test.each(textPairs)('PUB-10 %s is readable on %s', (text, ground) => {
    expect(contrast(themes[theme], text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(['line-strong', ...[1, 2, 3, 4, 5, 6].map((number) => `plant-${number}`)])(
    'PUB-10 the line %s can be seen on the page',
    (line) => {
      expect(contrast(themes[theme], line, 'paper')).toBeGreaterThanOrEqual(3);
    },
  );
});

function coloursIn(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', hex = '']) => [name, hex]),
  );
}

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(colours: Map<string, string>, a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminance(colours.get(a)), luminance(colours.get(b))].sort(
    (x, y) => x - y,
  );
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(hex: string | undefined): number {
  if (hex === undefined) throw new Error('tokens.css has no such colour');
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
