/**
 * Control characters, escape sequences, bidirectional and other invisible marks, line separators and lone surrogates:
 * what can drive a terminal, or make a line show something that it does not hold.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

function shown(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code < 0x100) return String.raw`\x${digits.padStart(2, '0')}`;
  return code < 0x10000 ? String.raw`\u${digits.padStart(4, '0')}` : String.raw`\u{${digits}}`;
}

/** Text from outside as one line in which nothing is invisible: `\x1b`, `\u202e`. */
export const visible = (text: string) => text.replace(INVISIBLE, shown);

/** The same for a text of lines and columns, whose parts from outside were made visible before. */
export const visibleLines = (text: string) =>
  text.replace(INVISIBLE, (character) => (/[\n\t]/.test(character) ? character : shown(character)));

/** JSON on one line, with the same characters escaped, of which `JSON.stringify` leaves many as they are. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(INVISIBLE, (character) =>
    Array.from({ length: character.length }, (_, at) =>
      character.charCodeAt(at).toString(16).padStart(4, '0'),
    )
      .map((digits) => String.raw`\u${digits}`)
      .join(''),
  );
}
