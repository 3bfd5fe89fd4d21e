/** Text of anybody's, in one line of a terminal that it cannot steer. */
export const forTerminal = (text: string) =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );

/** One word of a shell's line. */
export const forShell = (word: string) =>
  /^[\w@.+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
