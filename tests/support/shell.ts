import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';

const open = () => spawn('sh', { stdio: 'pipe' });
let shell: ReturnType<typeof open> | undefined;
let before: Promise<unknown> = Promise.resolve();

/**
 * Types a command as it was printed. One shell, which ends with this process, takes one after the other, each in a
 * subshell: what it sets and where it goes is gone before the next.
 */
export function typed(command: string): Promise<{ status: number; stdout: string; stderr: string }> {
  const { stdin, stdout, stderr } = (shell ??= open());
  const result = before.then(async () => {
    const mark = randomUUID();
    const said = Promise.all([stdout, stderr].map((stream) => untilMark(stream, mark)));
    const quoted = command.replaceAll("'", String.raw`'\''`);
    stdin.write(`(eval '${quoted}') < /dev/null; set -- ${mark} $?\necho "$@"; echo "$@" >&2\n`);
    const [[out = '', status], [error = '']] = (await said) as [string[], string[]];
    return { status: Number(status), stdout: out, stderr: error };
  });
  before = result;
  return result;
}

/** What was written before the mark, and what behind it in its line. */
function untilMark(stream: Readable, mark: string): Promise<string[]> {
  return new Promise((resolve) => {
    let said = '';
    const read = (chunk: string) => {
      said += chunk;
      if (!said.endsWith('\n') || !said.includes(mark)) return;
      stream.off('data', read);
      resolve(said.split(mark));
    };
    stream.setEncoding('utf8').on('data', read);
  });
}
