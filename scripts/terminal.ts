import { visible, visibleLines } from '#contract/visible-text';

/*
 * The only way in which operators' commands print. What comes from outside (a board, a file, the database, another
 * program) is made visible where it is put into a text, so that it stays on its line; what is printed is made so again.
 */

export const print = (text: string) => console.log(visibleLines(text));

export const printError = (error: unknown) =>
  console.error(visibleLines(error instanceof Error ? error.message : String(error)));

/** Quotes one word of a shell command. */
export function forShell(word: string): string {
  if (/^[\w@.+-]+$/.test(word)) return word;
  const shown = visible(word.replaceAll('\\', '\\\\'));
  // What is not visible can be typed in this way of quoting alone.
  if (shown !== word.replaceAll('\\', '\\\\')) return `$'${shown.replaceAll("'", String.raw`\'`)}'`;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
