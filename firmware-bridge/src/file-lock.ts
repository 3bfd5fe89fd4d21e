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
import { SQLITE_ERRNO, refusal } from './system-error.ts';

/* What the one writer of files stands on: how a file is opened that nobody has laid a trap for, and who may write. */

/** What stands under the name; undefined for nothing. @throws Error unless it is a file: a symbolic link leads anywhere. */
export function requireRegularFile(file: string): Stats | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) throw refusal('ELOOP', file);
  if (found !== undefined && !found.isFile()) throw refusal('EISDIR', file);
  return found;
}

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;
/** Nobody can have laid a link, or a file that they may read, where it is opened. */
const AS_NEW = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW;

const STICKY = 0o1000;
/** In a folder such as /tmp, where nobody can take away what others left, each has a lock of their own. */
function lockIn(folder: string): string {
  const isShared = ((statSync(folder, { throwIfNoEntry: false })?.mode ?? 0) & STICKY) !== 0;
  return join(folder, isShared ? `.cps-lock-${process.geteuid?.()}` : '.cps-lock');
}

const PATIENCE_MS = 60_000;
/** The locks that this process holds. */
const held = new Set<string>();

/**
 * Does work on files of the file's folder that no other process may do meanwhile. The lock is SQLite's on an empty file
 * there, so it is released however the process ends; the file stays, because who waits for it has it open.
 * @throws Error naming the file when the folder takes no lock, and what the work throws
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
    // Who writes as root leaves nothing that the owner of the folder cannot open.
    closeSync(openExclusive(name, 0o600, ownerOf(dirname(name))));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code !== 'EEXIST') throw Object.assign(error, { path: forFile });
  }
  // In a folder where everybody may write, another user could replace the lock file by a link.
  if (![0, process.geteuid?.(), ownerOf(dirname(name)).uid].includes(requireRegularFile(name)?.uid))
    throw refusal('EPERM', name);
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

/** An error of SQLite's as the system would have said it: to whoever writes a file the lock is one more file. */
function asOfSystem(error: unknown, path: string): unknown {
  const errcode = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  const code = SQLITE_ERRNO[errcode] === 'CANTOPEN' ? 'EACCES' : SQLITE_ERRNO[errcode];
  return code === undefined
    ? error
    : Object.assign(new Error(code, { cause: error }), { code, syscall: 'open', path });
}

type Owner = Pick<Stats, 'uid' | 'gid'>;
export const ownerOf = (path: string): Owner => statSync(path);

/** Root assigns a new file to the folder's owner. */
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
