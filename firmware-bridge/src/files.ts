import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes the folder and those above it, unless they are there. Node's own way never ends where the system says of a folder
 * that is there that nothing can be made in it, as below /proc.
 * @param mode permissions of folders that are made
 * @throws Error of the system, naming the path
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if (!isFolder(path)) throw error;
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

type Replacement = {
  file: string;
  text: string;
  /** Permissions of a new file. */
  mode?: number;
  /** Whether a file that was there gets these permissions too. */
  isSecret?: boolean;
};

/**
 * Replaces each file atomically, keeping its owner and permissions. Nothing is replaced, and nothing is left beside the
 * files, when one of them cannot be written.
 * @throws Error when one cannot be written
 */
export function replaceFiles(replacements: readonly Replacement[]): void {
  const fresh = (file: string) => `${file}.new`;
  try {
    for (const { file, text, mode = 0o600, isSecret = false } of replacements) {
      const before = existsSync(file) ? statSync(file) : undefined;
      writeFileSync(fresh(file), text, { mode: 0o600 });
      chmodSync(fresh(file), isSecret ? mode : (before?.mode ?? mode));
      if (before !== undefined && process.getuid?.() === 0) chownSync(fresh(file), before.uid, before.gid);
    }
    for (const { file } of replacements) renameSync(fresh(file), file);
  } finally {
    for (const { file } of replacements) rmSync(fresh(file), { force: true });
  }
}

/**
 * Replaces one file atomically, keeping its owner and permissions.
 * @param mode permissions of a new file
 * @throws Error when it cannot be written
 */
export function replaceFile(file: string, text: string, mode = 0o600): void {
  replaceFiles([{ file, text, mode }]);
}
