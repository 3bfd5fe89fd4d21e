import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toCsv, toTsv } from '../../web/src/lib/csv.ts';
import {
  asciiText,
  fieldOfLabels,
  firstColumns,
  hasSideBySideTables,
  oneLine,
  parsePastedRows,
  readPastedText,
} from '../../web/src/lib/paste-table.ts';
import { propertyRuns } from '../support/counts.ts';

const options = propertyRuns(300, 10_000);

test('IMP-9 tables side by side are told from one table', () => {
  const told = (row: string) => hasSideBySideTables([['제목'], row.split('\t'), ['1', '가', '', '2', '나']]);
  expect(['번호\t이름\t번호\t이름', '학번\t이름\t\t학번\t이름', 'a\tb\ta\tb\ta\tb'].map(told)).toEqual([
    true,
    true,
    true,
  ]);
  expect(
    ['이름\t점수\t점수', '이름\t점수\t이름\t반', '1\t2\t1\t2', '점수\t점수', '', '가\t\t가'].map(told),
  ).toEqual(Array.from({ length: 6 }, () => false));
});

test('STU-6 lines of every kind end a row, and rows without content are left out', () => {
  expect(parsePastedRows('가\t나\r\n다\t라\n\n \t\u3000\r마\t바\n')).toEqual([
    ['가', '나'],
    ['다', '라'],
    ['마', '바'],
  ]);
  expect(parsePastedRows('')).toEqual([]);
  expect(parsePastedRows(' \t \n')).toEqual([]);
});

test('SCO-5 rows without content can keep their place, as long as one with content follows', () => {
  expect(parsePastedRows('가\n\n \t\n나\n\n', { keepEmptyRows: true })).toEqual([['가'], [''], [''], ['나']]);
  expect(parsePastedRows('\n\t\n', { keepEmptyRows: true })).toEqual([]);
});

test('STU-6 a quoted cell holds line breaks, tabs and doubled quotes', () => {
  expect(parsePastedRows('"첫 줄\r\n둘째\t줄"\t"그는 ""네""라고"\r\n끝\t""')).toEqual([
    ['첫 줄\n둘째\t줄', '그는 "네"라고'],
    ['끝', ''],
  ]);
});

test('STU-6 a quote that quotes no whole cell is an ordinary character', () => {
  expect(parsePastedRows('"하나" 둘\t"셋\n5" 대\t넷')).toEqual([
    ['"하나" 둘', '"셋'],
    ['5" 대', '넷'],
  ]);
});

test('STU-6 a byte order mark, wide spaces and zero-width characters do not count', () => {
  expect(parsePastedRows('\ufeff학번\t\u00a0성명\u3000\n0202\u200b1\t김\u00a0하늘')).toEqual([
    ['학번', '성명'],
    ['02021', '김 하늘'],
  ]);
});

test('STU-5 columns that are empty in every row are dropped at the end, and only there', () => {
  expect(parsePastedRows('a\t\tb\t\t\n1\t\t2\t\t\n3\t\t\t\t')).toEqual([
    ['a', '', 'b'],
    ['1', '', '2'],
    ['3', '', ''],
  ]);
  expect(parsePastedRows('a\tb\t\n1\t2\t3')).toEqual([
    ['a', 'b', ''],
    ['1', '2', '3'],
  ]);
});

test('STU-6 full-width forms become ASCII only where they are asked to', () => {
  expect(asciiText('２０２６－００１Ａ')).toBe('2026-001A');
  expect(asciiText('010–1234−5678')).toBe('010-1234-5678');
  expect(parsePastedRows('김１호')).toEqual([['김１호']]);
  expect(oneLine('컴퓨터\n  공학부')).toBe('컴퓨터 공학부');
});

test('STU-5 columns are found by their labels in any order, the first one wins', () => {
  const names = {
    id: ['학번', 'id'],
    name: ['성명', '이름'],
    email: ['이메일', 'E-mail'],
    tel: ['연락처'],
  };
  const fieldOf = fieldOfLabels(names);
  const columnsOf = (given: string[], below = [given]) =>
    firstColumns(given, given.map(fieldOf), names, below);
  const labels = ['E-MAIL', ' 성 명 ', '모름', '학\n번', '이름', '연락처(휴대폰)'];
  expect(columnsOf(labels)).toEqual({ email: 0, name: 1, id: 3, tel: 5 });
  // Of two columns the likelier name counts, and Korean letters before others.
  expect(columnsOf(['ID', '성명(영문)', '학번', '성명(한글)'])).toEqual({ id: 2, name: 3 });
  // The names of a form that nobody has filled in, and questions instead of labels.
  expect(columnsOf(['성명', '이름'], [['', '김가람']])).toEqual({ name: 1 });
  expect(columnsOf(['id', '학번을 입력하세요.', '성명을 적어 주세요'])).toEqual({ id: 1, name: 2 });
});

const cell = fc
  .string({ unit: fc.constantFrom('가', '0', 'a', '"', '\t', '\n', ' ', ',') })
  .map((text) => text.trim());
const quote = (text: string) => (/["\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

test('STU-6 what a spreadsheet writes is read back as it was, or flagged', () => {
  const table = fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }))
    .chain(([width, height]) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
        minLength: height,
        maxLength: height,
      }),
    )
    // Otherwise the empty rows and columns would be left out.
    .map((rows) => rows.map((cells, index) => [String(index), ...cells, '끝']));
  fc.assert(
    fc.property(table, fc.constantFrom('\n', '\r\n'), (rows, lineEnd) => {
      const text = rows.map((cells) => cells.map(quote).join('\t')).join(lineEnd);
      const read = readPastedText(text);
      // Lines and tabs inside a cell can look like rows (IMP-7).
      expect(read.doubtful.length > 0 ? rows : read.rows).toEqual(rows);
    }),
    options,
  );
});

test('STU-6 any text becomes rows with content and cells without space around them', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('"', '\t', '\n', '\r', 'x', ' '), maxLength: 200 }),
      (text) => {
        const rows = parsePastedRows(text);
        expect(rows.every((row) => row.some((cell) => cell !== ''))).toBe(true);
        expect(rows.flat().every((cell) => cell === cell.trim())).toBe(true);
      },
    ),
    options,
  );
});

test('STU-6 the work grows with the length of the text and not with its square', () => {
  const units = [
    '"',
    '""',
    '"""',
    '"x\t',
    '"\t',
    '""\t',
    '"""x\t',
    '"""\t',
    '"x\n',
    'x""\t"',
    ' ',
    '\t',
    '\u00a0',
  ];
  for (const unit of units) {
    const text = `"${unit.repeat(200_000 / unit.length)}`;
    expect(parsePastedRows(text).length, unit).toBeLessThan(200_000);
  }
});

test('ACC-5 STU-6 a file with commas is a table too, whatever its quoted cells hold', () => {
  const file =
    '\ufeff날짜,내용,금액\r\n2026-03-02,"회비, 3월","50,000"\r\n\r\n2026-03-05,"가\t""나""",-1\r\n';
  expect(parsePastedRows(file)).toEqual([
    ['날짜', '내용', '금액'],
    ['2026-03-02', '회비, 3월', '50,000'],
    ['2026-03-05', '가\t"나"', '-1'],
  ]);
});

test.each([
  ['가, 나\n다', [['가, 나'], ['다']]],
  ['1,234\n-12,345,678원', [['1,234'], ['-12,345,678원']]],
  [
    '회비\t50,000\n식비\t12,000',
    [
      ['회비', '50,000'],
      ['식비', '12,000'],
    ],
  ],
  [
    '"가,나"\t다\n"라,마"\t바',
    [
      ['가,나', '다'],
      ['라,마', '바'],
    ],
  ],
  ['홍길동\n김가람', [['홍길동'], ['김가람']]],
])('STU-6 a comma that separates nothing stays in its cell: %j', (text, rows) => {
  expect(parsePastedRows(text)).toEqual(rows);
});

test('STU-6 a picture made of joined ones stays whole, a joiner that joins none goes', () => {
  expect(parsePastedRows('👩‍🔬 백새봄 🏳️‍🌈 👩🏽‍🚀\t김\u200d하\u200c늘\u200d')).toEqual([
    ['👩‍🔬 백새봄 🏳️‍🌈 👩🏽‍🚀', '김하늘'],
  ]);
});

test('STU-6 ACC-5 what an export writes, with commas or tabs, is read back as it was, or flagged', () => {
  const part = fc.constantFrom(
    "'",
    '=',
    '-',
    '"',
    ',',
    '\t',
    '\n',
    ' ',
    '가',
    '1',
    '@',
    '＝',
    '\u200b',
    '👩‍🔬',
  );
  const text = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
  const table = fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 5 });
  const plain = (cells: readonly string[]) => cells.map((each) => each.replaceAll('\u200b', '').trim());
  fc.assert(
    fc.property(table, (cells) => {
      const rows = cells.map((row, index) => [String(index), ...row, '끝']);
      for (const written of [toCsv(rows), toTsv(rows)]) {
        const { rows: read, doubtful } = readPastedText(written);
        expect(doubtful.length > 0 ? rows.map(plain) : read).toEqual(rows.map(plain));
      }
    }),
    options,
  );
});
