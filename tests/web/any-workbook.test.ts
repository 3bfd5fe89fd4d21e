import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { withTable } from '../../web/src/features/scores/paste/earlier-decisions.ts';
import { EMPTY_WORK } from '../../web/src/features/scores/work.ts';
import { toTsv } from '../../web/src/lib/csv.ts';
import { UNCOMPUTED_CELL } from '../../web/src/lib/paste-table.ts';
import { decodeTable } from '../../web/src/lib/table-file/decode-table.ts';
import { propertyRuns } from '../support/counts.ts';
import { DESKTOP, writers, xlsx, type XlsxCell } from '../support/xlsx.ts';

/** A cell, and what it has to come out as. */
type Meant = { cell: XlsxCell; text: string };

const NUMBERS = [
  'General',
  '0',
  '#,##0;[Red]#,##0',
  '#,##0.00',
  '0.00E+00',
  '# ?/?',
  '#,##0,',
  '"₩"#,##0',
  '@',
  '0"점"',
];
const DATES = ['14', '22', 'yyyy\\-mm\\-dd', 'mm/dd/yy', 'm/d', 'd\\-mmm\\-yy', 'yyyy"년" m"월" d"일" dddd'];
const ofNumber = fc
  .tuple(
    fc.integer({ min: -99_999_999, max: 99_999_999 }),
    fc.integer({ min: 0, max: 3 }),
    fc.constantFrom(...NUMBERS),
  )
  .map(([digits, places, format]): Meant => {
    const number = digits / 10 ** places;
    return { cell: { number, format }, text: String(number) };
  });
const ofPercent = fc
  .tuple(fc.integer({ min: 0, max: 2000 }), fc.constantFrom('9', '10', '0.0%;[Red]\\-0.0%'))
  .map(([tenths, format]): Meant => ({ cell: { number: tenths / 1000, format }, text: `${tenths / 10}%` }));
const DAY_MS = 86_400_000;
const ofDate = fc
  .tuple(fc.integer({ min: 36_526, max: 55_000 }), fc.constantFrom(...DATES))
  .map(([serial, format]): Meant => {
    const text = new Date(Date.UTC(1899, 11, 30) + serial * DAY_MS).toISOString().slice(0, 10);
    return { cell: { number: serial, format }, text };
  });
const ofText = fc
  .array(fc.constantFrom('가', '훈', '0', '1', '"', ',', ';', '&', '<', '\n', '-', '='), { maxLength: 5 })
  .map((parts): Meant => ({ cell: parts.join(''), text: parts.join('').trim() }));
const ofFormula = fc
  .tuple(fc.integer({ min: 0, max: 99 }), fc.boolean())
  .map(([value, isComputed]): Meant =>
    isComputed
      ? { cell: { formula: 'A1', value }, text: String(value) }
      : { cell: { formula: 'A1' }, text: UNCOMPUTED_CELL },
  );
const table = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 5 }))
  .chain(([width, height]) =>
    fc.array(
      fc.array(fc.oneof(ofNumber, ofPercent, ofDate, ofText, ofFormula), {
        minLength: width,
        maxLength: width,
      }),
      {
        minLength: height,
        maxLength: height,
      },
    ),
  );
const NAMED: Meant = { cell: '이름', text: '이름' };

test('IMP-5 IMP-6 any workbook comes back by its values, without what it hides, on every screen', async () => {
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.constantFrom(...Object.values(writers).filter(({ hasPlaces }) => hasPlaces), DESKTOP),
      fc.uniqueArray(fc.integer({ min: 1, max: 5 })),
      async (cells, writer, hidden) => {
        // An empty row or column at the side belongs to no table.
        const rows = [cells[0]?.map(() => NAMED) ?? [], ...cells].map((row) => [NAMED].concat(row, NAMED));
        const hiddenRows = hidden.filter((at) => at < rows.length);
        const bytes = xlsx(
          [{ name: '표', rows: rows.map((row) => row.map(({ cell }) => cell)), hiddenRows }],
          writer,
        );
        const read = await decodeTable({ file: new File([bytes], '표.xlsx') }, { keepEmptyRows: true });
        // A hidden row keeps its place above a shown one, so that copied grades stay beside their students.
        const last = rows.findLastIndex((_, at) => !hiddenRows.includes(at));
        const shown = rows
          .slice(0, last + 1)
          .map((row, at) => row.map(({ text }) => (hiddenRows.includes(at) ? '' : text)));
        expect(read).toMatchObject({
          rows: shown,
          remarks: { hiddenRows: hiddenRows.length, hiddenColumns: 0 },
        });
        const { table: scores, doubtful } = withTable(EMPTY_WORK, toTsv(shown));
        expect(doubtful.length > 0 ? shown : scores).toEqual(shown);
      },
    ),
    propertyRuns(60, 2000),
  );
});
