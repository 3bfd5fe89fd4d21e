import { closeSync, lstatSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS, SEOUL_OFFSET_MS } from '#contract/time';
import { printable } from '#contract/printable-text';

/** The newest archive of so many days, weeks and months is kept. Periods without an archive do not count. */
export const ARCHIVE_RETENTION = { days: 7, weeks: 5, months: 12 };

const NAME = /^(?<store>.+)-(?<day>\d{4}-\d\d-\d\d)T(?<h>\d\d)(?<m>\d\d)(?<s>\d\d)Z\.sqlite\.gz(\.age)?$/;

export type ArchiveFile = {
  name: string;
  store: string;
  at: Date;
  /** Why pruning ignores the file; undefined for a normal archive. */
  oddity?: 'not an archive' | 'dated in the future';
};

const BEGINNINGS = [Buffer.from([0x1f, 0x8b]), Buffer.from('age-encryption.org/v1\n')];

/** Whether the file starts like gzip or age; false for an empty file, a folder or a broken link. */
function isArchive(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const file = openSync(path, 'r');
  try {
    return BEGINNINGS.some((expected) => {
      const found = Buffer.alloc(expected.length);
      readSync(file, found, 0, found.length, 0);
      return found.equals(expected);
    });
  } finally {
    closeSync(file);
  }
}

/** The archives in a folder, newest first; files with other names are ignored. */
export function archivesIn(folder: string, now = new Date()): ArchiveFile[] {
  return readdirSync(folder)
    .flatMap((name): ArchiveFile[] => {
      const { store, day, h, m, s } = NAME.exec(name)?.groups ?? {};
      const at = new Date(`${day}T${h}:${m}:${s}Z`);
      if (store === undefined || Number.isNaN(at.getTime())) return [];
      if (!isArchive(join(folder, name))) return [{ name, store, at, oddity: 'not an archive' }];
      return [at > now ? { name, store, at, oddity: 'dated in the future' } : { name, store, at }];
    })
    .sort((a, b) => b.at.getTime() - a.at.getTime() || b.name.localeCompare(a.name));
}

/**
 * The archive for a drill. If the clock was wrong, an archive can have a date in the future and would be the
 * newest for years, so it is only used if there is no other.
 */
export function newestArchive(archives: readonly ArchiveFile[]): ArchiveFile | undefined {
  return (
    archives.find(({ oddity }) => oddity === undefined) ??
    archives.find(({ oddity }) => oddity !== 'not an archive')
  );
}

/**
 * Deletes the unfinished files of backups that were killed. No backup runs longer than a day, so files that
 * are older than a day are not in use.
 */
export function deleteUnfinishedArchives(folder: string, store: string, now: Date): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!name.endsWith('.part') || NAME.exec(name.slice(0, -'.part'.length))?.groups?.['store'] !== store)
      continue;
    const found = lstatSync(path);
    if (found.isFile() && now.getTime() - found.mtimeMs > DAY_MS) rmSync(path);
  }
}

/** Day in Seoul, week (by its Monday) and month as text; equal texts mean the same period. */
const periods: Record<keyof typeof ARCHIVE_RETENTION, (day: Date) => string> = {
  days: (day) => day.toISOString().slice(0, 10),
  weeks: (day) => {
    const monday = new Date(day);
    monday.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
    return monday.toISOString().slice(0, 10);
  },
  months: (day) => day.toISOString().slice(0, 7),
};

/**
 * The archives of a store that ARCHIVE_RETENTION does not keep. Periods without an archive do not count, so a
 * pause in backups deletes nothing. The newest archive always stays. Files that are no archive, or have a
 * date in the future, do not count.
 * @param archives of one store
 */
export function archivesToPrune(archives: readonly ArchiveFile[]): ArchiveFile[] {
  const newestFirst = archives
    .filter(({ oddity }) => oddity === undefined)
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
  const kept = new Set<ArchiveFile>();
  for (const [kind, periodOf] of Object.entries(periods)) {
    const newest = new Map<string, ArchiveFile>();
    for (const archive of newestFirst) {
      const period = periodOf(new Date(archive.at.getTime() + SEOUL_OFFSET_MS));
      if (!newest.has(period)) newest.set(period, archive);
    }
    for (const archive of [...newest.values()].slice(0, countOf(kind))) kept.add(archive);
  }
  return newestFirst.filter((archive) => !kept.has(archive));
}

const countOf = (kind: string) => Object.entries(ARCHIVE_RETENTION).find(([name]) => name === kind)?.[1] ?? 0;

/**
 * Deletes archives that ARCHIVE_RETENTION does not keep. Only for the store of an archive that was just made
 * and verified, so that the only good archive is never deleted.
 * @returns lines about the deleted archives
 */
export function pruneArchives(folder: string, made: string): string[] {
  const archives = archivesIn(folder);
  const own = archives.find(({ name }) => name === made);
  if (!own) throw new Error(`${made} is not in ${folder}`);
  // The archive that was just made stays, even if the clock was set back: that archive is known to be good.
  const gone = archivesToPrune(archives.filter(({ store }) => store === own.store)).filter(
    (each) => each !== own,
  );
  for (const { name } of gone) rmSync(join(folder, name));
  return gone.map(({ name }) => `pruned ${name}`);
}

/**
 * What `pruneArchives` would delete; deletes nothing.
 * @param only the store whose archives are listed; without it, all stores in the folder
 */
export function pruneListing(folder: string, only?: string): string[] {
  const archives = archivesIn(folder).filter(({ store }) => only === undefined || store === only);
  const stores = [...new Set(archives.map(({ store }) => store))];
  const gone = new Set(
    stores.flatMap((store) => archivesToPrune(archives.filter((each) => each.store === store))),
  );
  return archives.map((archive) => {
    const reason = archive.oddity === undefined ? '' : `: ${archive.oddity}, so --prune ignores it`;
    return `${gone.has(archive) ? 'delete' : 'keep  '}  ${printable(archive.name)}${reason}`;
  });
}
