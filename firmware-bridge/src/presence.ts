import { rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';

/**
 * Bridge and keeper of one spool tell each other by a socket beside its file that they are there: it goes with the
 * process, however that ends.
 */
export const bridgeSocket = (spoolFile: string) => `${spoolFile}-bridge`;
export const keeperSocket = (spoolFile: string) => `${spoolFile}-keeper`;

export type Presence = { end: () => void };

/** @param asked called when another process wants to know */
export function announcePresence(path: string, asked: () => void = () => undefined): Promise<Presence> {
  const asking = new Set<Socket>();
  const server = createServer((socket) => {
    asking.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => asking.delete(socket));
    asked();
  });
  // A process that was killed leaves its own behind.
  rmSync(path, { force: true });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      resolve({
        end: () => {
          server.close();
          for (const socket of asking) socket.destroy();
        },
      });
    });
  });
}

/** Resolves when nobody is there, or no longer; `whenThere` is called if somebody is. */
export function untilGone(
  path: string,
  signal: AbortSignal,
  whenThere: () => void = () => undefined,
): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ path, signal });
    socket.on('connect', whenThere);
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
}

export async function isThere(path: string): Promise<boolean> {
  const asked = new AbortController();
  let answer = false;
  await untilGone(path, asked.signal, () => {
    answer = true;
    asked.abort();
  });
  return answer;
}
