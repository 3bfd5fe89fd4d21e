import { createServer } from 'node:net';
import { processNames, processesListeningOn } from '../scripts/processes.ts';

const PATIENCE_MS = 2000;

/** @throws Error naming the process that uses the port, and the setting that chooses another port */
export async function requireFreePort(setting: string, port: number, host = '127.0.0.1'): Promise<void> {
  // If a run was killed, its other processes need a moment to notice that and to exit.
  for (const deadline = Date.now() + PATIENCE_MS; ;) {
    const problem = await tryPort(port, host);
    if (problem === undefined) return;
    if (problem !== 'EADDRINUSE' || Date.now() > deadline) {
      const reason = problem === 'EADDRINUSE' ? `is in use${byWhom(port)}` : `cannot be used (${problem})`;
      throw new Error(`port ${port} ${reason}; choose another with ${setting}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function byWhom(port: number): string {
  const listeners = processesListeningOn(port);
  return listeners.length === 0 ? '' : ` by ${processNames(listeners)}`;
}

function tryPort(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
