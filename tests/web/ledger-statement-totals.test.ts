import { expect, test } from 'vitest';
import { ledgerKind } from '../../web/src/features/ledger/import/ledger-kind.ts';
import { repeatedAmounts, wrongTotals } from '../../web/src/features/ledger/import/statement-totals.ts';
import { decodeTable } from '../../web/src/lib/table-file/decode-table.ts';
import { parsePaste } from '../../web/src/lib/paste-table.ts';
import { readImport } from '../support/read-import.ts';
import { DESKTOP, xlsx } from '../support/xlsx.ts';

const options = { today: '2026-11-26', year: undefined };

async function wrongIn(lines: readonly string[]) {
  const text = lines.join('\n');
  const { rows } = await readImport(ledgerKind(parsePaste(text), options), text);
  return [...wrongTotals(rows)];
}

const HEADER = '날짜\t내용\t입금\t출금';
const ROWS = ['2026-11-01\t회비\t70,000\t', '2026-11-02\t간식\t\t12,000', '2026-11-03\t커피\t\t3,000'];

test.each([
  ['two columns', [HEADER, ...ROWS, '합계\t\t70,000\t15,000']],
  ['a label among the words', [HEADER, ...ROWS, '\t총 계\t70,000\t15,000']],
  [
    'parts and the whole',
    [
      HEADER,
      ...ROWS,
      '11월 소계\t\t70,000\t15,000',
      ...ROWS,
      '\t소계\t70,000\t15,000',
      '합계\t\t140,000\t30,000',
    ],
  ],
  [
    'one column',
    ['날짜\t내용\t금액', '2026-11-01\t회비\t70,000', '2026-11-02\t간식\t-12,000', '합계\t\t58,000'],
  ],
  ['money out alone', ['날짜\t내용\t금액', '2026-11-02\t간식\t-12,000', '합계\t\t12,000']],
  ['a carried balance', [HEADER, '2026-11-01\t전월이월\t5,000\t', ...ROWS, '합계\t\t75,000\t15,000']],
  ['no amount', [HEADER, ...ROWS, '합계\t\t\t']],
])('IMP-9 a total with %s that its rows reach is not mentioned', async (_, lines) => {
  expect(await wrongIn(lines)).toEqual([]);
});

test('IMP-9 a total that its rows do not reach is named with its amount', async () => {
  expect(await wrongIn([HEADER, ...ROWS, '합계\t\t70,000\t15,500'])).toEqual([[4, 15_500]]);
  expect(await wrongIn([HEADER, ...ROWS.slice(1), '합계\t\t70,000\t15,000'])).toEqual([[3, 70_000]]);
  // The row of an unreadable amount is missing in the sum.
  expect(
    await wrongIn([HEADER, '2026-11-01\t회비\t칠만\t', ...ROWS.slice(1), '합계\t\t70,000\t15,000']),
  ).toEqual([[4, 70_000]]);
});

test('IMP-9 an amount merged over several rows is one payment', async () => {
  const rows = [
    ['날짜', '내용', '금액', '분류'],
    ['2026-11-01', '왕복 버스', { number: -12_000 }, '교통'],
    ['2026-11-01', '지하철', '', ''],
    ['2026-11-02', '회비', { number: 50_000 }, '회비'],
    ['2026-11-02', '회비', { number: 50_000 }, ''],
  ];
  const bytes = xlsx([{ name: '표', rows, merged: ['C2:C3', 'D2:D3', 'D4:D5'] }], DESKTOP);
  const table = await decodeTable({ file: new File([bytes], '내역.xlsx') }, {});
  if ('refusal' in table) throw new Error(table.refusal);
  const read = await readImport(ledgerKind(table.rows, options), table);
  expect(read.rows.map(({ row }) => row?.entry.amount)).toEqual([-12_000, -12_000, 50_000, 50_000]);
  expect([...repeatedAmounts(read.rows, table.remarks.mergedNumbers)]).toEqual([2]);
});
