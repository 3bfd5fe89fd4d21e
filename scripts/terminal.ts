import { printable, printableLines } from '#contract/printable-text';
import {
  EXIT_USAGE,
  helpText,
  parseArguments,
  wantsHelp,
  usageErrorText,
  UsageError,
  type CommandHelp,
  type ParsedArgs,
  type CommandOptions,
} from '../firmware-bridge/src/commands/command-line.ts';
import { explainError } from '../firmware-bridge/src/system-error.ts';
import { errorHint } from './deploy/run-wrangler.ts';
import {
  withCommandEnvironment,
  commandEnvironment,
  type CommandEnvironment,
} from './command-environment.ts';

/*
 * Operators' commands print only with these functions. Text from outside (a board, a file, a program) is
 * escaped where it is put into the output, so that it cannot begin a new line. Then all output is escaped.
 */

export const print = (text: string) => void commandEnvironment().out(printableLines(text));

/** Prints to stderr, because the operator may write stdout into a file. */
export const printToStderr = (text: string) => commandEnvironment().error(printableLines(text));

function withHint(error: unknown): string {
  const text = explainError(error);
  const hint = errorHint(error);
  return hint === undefined || text.includes('what to do: ') ? text : `${text}\nwhat to do: ${hint}`;
}

export const printError = (error: unknown) => commandEnvironment().error(printableLines(withHint(error)));

/** @returns the exit status. @param its the environment; by default the environment of this process */
export type Command = (args: readonly string[], its?: CommandEnvironment) => Promise<number>;

/**
 * Defines an operator's command. A text that `work` returns is printed, a number is the exit status. With
 * `--help`, `work` is not called. If it throws, the error is printed and the status is not 0.
 */
export function defineCommand<const O extends CommandOptions>(
  help: CommandHelp<O>,
  work: (line: ParsedArgs<O>) => Promise<string | number | void>,
): Command {
  const run = async (args: readonly string[]): Promise<number> => {
    try {
      const said = wantsHelp(args) ? helpText(help) : await work(parseArguments(help, args));
      if (typeof said === 'number') return said;
      if (said !== undefined) print(said);
      return 0;
    } catch (error) {
      const isWrong = error instanceof UsageError;
      printError(isWrong ? usageErrorText(help, error.message) : error);
      return isWrong ? EXIT_USAGE : 1;
    }
  };
  return (args, its = commandEnvironment()) => withCommandEnvironment(its, () => run(args));
}

/** Runs the command with the arguments of this process. */
export async function runAsProgram(typed: Command): Promise<void> {
  process.exitCode = await typed(process.argv.slice(2));
}

/** Quotes a word so that a shell reads it as one word. */
export function quoteForShell(word: string): string {
  if (/^[\w@.+-]+$/.test(word)) return word;
  const shown = printable(word.replaceAll('\\', '\\\\'));
  // Only the form `$'…'` can show invisible characters.
  if (shown !== word.replaceAll('\\', '\\\\')) return `$'${shown.replaceAll("'", String.raw`\'`)}'`;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
