import { describe, expect, test } from 'vitest';
import {
  checkStateFor,
  parseStoredTable,
  nextCheckState,
  EMPTY_CHECK,
} from '../../web/src/components/import/use-table-input.ts';
import { excludedLines } from '../../web/src/components/import/use-checked-table.ts';
import { addDigest } from '../../web/src/lib/table-file/decode-table.ts';

const correct = (state: typeof EMPTY_CHECK) => ({ ...state, corrections: { 2: { tel: '010-1234-5678' } } });

const TABLE = {
  doubtful: [],
  sheets: [],
  sheet: 0,
  hasHidden: false,
  remarks: { hiddenRows: 0, hiddenColumns: 0, merged: 0, uncomputed: 0 },
};

describe('what was said about a table', () => {
  test('WORK-1 holds for that table alone', () => {
    const said = nextCheckState(EMPTY_CHECK, 'one', correct);
    expect(checkStateFor(said, 'one')).toEqual({
      ...EMPTY_CHECK,
      of: 'one',
      corrections: { 2: { tel: '010-1234-5678' } },
    });
    expect(checkStateFor(said, 'other')).toEqual({ ...EMPTY_CHECK, of: 'other' });
    const ofOther = nextCheckState(said, 'other', (state) => ({ ...state, ticks: { 1: false } }));
    expect(ofOther).toEqual({ ...EMPTY_CHECK, of: 'other', ticks: { 1: false } });
  });

  test('WORK-1 is no draft any more when all of it was taken back', () => {
    const said = nextCheckState(EMPTY_CHECK, 'one', correct);
    expect(nextCheckState(said, 'one', (state) => ({ ...state, corrections: {} }))).toBe(EMPTY_CHECK);
  });

  test('ACC-6 a line that is left out by itself is taken when somebody ticks it', () => {
    expect(excludedLines({ left: new Set([7]), ticks: { 2: true, 7: false } }, [2, 3])).toEqual(
      new Set([7, 3]),
    );
  });

  test('WORK-1 a table that another version has kept is not shown', async () => {
    const table = await addDigest({ ...TABLE, rows: [['가']] });
    expect(parseStoredTable(table)).toBe(table);
    const { remarks: _, ...older } = table;
    expect([parseStoredTable(older), parseStoredTable(null)]).toEqual([null, null]);
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
