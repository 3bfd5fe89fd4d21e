import {
  withCommandEnvironment,
  commandEnvironment,
  type CommandEnvironment,
} from '../../scripts/command-environment.ts';
import type { Command } from '../../scripts/terminal.ts';

/** `output` has stdout and stderr, in the order in which they were written. */
export type Run = { status: number; output: string };

/**
 * Runs an operator's command in this process.
 * @param env variables, added to those of this process
 * @param around replaces other parts of the environment; by default there is no terminal
 */
export async function runCommand(
  command: Command,
  args: readonly string[],
  env: Record<string, string | undefined> = {},
  around: Partial<CommandEnvironment> = {},
): Promise<Run> {
  const lines: string[] = [];
  const collect = (text: string) => void lines.push(text);
  const { person: _, ...own } = commandEnvironment();
  const its: CommandEnvironment = {
    ...own,
    env: { ...process.env, ...env },
    out: collect,
    error: collect,
    ...around,
  };
  const status = await withCommandEnvironment(its, () => command(args));
  return { status, output: lines.join('\n').trim() };
}
