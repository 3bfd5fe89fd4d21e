import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPastedText } from '../../web/src/lib/paste-table.ts';
import { readSeparated } from '../../web/src/lib/separated-text.ts';
import { propertyRuns } from '../support/counts.ts';

const inMarks = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

/**
 * What each program puts on the clipboard as text. Excel and Google Sheets put marks around a cell with a line break or a
 * tab, and double those inside; a cell with a mark alone stays as it is. LibreOffice writes a blank for a line break or a
 * tab (ScExportTextOptions of its clipboard). Numbers puts marks around a cell with a line break, a tab or a mark.
 */
const PROGRAMS: Readonly<Record<string, (cell: string) => string>> = {
  'Excel and Sheets': (cell) => (/[\n\t]/.test(cell) ? inMarks(cell) : cell),
  LibreOffice: (cell) => cell.replaceAll(/[\n\t]/g, ' '),
  Numbers: (cell) => (/[\n\t"]/.test(cell) ? inMarks(cell) : cell),
};

const odd = fc.string({ unit: fc.constantFrom('가', '"', '"', '\n', '\t', 'a', '""', ' '), maxLength: 4 });
const plain = fc.stringMatching(/^[가-다]\d{1,2}$/);
const cell = fc.oneof({ weight: 3, arbitrary: plain }, { weight: 2, arbitrary: odd });
const table = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 6 }))
  .chain(([width, height]) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
      minLength: height,
      maxLength: height,
    }),
  );

/** Trimmed and without empty rows, as every reader leaves it. */
const content = (rows: readonly (readonly string[])[]) =>
  rows.map((row) => row.map((each) => each.trim())).filter((row) => row.some((each) => each !== ''));

test.each(Object.entries(PROGRAMS))(
  'IMP-7 any table copied from %s comes back as it was, or its rows are flagged',
  (name, written) => {
    fc.assert(
      fc.property(table, fc.constantFrom('\n', '\r\n'), (rows, lineEnd) => {
        const text = rows.map((row) => row.map(written).join('\t')).join(lineEnd);
        const read = readSeparated(text, '\t', false);
        if (read.doubtful.length > 0 || read.uneven > 0) return;
        const meant = name === 'LibreOffice' ? rows.map((row) => row.map(written)) : rows;
        expect(content(read.rows)).toEqual(content(meant));
      }),
      propertyRuns(1000, 100_000),
    );
  },
);

test('IMP-7 a mark alone in its cell, as for "the same", eats neither cells nor rows', () => {
  const text = '이름\t학과\t총점\n가람\t모형학과\t95\n나람\t"\t90\n다람\t"\t85\n라람\t"\t80';
  expect(readPastedText(text)).toEqual({
    rows: [
      ['이름', '학과', '총점'],
      ['가람', '모형학과', '95'],
      ['나람', '"', '90'],
      ['다람', '"', '85'],
      ['라람', '"', '80'],
    ],
    doubtful: [2, 3],
  });
});

test('IMP-7 lines of nothing but tabs do not show how wide a table is', () => {
  expect(readSeparated('가\t"나\t"\n\t\n\t"', '\t', false).doubtful).not.toEqual([]);
});

test('IMP-7 a cell of several lines stays one beside a mark alone, and inches stay inches', () => {
  const text = '이름\t모니터\t메모\n가람\t27"\t"첫 줄\n둘째 ""줄"""\n나람\t"\t없음\n다람\t24"\t없음';
  expect(readPastedText(text).rows).toEqual([
    ['이름', '모니터', '메모'],
    ['가람', '27"', '첫 줄\n둘째 "줄"'],
    ['나람', '"', '없음'],
    ['다람', '24"', '없음'],
  ]);
});

test('IMP-7 ordinary tables are never flagged: inches, quotations inside, and cells of several lines', () => {
  const usual = fc.oneof(plain, fc.constantFrom('27"', '그는 "네"라고', '첫 줄\n둘째 줄', ''));
  const rows = fc.array(fc.tuple(plain, usual, usual, plain), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(rows, (cells) => {
      const meant = [['이름', '모니터', '메모', '점수'], ...cells];
      const text = meant
        .map((row) => row.map((each) => PROGRAMS['Excel and Sheets']?.(each)).join('\t'))
        .join('\n');
      const read = readSeparated(text, '\t', false);
      expect(read).toMatchObject({ rows: meant, doubtful: [], uneven: 0 });
    }),
    propertyRuns(200, 10_000),
  );
});
