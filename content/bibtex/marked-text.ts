import type { MarkedPart, MarkedText } from '#contract/publications';

/**
 * The parser writes markup as tags into the text, and reads `<` and `>` of the source as characters of TeX's
 * oldest fonts. Other characters replace them during parsing.
 */
const standIns = [
  ['<', '\uE000'],
  ['>', '\uE001'],
] as const;

export function withPlaceholders(source: string): string {
  return standIns.reduce((text, [real, standIn]) => text.replaceAll(real, standIn), source);
}

export function withoutPlaceholders(text: string): string {
  return standIns.reduce((all, [real, standIn]) => all.replaceAll(standIn, real), text);
}

export const NARROW_SPACE = '\u202F';
const TAG = /<(\/?)(\w+)[^>]*>/g;
const kept = new Map<string, 'i' | 'b' | 'sub' | 'sup'>([
  ['i', 'i'],
  ['b', 'b'],
  ['sub', 'sub'],
  ['sup', 'sup'],
]);

/** Reads the parser's tags; of tags that are not shown only the content stays. */
export function markedText(parsed: string): MarkedText {
  const outermost: MarkedPart[] = [];
  const open: { tag: 'i' | 'b' | 'sub' | 'sup'; parts: MarkedPart[] }[] = [];
  let from = 0;
  const parts = () => open.at(-1)?.parts ?? outermost;
  const add = (text: string) => {
    const last = parts().at(-1);
    if (text === '') return;
    if (typeof last === 'string') parts()[parts().length - 1] = last + text;
    else parts().push(text);
  };
  const close = () => {
    const closed = open.pop();
    if (closed) parts().push({ tag: closed.tag, content: simplest(closed.parts) });
  };
  for (const { 0: all, 1: slash, 2: name = '', index } of parsed.matchAll(TAG)) {
    add(cleaned(parsed.slice(from, index)));
    from = index + all.length;
    const tag = kept.get(name);
    if (tag === undefined) continue;
    if (slash === '') open.push({ tag, parts: [] });
    else if (open.at(-1)?.tag === tag) close();
  }
  add(cleaned(parsed.slice(from)));
  while (open.length > 0) close();
  return simplest(outermost);
}

const simplest = (parts: MarkedPart[]): MarkedText =>
  parts.every((part) => typeof part === 'string') ? parts.join('') : parts;

/** Corrects the parser's text: accent commands become separate characters, and formulas lose their spaces. */
function cleaned(text: string): string {
  const dotted = text.replaceAll(/ı(?=\p{M})/gu, 'i').replaceAll(/ȷ(?=\p{M})/gu, 'j');
  const spaced = dotted.replaceAll(/(?<!\s)[≈≤≥≠∼≪≫](?!\s)/g, `${NARROW_SPACE}$&${NARROW_SPACE}`);
  return withoutPlaceholders(spaced)
    .normalize('NFC')
    .replaceAll(/[ \t\n]+/g, ' ');
}
