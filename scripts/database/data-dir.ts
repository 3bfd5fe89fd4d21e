import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { REPAIR_STEPS } from '#contract/first-steps';
import { isOlderVersion, releaseSchema, VERSION } from '#contract/release';
import { makeFolder, replaceFile } from '../../firmware-bridge/src/files.ts';
import { explainError, withErrorPath } from '../../firmware-bridge/src/system-error.ts';
import { processNames, processesWithFilesIn } from '../processes.ts';

/** If a run was killed, its other processes need a moment to exit. */
const PATIENCE_MS = 5000;
const LOOK_AGAIN_MS = 100;

const ownerOf = (dataDir: string) => join(dataDir, 'run.pid');

/** By folder: the lock that this process has. The system releases it even if the process is killed. */
const held = new Map<string, DatabaseSync>();

/**
 * Claims the data folder for this process. Two runs on one database would lose each other's writes, so a
 * second run is refused. A run is also refused while processes of a killed run still use the folder.
 * @throws Error naming the process that uses the folder
 */
export async function claimDataDir(dataDir: string): Promise<void> {
  try {
    closeToOthers(dataDir);
    await lock(dataDir);
    try {
      await untilClosed(dataDir);
    } catch (error) {
      releaseDataDir(dataDir);
      throw error;
    }
  } catch (error) {
    throw new Error(`the data folder ${dataDir} cannot be used: ${explainError(error)}`, { cause: error });
  }
}

/** Makes the folder readable for its owner only, because it contains personal data and keys. */
function closeToOthers(dataDir: string): void {
  makeFolder(dataDir, 0o700);
  const { uid, mode } = statSync(dataDir);
  const isOurs = uid === process.getuid?.() && existsSync(join(dataDir, 'v3'));
  if (isOurs && (mode & 0o077) !== 0) withErrorPath(dataDir, () => chmodSync(dataDir, 0o700));
}

/** The id of the process that runs with this folder; undefined if it has ended. */
export function processUsingDataDir(dataDir: string): string | undefined {
  const pid = existsSync(ownerOf(dataDir)) ? readFileSync(ownerOf(dataDir), 'utf8') : '';
  try {
    return /^\d+$/.test(pid) && process.kill(Number(pid), 0) ? pid : undefined;
  } catch {
    return undefined;
  }
}

export function releaseDataDir(dataDir: string): void {
  const lock = held.get(dataDir);
  if (lock === undefined) return;
  rmSync(ownerOf(dataDir), { force: true });
  lock.close();
  held.delete(dataDir);
}

async function lock(dataDir: string): Promise<void> {
  const file = join(dataDir, 'run.lock');
  const db = withErrorPath(file, () => new DatabaseSync(file));
  try {
    withErrorPath(file, () => db.exec('BEGIN EXCLUSIVE'));
  } catch (error) {
    db.close();
    if (!isSqliteBusy(error)) throw error;
    // The other run may have just started, and may be about to write its process id.
    await setTimeout(LOOK_AGAIN_MS);
    const owner = existsSync(ownerOf(dataDir))
      ? readFileSync(ownerOf(dataDir), 'utf8')
      : 'that has just started';
    const step = /^\d+$/.test(owner) ? `. First step: kill ${owner}, then try again` : '';
    throw new Error(`it is in use by process ${owner}${step}`, { cause: error });
  }
  held.set(dataDir, db);
  try {
    replaceFile(ownerOf(dataDir), String(process.pid));
  } catch (error) {
    releaseDataDir(dataDir);
    throw error;
  }
}

async function untilClosed(dataDir: string): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; isOpenElsewhere(dataDir);) {
    if (Date.now() > deadline) throw new Error(whoHolds(dataDir));
    await setTimeout(LOOK_AGAIN_MS);
  }
}

/** Whether another process has a database of the folder open. */
function isOpenElsewhere(dataDir: string): boolean {
  return (
    readdirSync(dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.sqlite'))
      // Somebody may have opened a damaged folder that was moved away, to look at it.
      .filter((entry) => !relative(dataDir, entry.parentPath).includes('damaged-'))
      .some((entry) => isOpen(join(entry.parentPath, entry.name)))
  );
}

function isOpen(file: string): boolean {
  try {
    const db = new DatabaseSync(file);
    try {
      // In WAL mode, an exclusive lock fails if any other process has the file open, even if it only reads.
      db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; ROLLBACK');
    } finally {
      db.close();
    }
    return false;
  } catch (error) {
    // Other problems are reported by the code that opens the file next.
    return isSqliteBusy(error);
  }
}

const SQLITE_BUSY = 5;
/** Whether SQLite has failed because another connection has a lock on the file. */
export const isSqliteBusy = (error: unknown) =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;

function whoHolds(dataDir: string): string {
  const holders = processesWithFilesIn(dataDir);
  if (holders.length === 0) return 'another process has its database open: end that process';
  const pids = holders.map(({ pid }) => pid).join(' ');
  return `${processNames(holders)} has its database open; if it does not end by itself, end it: kill ${pids}`;
}

/* Stores which version has last written a data folder. A backup by an older version would not be complete. */

const noteOf = (dataDir: string) => join(dataDir, 'version');

/** The version that last wrote the folder; undefined if it stored no version, or if the folder is empty. */
function writtenBy(dataDir: string): string | undefined {
  const note = noteOf(dataDir);
  return existsSync(note) ? releaseSchema.safeParse(readFileSync(note, 'utf8').trim()).data : undefined;
}

/** Records that this version writes the folder from now on. */
export function saveDataVersion(dataDir: string): void {
  if (writtenBy(dataDir) !== VERSION) replaceFile(noteOf(dataDir), `${VERSION}\n`);
}

/** The message if `version` is newer than this program; undefined if it is not newer. */
export function newerVersionProblem(version: string | undefined): string | undefined {
  if (version === undefined || !isOlderVersion(VERSION, version)) return undefined;
  return `version ${version}, and this is ${VERSION}, which is older. First step: ${REPAIR_STEPS.newer(version)}`;
}

/** @throws Error naming the version that wrote the folder, if that version is newer than this one */
export function refuseNewerData(dataDir: string): void {
  const later = newerVersionProblem(writtenBy(dataDir));
  if (later !== undefined)
    throw new Error(
      `the data folder ${dataDir} was last written by ${later}. To stay with this version, restore an archive that this version made: ${REPAIR_STEPS.store(dataDir)} --discard-newer`,
    );
}
