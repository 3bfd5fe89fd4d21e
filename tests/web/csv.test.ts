import { phoneText } from '#contract/phone';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toCsv, toTsv } from '../../web/src/lib/csv.ts';
import { parsePastedRows } from '../../web/src/lib/paste-table.ts';
import { propertyRuns } from '../support/counts.ts';
import { words } from '../support/words.ts';

const options = propertyRuns(300, 10_000);

test('STU-11 a CSV begins with a byte order mark and quotes what has to be quoted', () => {
  expect(
    toCsv([
      ['이름', '비고'],
      ['김,하늘', '그는 "네"\n라고'],
      ['빈 칸', ''],
    ]),
  ).toBe('\ufeff이름,비고\r\n"김,하늘","그는 ""네""\n라고"\r\n빈 칸,\r\n');
});

test('STU-11 a text that a spreadsheet would run gets an apostrophe, a number does not', () => {
  for (const start of ['=', '+', '-', '@', '\t', '\r']) {
    expect(toCsv([[`${start}1`]]).replaceAll('"', ''), start).toBe(`\ufeff'${start}1\r\n`);
  }
  expect(toCsv([[-1]])).toBe('\ufeff-1\r\n');
  expect(toTsv([['=1+1', 'b\tc', 2]])).toBe('\'=1+1\t"b\tc"\t2');
});

/** What a spreadsheet shows of a cell of a file that it opens: a text, or what it took for a number or a month. */
function opened(cell: string): string {
  if (/^\d+(?:\.\d*)?(?:e[+-]?\d+)?$/i.test(cell)) return String(Number(Number(cell).toPrecision(15)));
  const months = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
  const day = new RegExp(
    `^(?:\\d{1,2}-?(?:${months})|(?:${months})-?\\d{1,4}|\\d{1,4}-\\d{1,2}|\\d{1,2}-\\d{4})$`,
    'i',
  );
  return day.test(cell) ? '45000' : cell;
}

test('STU-11 STU-16 a student number is the same after a spreadsheet has opened the file', () => {
  const parts = fc.constantFrom('0', '1', '9', 'e', 'E', '-', 'a', 'MAR', 'jan', '2026', '0000', '202612345');
  const ids = fc
    .array(parts, { minLength: 1, maxLength: 7 })
    .map((all) => all.join(''))
    .filter((id) => /^[0-9A-Za-z-]{4,20}$/.test(id));
  fc.assert(
    fc.property(ids, (id) => {
      const [[cell = ''] = []] = readCsv(toCsv([[id, '가']]).slice(1));
      expect(opened(cell)).toBe(cell);
      expect(parsePastedRows(`${cell}\t가`)).toEqual([[id, '가']]);
    }),
    propertyRuns(2000),
  );
});

test.each(words('00001234 1e10 12E-4 12345678901234567 2026-01 3-4 3/4 12-2026 MAR1 1-Dec 00.50'))(
  'STU-11 %s, which a spreadsheet would change, gets an apostrophe',
  (text) => {
    expect(toCsv([[text]])).toBe(`\ufeff'${text}\r\n`);
    expect(parsePastedRows(toTsv([[text, '가']]))).toEqual([[text, '가']]);
  },
);

test.each([
  '202612345',
  '0',
  '010-1234-5678',
  '02-123-4567',
  '02-1234-5678',
  '1577-1577',
  '2026-03-02',
  '87.5',
  'A0',
  '3학년',
  '8e',
  'May',
  'e10',
  '운영체제 2',
])('STU-11 %s stands in the file as it is', (text) => {
  expect(toCsv([[text]])).toBe(`\ufeff${text}\r\n`);
});

test('STU-11 a phone number keeps its leading zero', () => {
  expect(phoneText('01012345678')).toBe('010-1234-5678');
  expect(phoneText('0212345678')).toBe('02-1234-5678');
  expect(phoneText('0311234567')).toBe('031-123-4567');
  expect(phoneText('010-1234-5678')).toBe('010-1234-5678');
  for (const tel of ['+82 10 1234 5678', '+82-10-1234-5678', '+82 (0)10-1234-5678', '008210 1234 5678']) {
    expect(phoneText(tel)).toBe('010-1234-5678');
  }
  expect(phoneText('+82 2 123 4567')).toBe('02-123-4567');
  for (const tel of ['', '+1 212 555 0100', '1577-1577', '내선 123']) expect(phoneText(tel)).toBe(tel);
});

test('STU-11 whatever the cells hold, a reader of RFC 4180 gets them back, none beginning like a formula', () => {
  const cell = fc.string({
    unit: fc.constantFrom('"', ',', '\n', '\r', '\t', '=', '+', '-', '@', '가', 'a'),
  });
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(rows, (given) => {
      const read = readCsv(toCsv(given).slice(1));
      expect(read.map((cells) => cells.map((text) => text.replace(/^'(?=[=+\-@\t\r\n])/, '')))).toEqual(
        given,
      );
      expect(read.flat().some((text) => /^[=+\-@\t\r\n]/.test(text))).toBe(false);
    }),
    options,
  );
});

test('STU-11 STU-5 what was exported is imported unchanged, from the clipboard and through a spreadsheet', () => {
  const part = fc.constantFrom("'", '"', '=', '+82 10', '-', '@', ',', '가', 'a', '1', '\n', '＝', '＋', ';');
  const cell = fc
    .array(part, { maxLength: 5 })
    .map((parts) => parts.join('').trim())
    .filter((text) => !text.includes('\r'));
  // The first cell of a row holds something, as the name does, so that no row or column is dropped as empty.
  const row = fc.tuple(
    cell.map((text) => `가${text}`),
    cell,
    cell,
    cell.map((text) => `${text}나`),
  );
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
      expect(parsePastedRows(toTsv(rows))).toEqual(rows);
      // As a spreadsheet puts on the clipboard what it has read from the file.
      const copied = readCsv(toCsv(rows).slice(1)).map((cells) =>
        cells.map((text) => (/["\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join('\t'),
      );
      expect(parsePastedRows(copied.join('\r\n'))).toEqual(rows);
    }),
    options,
  );
});

function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  for (const [, row = ''] of text.matchAll(/((?:"(?:[^"]|"")*"|[^"\r\n])*)\r\n/g)) {
    const cells = [...row.matchAll(/(?<=^|,)("(?:[^"]|"")*"|[^",]*)/g)].map(([, cell = '']) => cell);
    rows.push(cells.map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)));
  }
  return rows;
}
