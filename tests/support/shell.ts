import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';

const ENDED = 'ended with status ';

function open() {
  const { stdin, stdout } = spawn('sh', { stdio: ['pipe', 'pipe', 'inherit'] });
  return { stdin, lines: createInterface(stdout)[Symbol.asyncIterator]() };
}
let shell: ReturnType<typeof open> | undefined;

/**
 * Runs a printed command in a shell, expects success, and returns its output. One shell runs all commands one
 * after another, each in a subshell, so that a variable that a command sets is lost afterwards.
 */
export async function type(command: string): Promise<string> {
  const { stdin, lines } = (shell ??= open());
  const quoted = command.replaceAll("'", String.raw`'\''`);
  stdin.write(`(eval '${quoted}') < /dev/null 2>&1; printf '\\n${ENDED}%s\\n' $?\n`);
  const said: string[] = [];
  for (;;) {
    const { value = `${ENDED}that of the shell` } = await lines.next();
    if (!value.startsWith(ENDED)) said.push(value);
    else {
      expect(value, `${command}\n${said.join('\n')}`).toBe(`${ENDED}0`);
      return said.join('\n');
    }
  }
}
