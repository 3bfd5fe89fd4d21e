import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPAIRS } from '#contract/first-steps';
import { isOlderVersion, releaseSchema, VERSION } from '#contract/release';
import { replaceFile } from '../../firmware-bridge/src/files.ts';

/* The version that last wrote a data folder. A backup by an older version would not be complete. */

const noteOf = (dataDir: string) => join(dataDir, 'version');

/** Undefined for a folder of a version without this file, or if nothing was stored yet. */
function writtenBy(dataDir: string): string | undefined {
  const note = noteOf(dataDir);
  return existsSync(note) ? releaseSchema.safeParse(readFileSync(note, 'utf8').trim()).data : undefined;
}

/** Records that this version writes the folder from now on. */
export function saveDataVersion(dataDir: string): void {
  if (writtenBy(dataDir) !== VERSION) replaceFile(noteOf(dataDir), `${VERSION}\n`);
}

/** The message if a version is newer than this version; undefined if it is not newer. */
export function newerVersionProblem(version: string | undefined): string | undefined {
  if (version === undefined || !isOlderVersion(VERSION, version)) return undefined;
  return `version ${version}, and this is ${VERSION}, which is older. First step: ${REPAIRS.newer(version)}`;
}

/** @throws Error naming the version that wrote the folder, if it is newer than this one */
export function refuseNewerData(dataDir: string): void {
  const later = newerVersionProblem(writtenBy(dataDir));
  if (later !== undefined)
    throw new Error(
      `the data folder ${dataDir} was last written by ${later}. To stay with this version, restore an archive that this version made: ${REPAIRS.store(dataDir)} --discard-newer`,
    );
}
