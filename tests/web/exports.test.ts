import * as fc from 'fast-check';
import { globSync, readFileSync } from 'node:fs';
import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { type Column, sortRowsByColumn, type SortOrder } from '../../web/src/components/table-column.ts';
import { dueColumns } from '../../web/src/features/ledger/dues/due-columns.tsx';
import { EntryLine } from '../../web/src/features/ledger/book/timeline-lines.tsx';
import { StatementSheet } from '../../web/src/features/ledger/report/statement-sheet.tsx';
import { duesCsv, shownDues } from '../../web/src/features/ledger/dues/dues-list.ts';
import { ledgerCsv } from '../../web/src/features/ledger/report/ledger-csv.ts';
import { ledgerKind } from '../../web/src/features/ledger/import/ledger-kind.ts';
import { termStatement, termOf } from '../../web/src/features/ledger/totals.ts';
import { signedWonText } from '../../web/src/features/ledger/labels.ts';
import { csvUrl } from '../../web/src/features/plants/queries.ts';
import { RANGES } from '../../web/src/features/plants/range.ts';
import { studentColumns } from '../../web/src/features/students/list/student-columns.tsx';
import { emailList, studentsCsv, studentsTsv } from '../../web/src/features/students/list/student-table.ts';
import { exportFileName } from '../../web/src/features/students/list/export-dialog.tsx';
import { type EntryWithBalance, withBalances } from '../../contract/ledger.ts';
import { parsePastedRows } from '../../web/src/lib/paste-table.ts';
import { propertyRuns } from '../support/counts.ts';
import { readImport } from '../support/read-import.ts';

/* What is on screen is what comes out: each way out of the site against its screen. */

const options = propertyRuns(60, 2000);
const TODAY = '2026-11-22';
const TERM = { year: 2026, semester: 2 } as const;

/** Every file by which something leaves the site, how, and what holds it against its screen. */
const ways: Record<string, { how: string[]; heldBy: string }> = {
  'users/components/reviews-tab.tsx': { how: ['print'], heldBy: 'USER-6 in tests/e2e/log-reviews.test.ts' },
  'users/queries.ts': { how: ['file'], heldBy: 'USER-6 in tests/web/users-review-csv.test.ts' },
  'courses/components/list-tab.tsx': { how: ['print'], heldBy: 'WORK-7 in tests/e2e/printed.test.ts' },
  'health/bridges/board-dialog.tsx': { how: ['file'], heldBy: 'a board’s own files, of nobody' },
  'health/bridges/key-dialog.tsx': { how: ['clipboard'], heldBy: 'a bridge’s key, of nobody' },
  'login/sign-in-button.tsx': { how: ['clipboard'], heldBy: 'the address of the page' },
  'ledger/book/book-tab.tsx': { how: ['print'], heldBy: 'WORK-7 in tests/e2e/printed.test.ts' },
  'ledger/dues/dues-tab.tsx': {
    how: ['file', 'print'],
    heldBy: 'the dues, and WORK-7 in tests/e2e/printed.test.ts',
  },
  'ledger/report/report-tab.tsx': { how: ['file', 'print'], heldBy: 'the account' },
  'ledger/book/receipts-dialog.tsx': {
    how: ['link'],
    heldBy: 'ACC-8 in tests/e2e/ledger-books.test.ts',
  },
  'plants/components/hidden-plants.tsx': { how: ['link'], heldBy: 'PLT-13 in tests/e2e/plants.test.ts' },
  'plants/screen.tsx': { how: ['link'], heldBy: 'the plants, and PLT-4 in tests/worker/plants-csv.test.ts' },
  'landing/components/contact.tsx': { how: ['clipboard'], heldBy: 'PUB-18 in tests/e2e/shell.test.ts' },
  'publications/components/publication-entry.tsx': {
    how: ['clipboard'],
    heldBy: 'PUB-20 in tests/e2e/publications.test.ts',
  },
  'publications/screen.tsx': { how: ['link'], heldBy: 'PUB-20 in tests/e2e/publications.test.ts' },
  'scores/print/university-form-dialog.tsx': {
    how: ['clipboard'],
    heldBy: 'SCO-16 in tests/web/scores-copied-column.test.ts',
  },
  'scores/print/gradebook-dialog.tsx': {
    how: ['file'],
    heldBy: 'SCO-13 in tests/web/gradebook.test.ts',
  },
  'scores/print/printed-class.tsx': { how: ['print'], heldBy: 'SCO-14 in tests/e2e/scores-weights.test.ts' },
  'scores/toolbar.tsx': { how: ['clipboard'], heldBy: 'SCO-5 in tests/web/scores-work.test.ts' },
  'students/list/export-dialog.tsx': {
    how: ['clipboard', 'file', 'print'],
    heldBy: 'the students, and STU-18 in tests/e2e/printed.test.ts',
  },
  'students/queries.ts': { how: ['file'], heldBy: 'the answer of the API as it is' },
  'students/pictures/pictures-tab.tsx': {
    how: ['print'],
    heldBy: 'SEC-105 in tests/e2e/students-pictures.test.ts',
  },
  'subjects/components/week-view.tsx': { how: ['print'], heldBy: 'its own page, which is printed' },
};

const signs: Record<string, RegExp> = {
  clipboard: /clipboard\s*\.write|copyTextWithToast\(|copyToClipboard\(/,
  file: /saveFile\(/,
  link: /\sdownload(?==|>|\s)/,
  print: /\bprint(?:Whole)?\(\)/,
};

test('ACC-9 PLT-4 SCO-5 STU-11 every way out of the site is listed here with what holds it against its screen', () => {
  const found: Record<string, string[]> = {};
  for (const path of globSync('web/src/features/**/*.{ts,tsx}')) {
    const text = readFileSync(path, 'utf8');
    const how = Object.keys(signs).filter((name) => signs[name]?.test(text));
    if (how.length > 0) found[path.replace('web/src/features/', '')] = how;
  }
  expect(found).toEqual(Object.fromEntries(Object.entries(ways).map(([path, { how }]) => [path, how])));
});

/** Of a cell, without what a phone shows below it in place of other columns. */
const textOf = (node: ReactNode) =>
  plainText(
    renderToStaticMarkup(createElement('p', null, node)).replace(
      /<(?:span|div) data-aside="true"[^>]* sm:hidden.*$/s,
      '',
    ),
  );

const plainText = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The texts of these columns in each row, as the screen shows them. */
const shownIn = <Row>(columns: readonly Column<Row>[], keys: readonly string[], rows: readonly Row[]) =>
  rows.map((row) => keys.map((key) => textOf(columns.find((each) => each.key === key)?.cell(row))));

/** The cells of a file, as a spreadsheet reads them. */
function cellsOf(text: string, separator: ',' | '\t'): string[][] {
  const rows: string[][] = [];
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\r\n]*))(${separator}|\r\n|$)`, 'gy');
  let row: string[] = [];
  for (const [, quoted, plain = '', end] of text.replace(/^\ufeff/, '').matchAll(cell)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === separator) continue;
    if (row.length > 1) rows.push(row);
    row = [];
  }
  return rows;
}

const orders = (columns: readonly { key: string; sortValue?: unknown }[]): (SortOrder | undefined)[] => [
  undefined,
  ...columns
    .filter(({ sortValue }) => sortValue)
    .flatMap(({ key }) => [
      { key, direction: 'ascending' as const },
      { key, direction: 'descending' as const },
    ]),
];

/** Words without what a spreadsheet would run, which the file keeps from running. */
const words = fc
  .array(fc.constantFrom('회비', '김민', '김민수', '복사 용지', '12', 'a,b', '"x"', "가'나", '·'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(' '));
const noon = (ahead: number) =>
  `${new Date(Date.parse(TODAY) + ahead * 86_400_000).toISOString().slice(0, 10)}T13:00:00`;
const accounts = fc
  .array(
    fc.record({
      datetime: fc.integer({ min: -500, max: 400 }).map(noon),
      amount: fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }).filter((won) => won !== 0),
      description: words,
      category: fc.constantFrom('', '다과', '사무용품'),
    }),
    { maxLength: 30 },
  )
  .map((rows) =>
    withBalances(
      rows
        .toSorted((a, b) => (a.datetime < b.datetime ? 1 : -1))
        .map((row, at) => Object.assign({ id: rows.length - at, version: 1 }, row)),
    ),
  );
const ignored = () => undefined;

describe('the account', () => {
  /** The cells of an entry's row, without what only phones show. */
  const shownOf = (entry: EntryWithBalance) => {
    const row = renderToStaticMarkup(
      createElement(EntryLine, {
        entry,
        today: TODAY,
        counts: new Map(),
        isActive: false,
        isChosen: undefined,
        isFixed: false,
        ariaIndex: 2,
        onOpen: ignored,
        onReceipts: ignored,
        onDelete: ignored,
        onFlip: ignored,
        onFocus: ignored,
        onStep: ignored,
      }),
    ).replaceAll(/<span data-aside="true"[^>]*(?:@2xl|@4xl):hidden[^>]*>[^<]*<\/span>/g, '');
    return [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/g)]
      .map(([, cell = '']) => plainText(cell))
      .slice(0, 5);
  };

  test('ACC-9 as CSV is the timeline from its other end, and the import reads it back', async () => {
    await fc.assert(
      fc.asyncProperty(accounts, async (entries) => {
        const [header = [], ...lines] = cellsOf(ledgerCsv(entries, TODAY), ',');
        expect(header).toEqual(['날짜', '구분', '내용', '분류', '금액', '잔액', '비고']);
        const cells = lines.map(([date, type, description, category, amount, balance, mark]) => [
          `${date?.replaceAll('-', '.')} ${mark}`.trim(),
          `${type} ${description}`,
          signedWonText(Number(amount)),
          `${BigInt(balance ?? 0).toLocaleString('ko-KR')}원`,
          category === '' ? '분류 없음' : category,
        ]);
        expect(cells).toEqual(entries.toReversed().map(shownOf));
        const text = [header, ...lines].map((line) => line.map(quoted).join('\t')).join('\r\n');
        const kind = ledgerKind(parsePastedRows(text), { today: TODAY, year: undefined });
        const { good } = await readImport(kind, text);
        expect(good.map(({ entry }) => entry)).toEqual(
          entries.toReversed().map(({ amount, datetime, description, category }) => ({
            amount,
            datetime,
            description,
            category,
          })),
        );
      }),
      options,
    );
  });

  const quoted = (cell: string) => (/["\t\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

  test('ACC-9 as a statement is the same on screen, on paper and as CSV, for every semester', () => {
    fc.assert(
      fc.property(accounts, (entries) => {
        for (const term of new Map(
          entries.map((entry) => [JSON.stringify(termOf(entry)), termOf(entry)]),
        ).values()) {
          const statement = termStatement(entries, TODAY, term);
          const sheet = renderToStaticMarkup(createElement(StatementSheet, { statement, today: TODAY }));
          const rows = [...sheet.matchAll(/<tr class="break-inside[^>]*>(.*?)<\/tr>/g)].map(([, row = '']) =>
            [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => cell.trim()),
          );
          const lines = cellsOf(ledgerCsv(statement.entries.toReversed(), TODAY), ',').slice(1);
          expect(rows).toEqual(
            lines.map(([date, type, description, category, amount, balance, mark]) => [
              `${date?.replaceAll('-', '.')} ${mark}`.trim(),
              type,
              renderToStaticMarkup(createElement('i', null, description)).slice(3, -4),
              category,
              signedWonText(Number(amount)),
              `${BigInt(balance ?? 0).toLocaleString('ko-KR')}원`,
            ]),
          );
        }
      }),
      options,
    );
  });
});

test('ACC-10 the dues as CSV are the table in the order in which it stands', () => {
  const columns = dueColumns(ignored);
  const people = fc.array(fc.record({ name: words, isUser: fc.boolean(), paid: fc.nat(40) }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(accounts, people, (entries, persons) => {
      const dues = persons.map(({ name, isUser, paid }, at) => ({
        id: at + 1,
        user_id: isUser ? at + 1 : null,
        name,
        entry_id: entries[paid]?.id ?? null,
        amount: null,
      }));
      const shown = shownDues({ dues, payments: [] }, entries);
      for (const order of orders(columns)) {
        const rows = sortRowsByColumn(shown, columns, order);
        const lines = cellsOf(duesCsv(rows, TERM), ',').slice(1);
        expect(
          lines.map(([, name, state, date, amount, description]) => [
            name,
            state,
            date === '' ? '' : `${date} ${signedWonText(Number(amount))} ${description}`,
          ]),
        ).toEqual(shownIn(columns, ['name', 'state', 'entry'], rows));
      }
    }),
    options,
  );
});

describe('the students', () => {
  const columns = studentColumns({
    isClass: true,
    isBusy: false,
    onEdit: ignored,
    onDelete: ignored,
    onLeave: ignored,
  });
  const tels = fc.constantFrom('', '010-1234-5678', '02-123-4567', '031-123-4567');
  const students = fc.uniqueArray(
    fc.record({
      name: words,
      id: fc.oneof(
        fc.integer({ min: 10_000_000, max: 2_147_483_647 }).map(String),
        fc.constantFrom('00001234', '0000', '1e10', '2026-01', 'MAR1', '12345678901234567890'),
      ),
      department: fc.oneof(fc.constant(''), words),
      tel: tels,
      email: fc.constantFrom('', 'kim@lab.test'),
      no: fc.nat(5000),
      year: fc.nat(6),
      type: fc.constantFrom('', '재학', '휴학'),
      subjects: fc.array(words, { maxLength: 3 }),
      picture: fc.constant(false),
      version: fc.constant(1),
    }),
    { maxLength: 12, selector: ({ id }) => id },
  );
  const bare = (text = '') => text.replace(/^'/, '');

  test('STU-11 STU-16 as CSV and as copied table are the list in the order in which it stands', () => {
    fc.assert(
      fc.property(students, (rows) => {
        for (const order of orders(columns)) {
          const sorted = [...sortRowsByColumn(rows, columns, order)];
          const keys = ['no', 'name', 'id', 'department', 'year', 'type', 'contact'];
          const shown = shownIn(columns, keys, sorted);
          for (const [text, separator] of [
            [studentsCsv(sorted), ','],
            [studentsTsv(sorted), '\t'],
          ] as const) {
            expect(
              cellsOf(text, separator)
                .slice(1)
                .map(([no, id, name, department, year, type, tel, email]) => [
                  no,
                  bare(name),
                  bare(id),
                  bare(department),
                  year,
                  type,
                  [tel, email].filter((part) => part !== '').join(' · '),
                ]),
            ).toEqual(shown);
          }
        }
      }),
      options,
    );
  });

  test('STU-14 the addresses of a class are those that a mail reaches, each once; the others are named', () => {
    const someone = {
      id: '202600001',
      department: '',
      tel: '',
      no: 1,
      year: 1,
      type: '',
      subjects: [],
      picture: false,
      version: 1,
    };
    const of = (name: string, email: string) => ({ ...someone, name, email });
    const { addresses, without } = emailList([
      of('홍길동', 'hong@univ.test'),
      of('김하늘', ''),
      of('이든', 'not-an-email'),
      of('홍길동', 'Hong@univ.test'),
      of('윤슬', 'yun@univ.test'),
    ]);
    expect(addresses).toEqual(['Hong@univ.test', 'yun@univ.test']);
    expect(without.map(({ name }) => name)).toEqual(['김하늘', '이든']);
  });

  test('STU-16 the file is named after the class, whatever its subject is called', () => {
    const named = (subject: string) => exportFileName({ year: 2026, semester: 1, subject });
    expect(exportFileName(undefined)).toBe('학생 명단 전체.csv');
    expect(named('운영체제')).toBe('학생 명단 2026년 1학기 운영체제.csv');
    expect(named('C/C++: "시작"')).toBe('학생 명단 2026년 1학기 C C++ 시작 .csv');
  });
});

describe('the plants', () => {
  const shown = { from: Date.parse('2026-03-02T00:10:00Z'), to: Date.parse('2026-03-02T05:00:00Z') };
  const asked = (address = '') => new URL(address, 'http://lab.test').searchParams;

  test.each(RANGES.flatMap(({ name }) => [undefined, shown].map((stretch) => [name, stretch] as const)))(
    'PLT-4 as CSV are those and the stretch that the chart of %s shows, chosen as %j',
    (range, stretch) => {
      for (const plants of [undefined, ['fern'], ['fern', '화분 2'], ['a&plant=b', '%2F', '+', '🌱']]) {
        const query = asked(csvUrl({ range, stretch, plants }, shown));
        expect(query.getAll('plant')).toEqual(plants ?? []);
        expect(query.get('to')).toBe('2026-03-02T05:00:00.000Z');
        const isOpen = range === 'all' && stretch === undefined;
        expect(query.get('from')).toBe(isOpen ? null : '2026-03-02T00:10:00.000Z');
      }
    },
  );

  test('PLT-4 of which none is shown are no file', () => {
    expect(csvUrl({ range: '7d', plants: [] }, shown)).toBeUndefined();
  });
});
