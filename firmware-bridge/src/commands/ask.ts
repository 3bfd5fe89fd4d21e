import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks whoever sits at the terminal; what is typed in answer to a secret is not shown. */
export async function ask(question: string, isSecret: boolean): Promise<string> {
  process.stdout.write(question);
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) =>
      isSecret ? done() : process.stdout.write(chunk, () => done()),
  });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  try {
    // Rejected by Ctrl-C and Ctrl-D, which is how one goes.
    return (await terminal.question('').catch(() => process.exit(130))).trim();
  } finally {
    terminal.close();
    if (isSecret) process.stdout.write('\n');
  }
}
