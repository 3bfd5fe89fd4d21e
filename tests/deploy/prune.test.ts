import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DAY_MS } from '#contract/time';
import {
  archivesIn,
  deleteUnfinishedArchives,
  ARCHIVE_RETENTION,
  newestArchive,
  pruneArchives,
  pruneListing,
  archivesToPrune,
  type ArchiveFile,
} from '../../scripts/backup/prune.ts';

const NOW = Date.UTC(2026, 10, 22, 19, 17);
const made = (at: number): ArchiveFile => ({ name: String(at), store: 'local', at: new Date(at) });
const daysAgo = (days: number) => made(NOW - days * DAY_MS);
const left = (archives: ArchiveFile[]) => {
  const gone = new Set(archivesToPrune(archives));
  return archives.filter((each) => !gone.has(each));
};
const ages = (archives: ArchiveFile[]) => archives.map(({ at }) => Math.round((NOW - at.getTime()) / DAY_MS));

test('OPS-9 of nightly archives 7 days, 5 weeks and 12 months stay', () => {
  let archives: ArchiveFile[] = [];
  // Night by night: an archive that was deleted is missing the next night.
  for (let night = 800; night >= 0; night--) archives = left([daysAgo(night), ...archives]);
  const found = ages(archives);
  expect(found.slice(0, 7)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(archives.length).toBeLessThanOrEqual(
    ARCHIVE_RETENTION.days + ARCHIVE_RETENTION.weeks + ARCHIVE_RETENTION.months,
  );
  expect(found.at(-1)).toBeGreaterThan(300);
  expect(new Set(archives.map(({ at }) => at.toISOString().slice(0, 7))).size).toBe(12);
});

test('OPS-9 the newest stays, whatever the others are, and nothing goes because no backup was made for long', () => {
  const alone = made(0);
  expect(archivesToPrune([alone])).toEqual([]);
  const years = Array.from({ length: 7 }, (_, index) => daysAgo(400 * (index + 1)));
  expect(archivesToPrune(years)).toEqual([]);
  const oneDay = Array.from({ length: 50 }, (_, index) => made(NOW - index * 60_000));
  expect(left(oneDay)).toEqual([oneDay[0]]);
});

test('OPS-9 a day is a day in Seoul', () => {
  const [evening, night] = [made(Date.UTC(2026, 2, 1, 14, 59)), made(Date.UTC(2026, 2, 1, 15, 0))];
  expect(archivesToPrune([evening, night])).toEqual([]);
  const noon = made(Date.UTC(2026, 2, 1, 3));
  expect(archivesToPrune([evening, noon])).toEqual([noon]);
});

const GZIP = Buffer.from([0x1f, 0x8b, 8]);
const AGE = 'age-encryption.org/v1\n-> X25519';
const nameOf = (at: number, ending = '') =>
  `local-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '')}Z.sqlite.gz${ending}`;

function inFolder(use: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'cps-lab-prune-'));
  try {
    use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("OPS-9 what only bears the name of an archive takes no archive's place, and stays", () => {
  inFolder((folder) => {
    const good = [...Array(60).keys()].map((day) => nameOf(NOW - day * DAY_MS, day % 2 === 0 ? '' : '.age'));
    for (const name of good) writeFileSync(join(folder, name), name.endsWith('.age') ? AGE : GZIP);
    const alone = pruneListing(folder).filter((line) => line.startsWith('keep'));
    const none = [...Array(60).keys()].map((day) => nameOf(NOW - day * DAY_MS + 60_000));
    for (const [index, name] of none.entries()) {
      const path = join(folder, name);
      if (index % 4 === 0) writeFileSync(path, '');
      if (index % 4 === 1) mkdirSync(path);
      if (index % 4 === 2) symlinkSync('/nowhere', path);
      if (index % 4 === 3) writeFileSync(path, 'notes');
    }
    const stays = pruneListing(folder).filter((line) => line.startsWith('keep'));
    expect(stays.filter((line) => !line.includes(': not an archive'))).toEqual(alone);
    pruneArchives(folder, good[0] ?? '');
    expect(readdirSync(folder).toSorted()).toEqual(
      [...alone.map((line) => line.slice('keep    '.length)), ...none].toSorted(),
    );
  });
});

test("OPS-9 archives that a clock dated ahead cost none of the others, and are no drill's newest", () => {
  inFolder((folder) => {
    const now = new Date(NOW);
    const nights = [...Array(7).keys()].map((day) => nameOf(NOW - day * DAY_MS));
    const ahead = [...Array(400).keys()].map((day) => nameOf(NOW + (day + 1) * DAY_MS));
    for (const name of [...nights, ...ahead]) writeFileSync(join(folder, name), GZIP);
    expect(archivesToPrune(archivesIn(folder, now))).toEqual([]);
    expect(newestArchive(archivesIn(folder, now))?.name).toBe(nights[0]);
    // A clock that was set far back takes what there is.
    expect(newestArchive(archivesIn(folder, new Date(0)))?.name).toBe(ahead.at(-1));
  });
});

test('OPS-3 what a killed backup left half-written goes after a day, and nothing else does', () => {
  inFolder((folder) => {
    const old = [
      nameOf(NOW),
      `${nameOf(NOW)}.part`,
      `${nameOf(NOW, '.age')}.part`,
      `other-${nameOf(NOW)}.part`,
    ];
    const names = [...old, 'notes.part', 'local.part'];
    for (const name of names) {
      writeFileSync(join(folder, name), GZIP);
      utimesSync(join(folder, name), new Date(NOW - DAY_MS - 1), new Date(NOW - DAY_MS - 1));
    }
    const atWork = `${nameOf(NOW + 1000)}.part`;
    writeFileSync(join(folder, atWork), GZIP);
    utimesSync(join(folder, atWork), new Date(NOW), new Date(NOW));
    mkdirSync(join(folder, `${nameOf(NOW + 2000)}.part`));
    const before = readdirSync(folder);
    deleteUnfinishedArchives(folder, 'local', new Date(NOW));
    expect(before.filter((name) => !readdirSync(folder).includes(name))).toEqual(
      [`${nameOf(NOW)}.part`, `${nameOf(NOW, '.age')}.part`].toSorted(),
    );
  });
});
