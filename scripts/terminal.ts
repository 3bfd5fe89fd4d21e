/** Makes untrusted text safe to print as one line: it cannot control the terminal. */
export const forTerminal = (text: string) =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );

/** Quotes one word of a shell command. */
export const forShell = (word: string) =>
  /^[\w@.+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
