import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../firmware-bridge/src/files.ts';
import { errorFirstStep, SQLITE_IOERR_SHMSIZE } from '../../firmware-bridge/src/system-error.ts';
import { isSqliteBusy } from '../database/data-dir.ts';
import type { DeploymentTarget } from '../deployment-name.ts';

const LOCK = 'lock';
const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The path of a workplace. It is in the data folder, which git ignores and other users cannot read. */
export const workFolderOf = (dataDir: string, where: DeploymentTarget) => join(dataDir, `unpacked-${where}`);

/**
 * Gives a folder for an archive's unencrypted content to one process at a time. The folder is empty before
 * and after; the next process deletes the files of a process that was killed.
 * @throws Error if another process has the folder, or its disk is full
 */
export async function withWorkFolder<T>(folder: string, use: (folder: string) => Promise<T>): Promise<T> {
  const leave = await withDiskFullError(folder, () => enter(folder));
  const end = () => process.exit(1);
  for (const signal of ENDINGS) process.once(signal, end);
  // On `exit` too, because wrangler may handle a signal first and exit.
  process.once('exit', leave);
  try {
    return await use(folder);
  } finally {
    for (const signal of ENDINGS) process.off(signal, end);
    process.off('exit', leave);
    leave();
  }
}

/** Deletes the files of a process that was killed. */
export function clearWorkplace(folder: string): void {
  enter(folder)();
}

/** @returns a function that empties the folder and unlocks it */
function enter(folder: string): () => void {
  makeFolder(folder, 0o700);
  // The operating system releases SQLite's lock even if the process is killed.
  const lock = new DatabaseSync(join(folder, LOCK), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    clear(folder);
  } catch (error) {
    lock.close();
    if (!isSqliteBusy(error)) throw error;
    throw new Error(`another backup or restore is running in ${folder}: try again when it has ended`, {
      cause: error,
    });
  }
  return () => {
    try {
      clear(folder);
    } finally {
      if (lock.isOpen) lock.close();
    }
  };
}

function clear(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(LOCK)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

const SQLITE_FULL = 13;

/** A disk is full; the message names the folder. */
class OutOfRoom extends Error {
  override name = 'OutOfRoom';
}

/** Whether the system or SQLite reported a full disk, directly or as the cause of another error. */
function isOutOfRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;
  return (
    (code & 0xff) === SQLITE_FULL ||
    code === SQLITE_IOERR_SHMSIZE ||
    /\b(ENOSPC|EDQUOT|SQLITE_FULL)\b|database or disk is full/.test(error.message) ||
    isOutOfRoom(error.cause)
  );
}

/**
 * Runs work that writes into the folder.
 * @throws OutOfRoom, naming the folder, if its disk is full; other errors pass through
 */
export async function withDiskFullError<T>(folder: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OutOfRoom || !isOutOfRoom(error)) throw error;
    throw new OutOfRoom(`the disk of ${folder} is full. First step: ${errorFirstStep('ENOSPC', folder)}`, {
      cause: error,
    });
  }
}
