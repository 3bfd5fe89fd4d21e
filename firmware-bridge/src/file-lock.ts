import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  lstatSync,
  openSync,
  statSync,
  type Stats,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { runAsOwner } from './folder-owner.ts';
import { SQLITE_ERRNO, createSystemError } from './system-error.ts';

/* Locks files, for files.ts. Does not follow a symbolic link, which another user may have made. */

/** Returns the file at a path; undefined if none. @throws Error unless it is a regular file (no link). */
export function requireRegularFile(file: string): Stats | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) throw createSystemError('ELOOP', file);
  if (found !== undefined && !found.isFile()) throw createSystemError('EISDIR', file);
  return found;
}

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;
/** With these flags opening fails if the path exists: another user could have put a link there. */
const AS_NEW = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW;

const STICKY = 0o1000;
/** In a sticky folder such as /tmp, nobody can remove another user's files. So each user has a lock there. */
function lockIn(folder: string): string {
  const isShared = ((statSync(folder, { throwIfNoEntry: false })?.mode ?? 0) & STICKY) !== 0;
  return join(folder, isShared ? `.cps-lock-${process.geteuid?.()}` : '.cps-lock');
}

const PATIENCE_MS = 60_000;
/** The locks that this process holds. */
const held = new Set<string>();

/**
 * Locks the file's folder while `work` runs. The lock is SQLite's lock on an empty file in the folder: it
 * ends even if the process is killed. The empty file stays, because other processes may wait for its lock.
 * @throws Error naming the file if the folder cannot be locked, and what `work` throws
 */
export function withFileLock<T>(file: string, work: () => T): T {
  const folder = resolve(dirname(file));
  if (held.has(folder)) return work();
  return runAsOwner(folder, () => {
    const release = lock(lockIn(folder), file);
    held.add(folder);
    try {
      return work();
    } finally {
      held.delete(folder);
      release();
    }
  });
}

function lock(name: string, forFile: string): () => void {
  try {
    // Root makes the folder's owner the owner of the lock file: otherwise the owner could not open it.
    closeSync(openExclusive(name, 0o600, ownerOf(dirname(name))));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code !== 'EEXIST') throw Object.assign(error, { path: forFile });
  }
  // In a folder where everybody may write, another user could replace the lock file by a link.
  if (![0, process.geteuid?.(), ownerOf(dirname(name)).uid].includes(requireRegularFile(name)?.uid))
    throw createSystemError('EPERM', name);
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(name, { timeout: PATIENCE_MS });
    const held = db;
    held.exec('BEGIN EXCLUSIVE');
    return () => held.close();
  } catch (error) {
    db?.close();
    throw asOfSystem(error, name);
  }
}

/** Turns SQLite's error into a system error: the caller does not know that the lock uses SQLite. */
function asOfSystem(error: unknown, path: string): unknown {
  const errcode = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  const code = SQLITE_ERRNO[errcode] === 'CANTOPEN' ? 'EACCES' : SQLITE_ERRNO[errcode];
  return code === undefined
    ? error
    : Object.assign(new Error(code, { cause: error }), { code, syscall: 'open', path });
}

type Owner = Pick<Stats, 'uid' | 'gid'>;
export const ownerOf = (path: string): Owner => statSync(path);

/** Opens a file. If root runs the process, the file gets this owner. */
export function openExclusive(file: string, mode: number, owner: Owner | undefined, flags = AS_NEW): number {
  const opened = openSync(file, flags, 0o600);
  try {
    if (owner !== undefined && process.geteuid?.() === 0) fchownSync(opened, owner.uid, owner.gid);
    fchmodSync(opened, mode);
    return opened;
  } catch (error) {
    closeSync(opened);
    throw error;
  }
}
