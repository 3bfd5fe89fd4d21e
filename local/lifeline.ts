import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Ends when it can read no more, and takes the process group with it. */
const GUARD = 'while read -r _; do :; done; kill -s KILL -- "-$0"';

/**
 * Keeps what this process started, such as Miniflare's runtime, from outliving it: killed, it could not end it any more.
 * A shell in a group of its own waits at the other end of a pipe for this process to be gone.
 * @returns lets go of it, before a process ends that has ended the others itself
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
