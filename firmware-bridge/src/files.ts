import {
  closeSync,
  constants,
  createWriteStream,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { withFileLock, openExclusive, ownerOf, requireRegularFile } from './file-lock.ts';
import { runAsOwner } from './folder-owner.ts';
import { withErrorPath, createSystemError } from './system-error.ts';

/*
 * The only code that writes the product's own files. A new file gets its name only when its whole content is
 * on the disk and was read back. If the process is killed, the file has its old or its new content.
 * docs/decisions/0054-one-writer-and-one-table-of-first-steps.md
 */

/**
 * Makes the folder and its parents, unless they exist. Node's recursive mkdir would loop for ever in a folder
 * where the system creates nothing, such as /proc.
 * @param mode permissions of new folders
 * @throws Error of the system, naming the path
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above, mode);
  try {
    runAsOwner(above, () => mkdirSync(path, { mode }));
  } catch (error) {
    // Another process may have made the folder meanwhile.
    if (!isFolder(path)) throw error;
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** The system may write less than requested, most often when a disk fills up. */
function writeAll(opened: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) {
    const taken = writeSync(opened, bytes, at);
    if (taken === 0) throw new Error('the disk cannot be written');
    at += taken;
  }
}

/** @throws Error unless the file has these bytes, from position `at` on */
function proveWritten(opened: number, file: string, at: number, bytes: Uint8Array): void {
  const found = Buffer.alloc(bytes.length);
  for (let read = 0; read < found.length;) {
    const got = readSync(opened, found, read, found.length - read, at + read);
    if (got === 0) break;
    read += got;
  }
  if (!found.equals(bytes)) throw new Error(`${file} differs from what was written into it`);
}

/** Without this sync, a power failure can remove the name of a new file. */
function syncFolder(folder: string): void {
  // Windows cannot open folders.
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } catch (error) {
    // Network file systems may not be able to sync a folder.
    if (!(error instanceof Error && 'code' in error && error.code === 'EINVAL')) throw error;
  } finally {
    closeSync(opened);
  }
}

type Replacement = {
  file: string;
  content: string | Uint8Array;
  /** Permissions of a new file. */
  mode?: number;
  /** Whether an existing file gets the permissions `mode` too. */
  isSecret?: boolean;
};

const fresh = (file: string) => `${file}.new`;

function writeFresh({ file, content, mode = 0o600, isSecret = false }: Replacement): void {
  const before = requireRegularFile(file);
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  // Removes the unfinished file that a killed process has left.
  rmSync(fresh(file), { force: true });
  const opened = openExclusive(fresh(file), isSecret ? mode : (before?.mode ?? mode) & 0o7777, before);
  try {
    withErrorPath(file, () => {
      writeAll(opened, bytes);
      fsyncSync(opened);
      proveWritten(opened, file, 0, bytes);
    });
  } finally {
    closeSync(opened);
  }
}

/** Locks the files' folders, always in the same order: otherwise two processes could wait for each other. */
function lockedAll<T>(files: readonly string[], work: () => T): T {
  const [first, ...others] = [...new Map(files.map((file) => [dirname(file), file])).values()].toSorted();
  return first === undefined ? work() : withFileLock(first, () => lockedAll(others, work));
}

/**
 * Replaces each file atomically, with the same owner and permissions. If one file cannot be written, no file
 * is replaced, and no new file is left in the folders.
 * @throws Error if a file cannot be written, or is a symbolic link
 */
export function replaceFiles(replacements: readonly Replacement[]): void {
  const files = replacements.map(({ file }) => file);
  lockedAll(files, () => {
    try {
      for (const replacement of replacements) writeFresh(replacement);
      for (const file of files) renameSync(fresh(file), file);
      for (const folder of new Set(files.map((file) => dirname(file)))) syncFolder(folder);
    } finally {
      for (const file of files) rmSync(fresh(file), { force: true });
    }
  });
}

/**
 * Replaces one file atomically, with the same owner and permissions.
 * @param mode permissions of a new file
 * @throws Error if it cannot be written, or is a symbolic link
 */
export function replaceFile(file: string, content: string | Uint8Array, mode = 0o600): void {
  replaceFiles([{ file, content, mode }]);
}

/**
 * Changes the text of a file, while the folder is locked.
 * @param mode permissions of a new file
 * @param change gets the text, or undefined if there is no file
 * @throws Error if it cannot be read or written, and what `change` throws
 */
export function changeFile(file: string, change: (before: string | undefined) => string, mode = 0o600): void {
  withFileLock(file, () => {
    const before = requireRegularFile(file);
    replaceFile(file, change(before && withErrorPath(file, () => readFileSync(file, 'utf8'))), mode);
  });
}

/**
 * Creates a file with these permissions.
 * @throws Error if the file cannot be written, or if something exists at the path; that then stays unchanged
 */
export function createFile(file: string, content: string | Uint8Array, mode = 0o600): void {
  withFileLock(file, () => {
    if (lstatSync(file, { throwIfNoEntry: false })) throw createSystemError('EEXIST', file);
    replaceFile(file, content, mode);
  });
}

/**
 * Writes a new file whose name no other process knows yet, so no lock is needed.
 * @throws Error if it cannot be written
 */
export function writeFileWithoutLock(file: string, content: Uint8Array): void {
  try {
    writeFresh({ file, content });
    renameSync(fresh(file), file);
    syncFolder(dirname(file));
  } finally {
    rmSync(fresh(file), { force: true });
  }
}

/** Removes a file so that a power failure does not restore it. */
export function removeFile(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return;
  rmSync(file);
  syncFolder(dirname(file));
}

export function renameFile(file: string, name: string): void {
  renameSync(file, name);
  syncFolder(dirname(name));
}

const NEW_LINE = 10;
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants;

/**
 * Appends lines, all or none, and waits for the disk. An incomplete last line of the file is ended first.
 * @param lines each with its line end
 * @throws Error naming the file if the lines cannot be written
 */
export function appendLines(file: string, lines: string): void {
  withFileLock(file, () => {
    const isNew = requireRegularFile(file) === undefined;
    const owner = isNew ? ownerOf(dirname(file)) : undefined;
    const opened = openExclusive(file, 0o600, owner, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW);
    const { size } = fstatSync(opened);
    try {
      withErrorPath(file, () => {
        const last = Buffer.alloc(1, NEW_LINE);
        if (size > 0) readSync(opened, last, 0, 1, size - 1);
        const bytes = Buffer.from(last[0] === NEW_LINE ? lines : `\n${lines}`);
        writeAll(opened, bytes);
        fsyncSync(opened);
        proveWritten(opened, file, size, bytes);
      });
    } catch (error) {
      if (isNew) rmSync(file, { force: true });
      else ftruncateSync(opened, size);
      throw error;
    } finally {
      closeSync(opened);
    }
    if (isNew) syncFolder(dirname(file));
  });
}

/**
 * Writes a file that is too large for memory. The file gets its name once it is on the disk and verified.
 * @param fill writes the file
 * @param prove reads the file and throws if it is wrong
 * @returns what `prove` returns
 * @throws Error if it cannot be written, and what `fill` and `prove` throw; no file is left then
 */
export async function writeLargeFile<T>(
  file: string,
  fill: (to: Writable) => Promise<void>,
  prove: (unfinished: string) => Promise<T>,
): Promise<T> {
  const unfinished = `${file}.part`;
  try {
    await fill(createWriteStream(unfinished, { mode: 0o600, flags: 'wx', flush: true }));
    const proven = await prove(unfinished);
    renameFile(unfinished, file);
    return proven;
  } finally {
    rmSync(unfinished, { force: true });
  }
}
