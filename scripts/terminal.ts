import { visible, visibleLines } from '#contract/visible-text';
import {
  EXIT_USAGE,
  helpText,
  readLine,
  wantsHelp,
  wrongUse,
  WrongUse,
  type Help,
  type Line,
  type Options,
} from '../firmware-bridge/src/command-line.ts';
import { explained } from '../firmware-bridge/src/system-error.ts';
import { hintFrom } from './deploy/error-hints.ts';

/*
 * The only way in which operators' commands print. What comes from outside (a board, a file, the database, another
 * program) is made visible where it is put into a text, so that it stays on its line; what is printed is made so again.
 */

export const print = (text: string) => console.log(visibleLines(text));

function withHint(error: unknown): string {
  const text = explained(error);
  const hint = hintFrom(error);
  return hint === undefined || text.includes('what to do: ') ? text : `${text}\nwhat to do: ${hint}`;
}

export const printError = (error: unknown) => console.error(visibleLines(withHint(error)));

/**
 * Runs an operator's command on the words that it was given, and prints what it returns. `--help` runs nothing. What
 * goes wrong is printed with its reason, and the process ends with a code other than 0.
 */
export async function runCommand<const O extends Options>(
  help: Help<O>,
  work: (line: Line<O>) => Promise<string | void>,
): Promise<void> {
  const args = process.argv.slice(2);
  if (wantsHelp(args)) return print(helpText(help));
  try {
    const text = await work(readLine(help, args));
    if (text !== undefined) print(text);
  } catch (error) {
    const isWrong = error instanceof WrongUse;
    printError(isWrong ? wrongUse(help, error.message) : error);
    process.exitCode = isWrong ? EXIT_USAGE : 1;
  }
}

/** Quotes one word of a shell command. */
export function forShell(word: string): string {
  if (/^[\w@.+-]+$/.test(word)) return word;
  const shown = visible(word.replaceAll('\\', '\\\\'));
  // What is not visible can be typed in this way of quoting alone.
  if (shown !== word.replaceAll('\\', '\\\\')) return `$'${shown.replaceAll("'", String.raw`\'`)}'`;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
