import {
  withCommandEnvironment,
  commandEnvironment,
  type CommandEnvironment,
} from '../../scripts/command-environment.ts';
import type { Command } from '../../scripts/terminal.ts';

/** `output` is what it printed and what it said of what went wrong, in that order in time. */
export type Run = { status: number; output: string };

/**
 * Calls one of the operator's commands as whoever typed it would, without a process of its own.
 * @param env besides the variables of this process
 * @param around what else is another than this process has; nobody sits at the terminal unless it says so
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
