import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** When its standard input closes, kills the process group whose id is `$0`. */
const GUARD = 'while read -r _; do :; done; kill -s KILL -- "-$0"';

/**
 * Prevents child processes, such as Miniflare's runtime, from outliving this one when it is killed. A shell in its own
 * process group waits at the other end of a pipe for this process to disappear.
 * @returns releases the shell; call it once this process has ended its children itself
 */
export function endGroupWithMe(): () => Promise<void> {
  if (process.platform === 'win32') return () => Promise.resolve();
  const guard = spawn('/bin/sh', ['-c', GUARD, String(process.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', (error) => console.error(`the runtime may outlive its parent: ${error.message}`));
  guard.unref();
  return async () => {
    if (guard.kill('SIGKILL')) await once(guard, 'exit');
  };
}
