import { parseArgs, type ParseArgsConfig } from 'node:util';
import { printable } from '#contract/printable-text';

/* How every command parses its arguments and prints its help: both come from one table. */

type Option = NonNullable<ParseArgsConfig['options']>[string] & {
  /** What the option does, for --help. */
  tells: string;
  /** The name of the option's value in the help, such as `<folder>`. */
  takes?: string;
};
export type CommandOptions = Record<string, Option>;

export type CommandHelp<O extends CommandOptions = CommandOptions> = {
  /** The command as typed: `npm run person --`, `cps-board`. */
  command: string;
  /** What the command does, in a sentence or two. */
  does: string;
  /** Each way to call the command, with what that call does. */
  ways: readonly (readonly [words: string, meaning: string])[];
  options: O;
  /** Other facts that the user of the command must know. */
  notes?: string;
  example: string;
  /** The page that describes the command, as a path from the project's root. */
  page: string;
};

export type ParsedArgs<O extends CommandOptions> = {
  values: ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>['values'];
  /** The arguments that are not options. */
  words: string[];
};

/** The command as its caller typed it: as an npm script in a clone, or as the package's command. */
export const commandName = (byNpm: string, installed: string) =>
  process.env['npm_command'] === undefined ? installed : byNpm;

/** The arguments of a command are wrong, and the command did nothing. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The exit code of a command that was typed wrongly (EX_USAGE). */
export const EXIT_USAGE = 64;

/** Whether the arguments ask for the command's help. */
export function wantsHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  return own.includes('--help') || own.includes('-h');
}

function columns(rows: readonly (readonly [string, string])[], margin: string): string[] {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `${margin}${first.padEnd(width)}   ${second}`.trimEnd());
}

function usage({ command, ways }: CommandHelp): string {
  const rows = ways.map(
    ([words, meaning]) =>
      [words === '' ? command.replace(/ --$/, '') : `${command} ${words}`, meaning] as const,
  );
  return columns(rows, '       ').join('\n').replace('       ', 'usage: ');
}

export function helpText(help: CommandHelp): string {
  const { command, does, options, notes, example, page } = help;
  const rows = Object.entries(options).map(
    ([name, { short, takes, tells }]) =>
      [
        `${short === undefined ? '' : `-${short}, `}--${name}${takes === undefined ? '' : ` ${takes}`}`,
        tells,
      ] as const,
  );
  return [
    `${command.replace(/ --$/, '')}: ${does}`,
    '',
    usage(help),
    '',
    ...columns([...rows, ['-h, --help', 'prints this help and does nothing else']], '  '),
    '',
    ...(notes === undefined ? [] : [notes, '']),
    `example: ${example}`,
    `more:    ${page}`,
  ].join('\n');
}

/** The text for wrong arguments: the problem, then the usage. */
export function usageErrorText(help: CommandHelp, problem: string): string {
  return `${problem}\n${usage(help)}\n${help.command} --help explains it`;
}

/**
 * Separates options from other arguments.
 * @throws UsageError naming an option that does not exist, lacks its value, or has a value but takes none
 */
export function parseArguments<const O extends CommandOptions>(
  { options }: CommandHelp<O>,
  args: readonly string[],
): ParsedArgs<O> {
  const config = { args: [...args], allowPositionals: true, options } as const;
  for (const token of parseArgs({ ...config, strict: false, tokens: true }).tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    const shown = printable(rawName);
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined)
      throw new UsageError(`there is no option ${shown}; write a word that begins with a dash after --`);
    if (option.type === 'boolean' && value !== undefined) throw new UsageError(`${shown} takes no value`);
    if (option.type === 'string' && (value === undefined || (!token.inlineValue && value.startsWith('-'))))
      throw new UsageError(
        `${shown} needs ${option.takes ?? 'a value'}; write a value that begins with a dash as ${shown}=…`,
      );
  }
  const { values, positionals } = parseArgs(config);
  return { values, words: positionals };
}

/** @throws UsageError naming the first argument, because the command takes none here */
export function refuseExtraArguments(words: readonly string[]): void {
  if (words[0] !== undefined) throw new UsageError(`unexpected argument ${printable(words[0])}`);
}
