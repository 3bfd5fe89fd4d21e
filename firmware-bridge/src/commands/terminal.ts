import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { printableLines } from '#contract/printable-text';

// The reader of the output may exit, which must not end the bridge or interrupt a command.
process.stdout.on('error', () => undefined);

/** Prints visible text; resolves when there is room for more, or nobody is reading. */
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
