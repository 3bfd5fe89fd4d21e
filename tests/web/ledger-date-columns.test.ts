import { expect, test } from 'vitest';
import { joinDateColumns } from '../../web/src/features/ledger/import/date-columns.ts';
import { ledgerKind } from '../../web/src/features/ledger/import/ledger-kind.ts';
import { parsePastedRows } from '../../web/src/lib/paste-table.ts';
import { readImport } from '../support/read-import.ts';

async function read(lines: readonly string[]) {
  const rows = joinDateColumns(parsePastedRows(lines.join('\n')));
  const kind = ledgerKind(rows, { today: '2026-11-26', year: undefined });
  const { good, bad } = await readImport(kind, { rows, doubtful: [] });
  return {
    good: good.map(({ entry }) => [entry.datetime.slice(0, 10), entry.amount, entry.description]),
    bad,
  };
}

test('IMP-9 a cash book with columns of month and day is read; an empty month is that of the row above', async () => {
  const { good, bad } = await read([
    '2025년 랩비 장부',
    '월\t일\t적요\t수입\t지출',
    '3\t2\t회비\t50,000\t',
    '\t5\t간식\t\t12,000',
    '4월\t1일\t토너\t\t33,000',
    '\t\t합계\t50,000\t45,000',
  ]);
  expect(good).toEqual([
    ['2025-03-02', 50_000, '회비'],
    ['2025-03-05', -12_000, '간식'],
    ['2025-04-01', -33_000, '토너'],
  ]);
  expect(bad).toEqual(['4 합계 행입니다']);
});

test('IMP-9 a column of years before month and day counts for each row', async () => {
  const { good } = await read([
    '번호\t년\t월\t일\t내용\t금액',
    '1\t2025\t12\t30\t회비\t50,000',
    '2\t2026\t1\t2\t간식\t-12,000',
    '3\t\t\t7\t토너\t-33,000',
  ]);
  expect(good.map(([date]) => date)).toEqual(['2025-12-30', '2026-01-02', '2026-01-07']);
});

test('IMP-9 a day that is empty or impossible is named, and other tables stay as they are', async () => {
  const { good, bad } = await read(['월\t일\t내용\t금액', '3\t\t회비\t50,000', '2\t30\t간식\t-1,000']);
  expect(good).toEqual([]);
  expect(bad).toHaveLength(2);
  const others = parsePastedRows('날짜\t월\t금액\n2026-03-02\t3\t1,000');
  expect(joinDateColumns(others)).toBe(others);
});
