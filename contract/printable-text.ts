/**
 * Control characters, escape sequences, bidirectional and other invisible marks, line separators and lone
 * surrogates: they could control a terminal, or make a line look different from its content.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

function shown(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code < 0x100) return String.raw`\x${digits.padStart(2, '0')}`;
  return code < 0x10000 ? String.raw`\u${digits.padStart(4, '0')}` : String.raw`\u{${digits}}`;
}

/** Foreign text as one line with invisible characters escaped: `\x1b`, `\u202e`. */
export const printable = (text: string) => text.replace(INVISIBLE, shown);

/** Like `printable`, but keeps newlines and tabs: for a table whose foreign texts were escaped before. */
export const printableLines = (text: string) =>
  text.replace(INVISIBLE, (character) => (/[\n\t]/.test(character) ? character : shown(character)));

/** JSON on one line, also escaping invisible characters that `JSON.stringify` leaves as they are. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(INVISIBLE, (character) =>
    Array.from({ length: character.length }, (_, at) =>
      character.charCodeAt(at).toString(16).padStart(4, '0'),
    )
      .map((digits) => String.raw`\u${digits}`)
      .join(''),
  );
}

/** Invisible marks, except a joiner between two pictographs, as in 👩‍🔬, and the letters of a flag. */
const MARKS =
  /(?![\u200d\u{e0020}-\u{e007f}])\p{Cf}|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d|\u200d(?!\p{Extended_Pictographic})|(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]{0,8})[\u{e0020}-\u{e007f}]/gu;
const WIDE_SPACE = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
/** Text that consists only of letters that are not visible, such as the Hangul filler. */
const UNSEEN = /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/**
 * The normalized form of a text: composed (NFC), without invisible marks and surrounding spaces. Empty if
 * nothing visible is left.
 */
export function normalizeText(text: string): string {
  const plain = text.replace(MARKS, '').replace(WIDE_SPACE, ' ').trim().normalize('NFC');
  return UNSEEN.test(plain) ? '' : plain;
}

/** Whether two texts look the same. Their Unicode forms may differ, because macOS decomposes letters. */
export const isSameText = (one: string, other: string) => normalizeText(one) === normalizeText(other);
