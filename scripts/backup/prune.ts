import { closeSync, lstatSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS, SEOUL_OFFSET_MS } from '#contract/time';
import { printable } from '#contract/printable-text';

/** So many days, weeks and months keep their newest archive. A period without an archive does not count. */
export const ARCHIVE_RETENTION = { days: 7, weeks: 5, months: 12 };

const NAME = /^(?<store>.+)-(?<day>\d{4}-\d\d-\d\d)T(?<h>\d\d)(?<m>\d\d)(?<s>\d\d)Z\.sqlite\.gz(\.age)?$/;

export type ArchiveFile = {
  name: string;
  store: string;
  at: Date;
  /** Why pruning ignores the file; undefined for a usual archive. */
  oddity?: 'not an archive' | 'dated in the future';
};

const BEGINNINGS = [Buffer.from([0x1f, 0x8b]), Buffer.from('age-encryption.org/v1\n')];

/** Whether the file begins like gzip or age; false for an empty file, a folder or a broken link. */
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

/** The archives in a folder, the newest first. Files with other names are left out. */
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
 * The archive to use for a drill or a restore. If the clock was wrong, an archive may have a date in the
 * future, and would be the newest for years. So it is used only if there is no other.
 */
export function newestArchive(archives: readonly ArchiveFile[]): ArchiveFile | undefined {
  return (
    archives.find(({ oddity }) => oddity === undefined) ??
    archives.find(({ oddity }) => oddity !== 'not an archive')
  );
}

/**
 * Deletes unfinished files of backups that were killed. No backup runs longer than a day, so a file that is
 * older than a day is not in use.
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

/** The period of a day in Seoul as text: the day, the Monday of its week, or its month. */
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
 * The archives of a store that ARCHIVE_RETENTION does not keep. A period without an archive does not count,
 * so a pause in the backups deletes nothing. The newest archive always stays. Files that are no archive or
 * have a date in the future are ignored.
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
 * Deletes archives that ARCHIVE_RETENTION does not keep. Call this only for the store whose archive was just
 * made and verified, so that the only good archive is never deleted.
 * @returns lines about the deleted archives
 */
export function pruneArchives(folder: string, made: string): string[] {
  const archives = archivesIn(folder);
  const own = archives.find(({ name }) => name === made);
  if (!own) throw new Error(`${made} is not in ${folder}`);
  // The archive that was just made is known to be good, so it stays even if the clock was set back.
  const gone = archivesToPrune(archives.filter(({ store }) => store === own.store)).filter(
    (each) => each !== own,
  );
  for (const { name } of gone) rmSync(join(folder, name));
  return gone.map(({ name }) => `pruned ${name}`);
}

/**
 * Lists what `pruneArchives` would delete, but deletes nothing.
 * @param only the store whose archives are listed; without it, the archives of all stores are listed
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
