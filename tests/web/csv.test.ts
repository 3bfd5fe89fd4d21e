import { phoneText } from '#contract/phone';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toCsv, toTsv } from '../../web/src/lib/csv.ts';
import { parsePaste } from '../../web/src/lib/paste-table.ts';

const options = { seed: 2026, numRuns: process.env['FULL'] === '1' ? 10_000 : 300 };

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
      expect(parsePaste(toTsv(rows))).toEqual(rows);
      // As a spreadsheet puts on the clipboard what it has read from the file.
      const copied = readCsv(toCsv(rows).slice(1)).map((cells) =>
        cells.map((text) => (/["\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join('\t'),
      );
      expect(parsePaste(copied.join('\r\n'))).toEqual(rows);
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
