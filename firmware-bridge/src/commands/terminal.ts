import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { printableLines } from '#contract/printable-text';

// Without this, the command or the bridge would end when its output's reader ends, as in `| head`.
process.stdout.on('error', () => undefined);

/** Prints a text without control characters. Resolves when more can be printed, or if no program reads it. */
export async function print(line: string): Promise<void> {
  const { stdout } = process;
  if (stdout.writable && !stdout.write(`${printableLines(line)}\n`))
    await once(stdout, 'drain').catch(() => undefined);
}

/** Asks the user at the terminal. If the answer is a secret, it is not shown. */
export async function askAtTerminal(question: string, isSecret = false): Promise<string> {
  process.stdout.write(question);
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) =>
      isSecret ? done() : process.stdout.write(chunk, () => done()),
  });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  try {
    // On Ctrl-C or Ctrl-D the question is rejected. Then exit.
    return (await terminal.question('').catch(() => process.exit(130))).trim();
  } finally {
    terminal.close();
    if (isSecret) process.stdout.write('\n');
  }
}
