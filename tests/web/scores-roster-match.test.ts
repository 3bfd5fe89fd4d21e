import { expect, test } from 'vitest';
import { rosterMismatches, fillInFromRoster } from '../../web/src/features/scores/classes/roster-match.ts';

const roster = [
  { id: '202600001', name: '김가람' },
  { id: '202600002', name: '이나린' },
  { id: '202600003', name: '박다온' },
  { id: '202600004', name: '박다온' },
];
const row = (at: number, id: string, name: string) => ({ row: at, id, name, nonStudent: undefined });

test('SCO-21 CRS-6 scores alone take names and numbers of the class, and who is missing or strange is told', () => {
  const rows = [
    row(1, '２０２６００００１', ''),
    row(2, '', '이나린'.normalize('NFD')),
    row(3, '', '박다온'),
    row(4, '209900009', '최라온'),
  ];
  expect(fillInFromRoster(rows, roster).map(({ id, name }) => `${name.normalize('NFC')} ${id}`)).toEqual([
    '김가람 ２０２６００００１',
    '이나린 202600002',
    // Two have the name, so that nobody is meant.
    '박다온 ',
    '최라온 209900009',
  ]);
  const { missing, strangers } = rosterMismatches(rows, roster);
  expect(missing.map(({ id }) => id)).toEqual(['202600003', '202600004']);
  expect(strangers.map(({ row: at }) => at)).toEqual([3, 4]);
  expect(
    rosterMismatches([{ ...row(1, '', '평균'), nonStudent: { kind: 'word', word: '평균' } }], []),
  ).toEqual({
    missing: [],
    strangers: [],
    misnamed: [],
    away: [],
  });
  // One name in two rows is of nobody either.
  expect(rosterMismatches([row(1, '', '김가람'), row(2, '', '김가람')], roster).strangers).toHaveLength(2);
});

test('SCO-21 SCO-15 who has a score and is on leave by the class’s own list is told', () => {
  const list = roster.map((student, at) => ({
    ...student,
    type: ['재학', '일반휴학', '자퇴', null][at] ?? null,
  }));
  const rows = [row(1, '202600001', '김가람'), row(2, '202600002', '이나린')];
  expect(rosterMismatches(rows, list).away.map(({ id }) => id)).toEqual(['202600002']);
});

test('SCO-21 a number beside the name of somebody else is told, however the number is written', () => {
  const { misnamed, strangers } = rosterMismatches(
    [
      row(1, '2026-00001', '이나린'),
      row(2, '202600002.0', '이 나린'),
      row(3, '202600003', 'Park Daon'),
      row(4, '202600004', ''),
    ],
    roster,
  );
  expect(misnamed.map(({ row: { row: at }, known }) => [at, known.name])).toEqual([[1, '김가람']]);
  expect(strangers).toEqual([]);
});
