import { describe, expect, test } from 'vitest';
import {
  checkOf,
  storedTableOf,
  nextCheck,
  UNCHECKED,
} from '../../web/src/components/import/use-table-input.ts';
import { excludedLines } from '../../web/src/components/import/use-checked-table.ts';
import { addDigest } from '../../web/src/lib/table-file/decode-table.ts';

const correct = (state: typeof UNCHECKED) => ({ ...state, corrections: { 2: { tel: '010-1234-5678' } } });

const TABLE = {
  doubtful: [],
  sheets: [],
  sheet: 0,
  hasHidden: false,
  remarks: { hiddenRows: 0, hiddenColumns: 0, merged: 0, uncomputed: 0 },
};

describe('what was said about a table', () => {
  test('WORK-1 holds for that table alone', () => {
    const said = nextCheck(UNCHECKED, 'one', correct);
    expect(checkOf(said, 'one')).toEqual({
      ...UNCHECKED,
      of: 'one',
      corrections: { 2: { tel: '010-1234-5678' } },
    });
    expect(checkOf(said, 'other')).toEqual({ ...UNCHECKED, of: 'other' });
    const ofOther = nextCheck(said, 'other', (state) => ({ ...state, ticks: { 1: false } }));
    expect(ofOther).toEqual({ ...UNCHECKED, of: 'other', ticks: { 1: false } });
  });

  test('WORK-1 is no draft any more when all of it was taken back', () => {
    const said = nextCheck(UNCHECKED, 'one', correct);
    expect(nextCheck(said, 'one', (state) => ({ ...state, corrections: {} }))).toBe(UNCHECKED);
  });

  test('ACC-6 a line that is left out by itself is taken when somebody ticks it', () => {
    expect(excludedLines({ left: new Set([7]), ticks: { 2: true, 7: false } }, [2, 3])).toEqual(
      new Set([7, 3]),
    );
  });

  test('WORK-1 a table that another version has kept is not shown', async () => {
    const table = await addDigest({ ...TABLE, rows: [['가']] });
    expect(storedTableOf(table)).toBe(table);
    const { remarks: _, ...older } = table;
    expect([storedTableOf(older), storedTableOf(null)]).toEqual([null, null]);
  });

  test('WORK-1 another mark tells tables apart by a single character or the place of a cell', async () => {
    const markOf = async (rows: string[][]) => (await addDigest({ ...TABLE, rows })).mark;
    const marks = await Promise.all(
      [[['가', '나']], [['가', '다']], [['가나']], [['가'], ['나']], [['가', '나', '']]].map(markOf),
    );
    expect(new Set(marks).size).toBe(marks.length);
    expect(await markOf([['가', '나']])).toBe(marks[0]);
  });
});
