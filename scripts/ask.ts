import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks whoever sits at the terminal. */
export function ask(question: string): Promise<string> {
  return answerTo(question, process.stdout);
}

/** The same without showing what is typed. */
export async function askSecret(question: string): Promise<string> {
  process.stdout.write(question);
  try {
    return await answerTo('', new Writable({ write: (_chunk, _encoding, done) => done() }));
  } finally {
    process.stdout.write('\n');
  }
}

async function answerTo(question: string, output: NodeJS.WritableStream): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  try {
    // Rejected by Ctrl-C and Ctrl-D, which is how one goes.
    return (await terminal.question(question).catch(() => process.exit(130))).trim();
  } finally {
    terminal.close();
  }
}
