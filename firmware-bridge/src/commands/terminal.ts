import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { printableLines } from '#contract/printable-text';

// Without this, a reader of the output that exits (as in `| head`) would end the command or the bridge.
process.stdout.on('error', () => undefined);

/** Prints a text without control characters; resolves when more can be printed, or if nobody reads. */
export async function print(line: string): Promise<void> {
  const { stdout } = process;
  if (stdout.writable && !stdout.write(`${printableLines(line)}\n`))
    await once(stdout, 'drain').catch(() => undefined);
}

/** Asks the user at the terminal; the answer to a secret is not shown. */
export async function askAtTerminal(question: string, isSecret = false): Promise<string> {
  process.stdout.write(question);
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) =>
      isSecret ? done() : process.stdout.write(chunk, () => done()),
  });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  try {
    // Ctrl-C and Ctrl-D reject the question, so exit.
    return (await terminal.question('').catch(() => process.exit(130))).trim();
  } finally {
    terminal.close();
    if (isSecret) process.stdout.write('\n');
  }
}
