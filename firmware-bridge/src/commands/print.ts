import { visibleLines } from '#contract/visible-text';
import { once } from 'node:events';

// The reader of the output may exit, which must not end the bridge or interrupt a command.
process.stdout.on('error', () => undefined);

/** Prints text, with nothing invisible in it; resolves when there is room for the next, or nobody is reading. */
export async function print(line: string): Promise<void> {
  const { stdout } = process;
  if (stdout.writable && !stdout.write(`${visibleLines(line)}\n`))
    await once(stdout, 'drain').catch(() => undefined);
}
