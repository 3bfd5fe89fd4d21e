import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../firmware-bridge/src/files.ts';
import { errorFirstStep, SQLITE_IOERR_SHMSIZE } from '../../firmware-bridge/src/system-error.ts';
import { isSqliteBusy } from '../database/data-dir.ts';
import type { DeploymentTarget } from '../deployment-name.ts';

const LOCK = 'lock';
const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The path of a workplace. It is in the data folder, which git ignores and only its owner can read. */
export const workFolderOf = (dataDir: string, where: DeploymentTarget) => join(dataDir, `unpacked-${where}`);

/**
 * Lets one process at a time use a folder for the unencrypted content of an archive. The folder is empty
 * before and after. If a process was killed, the next process deletes its files.
 * @throws Error if another process uses the folder, or if its disk is full
 */
export async function withWorkFolder<T>(folder: string, use: (folder: string) => Promise<T>): Promise<T> {
  const leave = await withDiskFullError(folder, () => enter(folder));
  const end = () => process.exit(1);
  for (const signal of ENDINGS) process.once(signal, end);
  // Also listens to `exit`, because wrangler may handle a signal first, and exit.
  process.once('exit', leave);
  try {
    return await use(folder);
  } finally {
    for (const signal of ENDINGS) process.off(signal, end);
    process.off('exit', leave);
    leave();
  }
}

/** Deletes the files that a killed process has left. */
export function clearWorkFolder(folder: string): void {
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

/** A disk is full. The error's message names the folder. */
class OutOfRoom extends Error {
  override name = 'OutOfRoom';
}

/** Whether the system or SQLite has reported a full disk: as this error, or as its cause. */
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
 * @throws OutOfRoom, naming the folder, if its disk is full; other errors stay as they are
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
