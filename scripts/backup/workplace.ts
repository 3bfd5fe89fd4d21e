import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const LOCK = 'lock';
const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Beside the local database, on a disk that has room for it, and nowhere that git or others look. */
export const workplaceOf = (dataDir: string, where: 'local' | 'remote') => join(dataDir, `unpacked-${where}`);

/**
 * Lends a folder for what an archive holds in the clear, to one process at a time. It is empty before and after: what a
 * killed process left there goes with the next.
 * @throws Error when another process has it
 */
export async function inWorkplace<T>(folder: string, use: (folder: string) => Promise<T>): Promise<T> {
  const leave = enter(folder);
  const end = () => process.exit(1);
  for (const signal of ENDINGS) process.once(signal, end);
  // Also where wrangler hears a signal first and exits.
  process.once('exit', leave);
  try {
    return await use(folder);
  } finally {
    for (const signal of ENDINGS) process.off(signal, end);
    process.off('exit', leave);
    leave();
  }
}

/** Clears up after a process that was killed. */
export function clearWorkplace(folder: string): void {
  enter(folder)();
}

/** @returns what empties the folder and lets go of it */
function enter(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // SQLite's lock is the system's own: it ends with its process, however that ends.
  const lock = new DatabaseSync(join(folder, LOCK), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw new Error(`a backup or a restore is at work in ${folder}: try again when it has ended`, {
      cause: error,
    });
  }
  const clear = () => {
    for (const name of readdirSync(folder)) {
      if (name !== LOCK) rmSync(join(folder, name), { recursive: true, force: true });
    }
  };
  clear();
  return () => {
    clear();
    if (lock.isOpen) lock.close();
  };
}
