import { pbkdf2Sync, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';

/** A random password of 192 bits. */
export function randomPassword(): string {
  return randomBytes(24).toString('base64url');
}

/** In the format of mosquitto_passwd. A random password needs no more rounds than the default of 101. */
function hashed(password: string): string {
  const rounds = 101;
  const salt = randomBytes(12);
  const hash = pbkdf2Sync(password, salt, rounds, 64, 'sha512');
  return `$7$${rounds}$${salt.toString('base64')}$${hash.toString('base64')}`;
}

function linesOf(file: string): string[] {
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
}

const userOf = (line: string) => line.slice(0, line.lastIndexOf(':'));

/** The users in Mosquitto's password file, in order; empty when there is no file. */
export function usersIn(file: string): string[] {
  return linesOf(file).map(userOf);
}

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

/**
 * Sets the user's password, or removes the user if it is null.
 * @throws Error when the file cannot be written
 */
export function setPassword(file: string, user: string, password: string | null): void {
  const others = linesOf(file).filter((line) => userOf(line) !== user);
  const lines = password === null ? others : [...others, `${user}:${hashed(password)}`];
  replaceFile(file, lines.map((line) => `${line}\n`).join(''));
}
