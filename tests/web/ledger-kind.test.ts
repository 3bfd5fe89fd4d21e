import { seoulDay } from '#contract/time';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AMOUNT_MAX,
  allowedEntryDates,
  datetimeOf,
  ledgerEntryFormSchema,
  withBalances,
} from '../../contract/ledger.ts';
import { termDays, termOfDay } from '../../contract/terms.ts';
import { ledgerCsv } from '../../web/src/features/ledger/report/ledger-csv.ts';
import {
  findDuplicates,
  missingEntries,
  oldestFirst,
  storedLines,
} from '../../web/src/features/ledger/import/import-plan.ts';
import { ledgerKind, readStatementRow } from '../../web/src/features/ledger/import/ledger-kind.ts';
import { parsePastedRows } from '../../web/src/lib/paste-table.ts';
import { propertyRuns } from '../support/counts.ts';
import { readImport } from '../support/read-import.ts';
import { words } from '../support/words.ts';

const options = propertyRuns(300, 10_000);

/** Before the end of the year that the days without one get. */
const TODAY = '2026-11-22';
/** The rows of a paste, each with its entry or with what is wrong by field. */
async function read(text: string, today = TODAY) {
  const kind = ledgerKind(parsePastedRows(text), { today, year: undefined });
  const { rows, columns } = await readImport(kind, text);
  if (columns.missing.some(({ presence }) => presence === 'required')) return [];
  return rows.map(({ line, row, errors }) => ({
    line,
    entry: row?.entry,
    problems: Object.fromEntries(errors.map(({ field = 'row', reason }) => [field, reason])),
  }));
}
const readable = async (text: string) =>
  (await read(text)).flatMap(({ line, entry }) => (entry ? [{ line, entry }] : []));

/** Whether a row is an entry only after somebody ticked it. */
async function leftOut(row: string, header = '날짜\t내용\t금액') {
  const text = `${header}\n${row}`;
  const { rows } = await readImport(
    ledgerKind(parsePastedRows(text), { today: TODAY, year: undefined }),
    text,
  );
  expect(rows[0]?.errors).toEqual([]);
  expect(rows[0]?.row?.isLeftOut).toBe((rows[0]?.doubts.length ?? 0) > 0);
  return rows[0]?.row?.isLeftOut;
}

const TABLE = '2026-03-02\t3월 회비\t50,000\n3월 5일\t복사 용지\t(12,000)\n';

describe('a pasted table', () => {
  test.each([
    ['without a header', TABLE],
    ['with one', `날짜\t내용\t금액\n${TABLE}`],
    [
      'with one in another order',
      '금액\t일자\t적요\n50,000\t2026-03-02\t3월 회비\n△12,000원\t3월 5일\t복사 용지',
    ],
    [
      'with more columns',
      '번호\t거래일시\t적요\t거래금액\t잔액\n1\t2026.03.02 09:11\t3월 회비\t50000\t1\n2\t26/3/5\t복사 용지\t-12000\t2',
    ],
    [
      'as a bank exports it, what came in and what went out in columns of their own',
      '거래일시\t적요\t출금액(원)\t입금액(원)\t잔액\n2026.03.02 09:11\t3월 회비\t0\t50,000\t1\n2026.03.05\t복사 용지\t12,000\t\t2',
    ],
    [
      'as a bank exports it, the sign in a column of its own',
      '거래일자\t구분\t거래금액\t내용\n2026-03-02\t입금\t50,000\t3월 회비\n2026-03-05\t출금\t12,000\t복사 용지',
    ],
    [
      'as a file with commas',
      '날짜,내용,금액\n2026-03-02,3월 회비,"50,000"\n"3월 5일","복사 용지","(12,000)"\n',
    ],
    ['with commas and without a header', '2026-03-02,3월 회비,50000\n2026.3.5,복사 용지,"-12,000"'],
    ['as Excel on Windows copies it', `\ufeff${TABLE.replaceAll('\n', '\r\n')}\r\n`],
  ])('ACC-5 is read %s', async (_, text) => {
    expect((await read(text)).map(({ entry }) => entry)).toEqual([
      { amount: 50_000, datetime: '2026-03-02T13:00:00', description: '3월 회비', category: '' },
      { amount: -12_000, datetime: '2026-03-05T13:00:00', description: '복사 용지', category: '' },
    ]);
  });

  test('ACC-12 a KB-style export keeps its payees, under title lines and with a row of totals', async () => {
    const text = [
      '거래내역조회',
      '계좌번호\t000000-00-000000\t조회기간\t2026.03.01 ~ 2026.03.31',
      '',
      '거래일시\t적요\t보낸분/받는분\t송금메모\t출금액\t입금액\t잔액\t거래점\t구분',
      '2026.03.02 09:11:33\t체크카드\t학교문구\t\t12,000\t0\t88,000\tKB카드\t',
      '2026.03.02 10:20:00\t인터넷\t가람\t3월 회비\t0\t50,000\t138,000\t본점\t',
      '2026.03.03 10:20:00\t오픈뱅킹\t나래\t\t0\t50,000\t188,000\t본점\t',
      '합계\t\t\t\t12,000\t100,000\t\t\t',
    ].join('\n');
    const rows = await read(text);
    expect(rows.map(({ entry }) => entry && [entry.amount, entry.description])).toEqual([
      [-12_000, '학교문구 (체크카드)'],
      [50_000, '가람 3월 회비 (인터넷)'],
      [50_000, '나래 (오픈뱅킹)'],
      undefined,
    ]);
  });

  test('IMP-9 a minus before what went out says it twice', async () => {
    const [row] = await read('날짜\t내용\t입금\t출금\n2026-03-02\t간식\t\t-12,000');
    expect(row).toMatchObject({ entry: { amount: -12_000 } });
  });

  test.each([
    ['날짜\t내용\t입금\t출금', '1,000\t2,000', 'deposit'],
    ['날짜\t내용\t입금\t출금', '-1,000\t', 'deposit'],
    ['날짜\t내용\t입금\t출금', '-1,000\t-1,000', 'deposit'],
    ['날짜\t내용\t입금\t출금', '\t천원', 'withdrawal'],
    ['날짜\t내용\t입금\t출금', '-\t', 'deposit'],
    ['날짜\t내용\t입금\t출금', '0\t0', 'deposit'],
    ['날짜\t내용\t금액\t구분', '-1,000\t입금', 'amount'],
    ['날짜\t내용\t금액\t구분', '+1,000\t출금', 'amount'],
  ])(
    'ACC-6 of columns that contradict each other nothing is guessed: %j, %j',
    async (header, cells, field) => {
      const [row] = await read(`${header}\n2026-03-02\t회비\t${cells}`);
      expect(row).toEqual({ line: 1, problems: { [field]: expect.any(String) } });
    },
  );

  test('ACC-5 an amount that already has its sign keeps it beside the word for it', async () => {
    const [row] = await read('날짜\t내용\t금액\t구분\n2026-03-02\t복사\t-12,000\t출금');
    expect(row?.entry?.amount).toBe(-12_000);
  });

  test.each([
    ['one taken back', ['-10,000\t', '3,000\t'], [10_000, -3000]],
    ['all with a minus', ['-10,000\t', '-3,000\t'], [-10_000, -3000]],
    ['brackets among plain ones', ['(10,000)\t', '3,000\t'], [10_000, -3000]],
    ['a deposit taken back', ['\t-10,000', '\t50,000'], [-10_000, 50_000]],
  ])(
    'IMP-9 in two columns of amounts a minus among others takes a payment back: %s',
    async (_, cells, amounts) => {
      const text = ['날짜\t내용\t출금\t입금', ...cells.map((cell) => `2026-10-20\t간식\t${cell}`)].join('\n');
      expect((await read(text)).map(({ entry }) => entry?.amount)).toEqual(amounts);
    },
  );

  test.each([
    ['goes down', ['50,000\t-\t50,000', '\t-12,000\t38,000', '0\t3,000\t35,000', '-5,000\t\t30,000']],
    ['goes up', ['\t10,000\t40,000', '\t-10,000\t50,000', '\t5,000\t45,000']],
  ])(
    'IMP-9 what a minus in the column of withdrawals means, a balance that %s says, in either order',
    async (way, cells) => {
      const amounts = way === 'goes down' ? [50_000, -12_000, -3000, -5000] : [-10_000, 10_000, -5000];
      const text = (rows: string[]) =>
        ['날짜\t내용\t입금\t출금\t잔액', ...rows.map((row) => `2026-10-20\t간식\t${row}`)].join('\n');
      const amountsOf = async (rows: string[]) => (await read(text(rows))).map(({ entry }) => entry?.amount);
      expect(await amountsOf(cells)).toEqual(amounts);
      expect(await amountsOf(cells.toReversed())).toEqual(amounts.toReversed());
    },
  );

  test('IMP-9 a word that says neither deposit nor withdrawal gives an amount without a sign none', async () => {
    const words = ['입금', '출금', '출금취소', '입금 취소', '이체', '', '카드'];
    const text = ['날짜\t구분\t내용\t금액', ...words.map((word) => `2026-11-10\t${word}\t간식\t1,000`)].join(
      '\n',
    );
    expect((await read(text)).map(({ entry }) => entry?.amount)).toEqual([
      1000,
      -1000,
      1000,
      -1000,
      undefined,
      undefined,
      undefined,
    ]);
    const signed = '날짜\t구분\t내용\t금액\n2026-11-10\t이체\t간식\t-1,000\n2026-11-10\t출금\t간식\t1,000';
    expect((await read(signed)).map(({ entry }) => entry?.amount)).toEqual([-1000, -1000]);
    const groups = '날짜\t구분\t내용\t금액\n2026-11-10\t식비\t간식\t1,000';
    expect((await read(groups)).map(({ entry }) => entry?.amount)).toEqual([1000]);
  });

  test.each([
    [
      'words of a household book',
      '구분\t내용\t금액',
      ['수입\t회비\t50,000', '지출\t간식\t12,000'],
      [50_000, -12_000],
    ],
    [
      'words with a minus only where money came back',
      '구분\t내용\t금액',
      ['지출\t용지\t32,500', '지출\t용지 반품\t-12,000', '지출\t간식\t4,300'],
      [-32_500, 12_000, -4300],
    ],
    [
      'words with a minus where a payment was given back',
      '구분\t내용\t금액',
      ['입금\t회비\t50,000', '입금\t회비 반환\t-5,000', '출금\t간식\t4,300'],
      [50_000, -5000, -4300],
    ],
    [
      'words that their only amounts contradict',
      '구분\t내용\t금액',
      ['입금\t회비\t-5,000', '출금\t간식\t4,300'],
      [undefined, -4300],
    ],
    [
      'words with a minus before each payment',
      '구분\t내용\t금액',
      ['수입\t회비\t50,000', '지출\t간식\t-12,000'],
      [50_000, -12_000],
    ],
    [
      'signs and not the words of a household book',
      '분류\t내용\t금액',
      ['수입\t회비\t50,000', '식비\t간식\t-12,000', '기타\t이자\t300'],
      [50_000, -12_000, 300],
    ],
    [
      'words of either way',
      '내용\t금액\t비고',
      ['회비\t50,000\tDebit', '간식\t12,000\tCredit'],
      [undefined, undefined],
    ],
    [
      'signs beside them',
      '내용\t금액\t비고',
      ['회비\t+50,000\tDebit', '간식\t-12,000\tCredit'],
      [50_000, -12_000],
    ],
    [
      'a section of each',
      '내용\t금액',
      ['회비\t50,000', '\t', '지출\t', '간식\t12,000'],
      [undefined, undefined, undefined],
    ],
  ])(
    'IMP-9 an amount without a sign is money out where %s say so, and asked where it is open',
    async (_, header, rows, amounts) => {
      const text = [
        `날짜\t${header}`,
        ...rows.map((row) => (/\d/.test(row) ? `2026-11-10\t${row}` : `\t${row}`)),
      ].join('\n');
      expect((await read(text)).map(({ entry }) => entry?.amount)).toEqual(amounts);
    },
  );

  test.each([
    [['2026년 지출 내역', '', ''], [], undefined],
    [['법인카드 사용내역', '', ''], [], undefined],
    [['2026년 회비 내역', '', ''], [], 12_000],
    [['입출금 내역', '', ''], [], 12_000],
    [['', '', ''], ['수입·지출 2026.xlsx', 'Sheet1'], 12_000],
    [['', '', ''], ['집행내역_2026.xlsx', 'Sheet1'], undefined],
    [['', '', ''], ['내역.xlsx', '지출'], undefined],
    [['', '', ''], ['수입.xlsx', 'Sheet1'], 12_000],
  ])('IMP-9 under the title %j, in the file and sheet %j, 12,000 is %s', async (title, names, amount) => {
    const rowsOf = (other: string) => [
      title,
      ['날짜', '내용', '금액'],
      ['2026-11-10', '간식', '12,000'],
      ['2026-11-11', '커피', other],
    ];
    const amountsOf = async (other: string) => {
      const table = rowsOf(other).filter((row) => row.some(Boolean));
      const kind = ledgerKind(table, { today: TODAY, year: undefined, names });
      return (await readImport(kind, { rows: table, doubtful: [] })).rows.map(({ row }) => row?.entry.amount);
    };
    expect((await amountsOf('3,000'))[0]).toBe(amount);
    // Where one has a sign, those without are deposits; under 지출 it may be money that came back.
    const signed = amount === undefined ? [undefined, undefined] : [12_000, -3000];
    expect(await amountsOf('-3,000')).toEqual(signed);
    expect(await amountsOf('+3,000')).toEqual([amount === undefined ? 12_000 : amount, 3000]);
  });

  test.each([
    ['a title', ['11월 지출 내역', '날짜\t내용\t금액'], ['12,000', '43,000', '-12,000'], 3],
    ['a section', ['날짜\t내용\t금액', '<수입>\t\t'], ['50,000', '<지출>', '12,000', '33,000'], 3],
    ['a table below', ['입금 내역', '날짜\t내용\t금액'], ['50,000', '출금 내역', '12,000'], 2],
    ['a column of signs', ['날짜\t내용\t±\t금액'], ['+\t50,000', '-\t12,000'], 2],
    ['the label of a column', ['날짜\t내용\t금액\t지출방법'], ['12,000\t카드', '3,000\t현금'], 2],
  ])(
    'IMP-9 amounts that are money out by %s are asked, not stored as deposits',
    async (_, head, amounts, open) => {
      const lines = amounts.map((amount) =>
        /^[<가-힣]/.test(amount) ? `${amount}\t\t` : `2026-11-10\t간식\t${amount}`,
      );
      const rows = await read([...head, ...lines].join('\n'));
      expect(
        rows.filter(({ problems }) => !problems['date'] && problems['amount']?.startsWith('입금인지')).length,
      ).toBe(open);
      expect(rows.filter(({ entry }) => entry !== undefined)).toEqual([]);
    },
  );

  test.each([
    ['날짜\t내용\t금액(1,000원)', '2026-11-10\t간식\t50'],
    ['날짜\t내용\t금액(x1000)', '2026-11-10\t간식\t50'],
    ["Date\tDescription\tAmount (KRW '000)", '2026-11-10\t간식\t50'],
    ['날짜\t내용\t금액\t단위', '2026-11-10\t간식\t50\t천원'],
    ['날짜\t내용\t금액', '2026-11-10\t회비 (단위 천원)\t50'],
    ['날짜\t내용\t금액\t환율', '2026-11-10\tAWS\t12\t1,400'],
  ])('IMP-9 an amount that is not in won is not stored as won: %s', async (header, row) => {
    const [read1] = await read(`${header}\n${row}`);
    expect(read1?.entry).toBeUndefined();
  });

  test('IMP-9 a payee that is only a number is named: its column may be one of amounts', async () => {
    const text = '2026-03-02\t50000\t12000';
    const { rows } = await readImport(
      ledgerKind(parsePastedRows(text), { today: TODAY, year: undefined }),
      text,
    );
    expect(rows.at(-1)?.doubts.map(({ reason }) => reason)).toContain(
      '거래 상대가 숫자뿐입니다. 열을 확인하세요',
    );
  });

  test('IMP-9 a balance below zero is no sign of an amount under the title 지출', async () => {
    const text = '지출 내역\n날짜\t내용\t금액\t잔액\n2026-11-10\t간식\t12,000\t-3,000';
    expect((await read(text)).map(({ entry }) => entry?.amount)).toEqual([undefined]);
  });

  test('IMP-9 sums, balances carried over and days to come are left out until somebody ticks them', async () => {
    const sums = [
      '소계',
      '누계',
      '월계',
      '합 계',
      '총계',
      '전월이월',
      '차기이월',
      '이월',
      '10월 이월금',
      '전년도 이월 잔액',
      '월말 잔액',
      '현재 잔액',
      '남은 돈',
      '합 계 (3건)',
      '총 수입',
      '수입 총액',
      '1학기 결산',
      '기초 금액',
      'Σ',
      'B/F',
      'Carried over',
      'TOTAL AMOUNT',
      'Balance',
      '< 누 계 >',
      '전일잔액',
      '3월 합계',
      '지출 총계',
      '1/4분기 소계:',
      'Total',
      'Sub-total',
      'Balance forward',
      'Opening balance',
    ];
    for (const words of sums) expect(await leftOut(`2026-11-02\t${words}\t-10,000`), words).toBe(true);
    for (const words of [
      '회계 회비',
      '월계동 답사',
      '이월드 입장권',
      '결산 회식',
      '잔액 환불',
      '계란',
      '합계동',
      'Total Wine',
      '시계',
    ])
      expect(await leftOut(`2026-11-02\t${words}\t-10,000`), words).toBe(false);
    expect(await leftOut('2026-11-22\t간식\t-10,000')).toBe(false);
    expect(await leftOut('2026-11-23\t간식\t-10,000')).toBe(true);
  });

  test('IMP-9 an amount whose comma made two cells is never taken for its first part', async () => {
    const text = (rows: string) =>
      parsePastedRows(rows, { isCsv: true })
        .map((row) => row.join('\t'))
        .join('\n');
    const two = await read(
      text('날짜,내용,출금,입금\n2026-11-01,간식,12,000\n2026-11-02,커피,12,345\n2026-11-03,책,500,'),
    );
    expect(two.map(({ entry }) => entry?.amount)).toEqual([undefined, undefined, -500]);
    const header = '날짜,내용,금액,비고';
    for (const cells of ['-12,000', '-1,234', '3,005'])
      expect(await leftOut(text(`2026-11-01,간식,${cells}`), text(header)), cells).toBe(true);
    for (const cells of ['-12000,', '-500,3월', '-500,1234', '"-1,234",567'])
      expect(await leftOut(text(`2026-11-01,간식,${cells}`), text(header)), cells).toBe(false);
  });

  test('ACC-6 names what is wrong by row, and a mended row is read again', async () => {
    expect(await read('2026-02-30\t\t12,00\n2026-03-02\t회비\t0')).toEqual([
      { line: 1, problems: { date: expect.any(String), amount: expect.any(String) } },
      { line: 2, problems: { amount: '금액은 0보다 커야 합니다' } },
    ]);
    const cells: Record<string, string> = { date: '2월 28일', description: '회비', amount: '12,000' };
    const mended = readStatementRow((field) => cells[field] ?? '', {
      today: TODAY,
      year: undefined,
      orderOf: () => 'ymd',
      saysDirection: false,
      years: new Set(),
      won: 1,
      signs: {
        deposit: undefined,
        withdrawal: undefined,
        spent: undefined,
        received: undefined,
        isSpending: false,
      },
    });
    expect(mended).toMatchObject({ row: { entry: { datetime: '2026-02-28T13:00:00' } } });
  });

  test.each([
    ['0302-02-06', '0302-02-06: 2000-03-01부터 2027-12-31까지의 날짜를 입력하세요'],
    ['1999.12.31', '1999-12-31: 2000-03-01부터 2027-12-31까지의 날짜를 입력하세요'],
    ['2028-01-01', '2028-01-01: 2000-03-01부터 2027-12-31까지의 날짜를 입력하세요'],
    ['99/03/02', '2099-03-02: 2000-03-01부터 2027-12-31까지의 날짜를 입력하세요'],
    ['2027-12-31', undefined],
    ['2000-02-29', '2000-02-29: 2000-03-01부터 2027-12-31까지의 날짜를 입력하세요'],
    ['2000-03-01', undefined],
  ])('ACC-17 money of the day %s is named, not booked: %s', async (day, problem) => {
    const [row] = await read(`${day}\t회비\t50,000`);
    expect(row?.problems.date).toBe(problem);
    expect(row?.entry === undefined).toBe(problem !== undefined);
  });

  test('ACC-6 with a fourth column and no header does not say which it means', async () => {
    expect(await read('2026-03-02\t회비\t50,000\t1,000,000')).toEqual([]);
  });

  test('ACC-17 the first day for money begins a semester, and the last is in a semester of its own year', async () => {
    const { first, last } = allowedEntryDates(TODAY);
    expect(termDays(termOfDay(first)).first).toBe(first);
    expect(termOfDay(last)).toEqual({ year: Number(last.slice(0, 4)), semester: 2 });
  });

  test('ACC-16 a row without words, or with none that can be seen, is an entry', async () => {
    for (const words of ['', ' ', '\u200b', '\u200d\u2060']) {
      const [row] = await read(`2026-03-02\t${words}\t50,000`);
      expect(row).toMatchObject({ problems: {}, entry: { amount: 50_000, description: '' } });
    }
  });

  test('ACC-6 gives only entries that the server takes, whatever is pasted', async () => {
    const cell = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '2026-03-02',
        '3월 2일',
        '0302-02-06',
        '12/31',
        '9999-12-31',
        '회비',
        '12,000',
        '△12,000',
        '날짜',
        '금액',
        '내용',
        '',
      ),
    );
    const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const text = rows.map((cells) => cells.join('\t')).join('\n');
        for (const { entry, problems } of await read(text, seoulDay(Date.now()))) {
          expect(entry === undefined).toBe(Object.keys(problems).length > 0);
          expect(entry === undefined || ledgerEntryFormSchema.safeParse(entry).success).toBe(true);
        }
      }),
      options,
    );
  });
});

describe('what is stored already', () => {
  const entry = (id: number, day: string, amount: number, description: string) => ({
    id,
    datetime: `2026-03-${day}T13:00:00`,
    amount,
    description,
    category: '',
    version: 1,
  });

  test('ACC-6 is marked once for each that is stored, and told apart from what is only alike', async () => {
    const rows = await readable(
      ['회비', '회비', '다른 말', '회 비'].map((words) => `2026-03-02\t${words}\t50,000`).join('\n') +
        '\n2026-03-03\t회비\t50,000',
    );
    const stored = [
      entry(1, '02', 50_000, '회비'),
      entry(2, '02', 50_000, '회비'),
      entry(3, '02', 50_000, '식대'),
    ];
    const twins = findDuplicates(rows, stored, []);
    expect([...twins].map(([line, { likeness }]) => [line, likeness])).toEqual([
      [1, 'same'],
      [2, 'same'],
      [3, 'alike'],
    ]);
    expect(findDuplicates(rows, [], []).size).toBe(0);
  });

  test('ACC-6 an entry whose amount or date was corrected in the file is told, and another week’s is not', async () => {
    const rows = await readable('2026-03-02\t회비\t50,000\n2026-03-02\t간식\t7,000\n2026-03-20\t간식\t7,000');
    const stored = [
      entry(1, '02', 45_000, '회비'),
      entry(2, '04', 7000, '간식'),
      entry(3, '12', 7000, '간식'),
    ];
    const twins = findDuplicates(rows, stored, []);
    expect([...twins].map(([line, twin]) => [line, twin.likeness, twin.entry.id])).toEqual([
      [1, 'revised', 1],
      [2, 'moved', 2],
    ]);
    expect(storedLines(twins).size).toBe(0);
  });

  test('ACC-6 what a corrected file no longer has of its days is found, and nothing for another file', async () => {
    const missing = async (text: string, stored: ReturnType<typeof entry>[]) => {
      const rows = await readable(text);
      return missingEntries(rows, stored, findDuplicates(rows, stored, [])).map(({ id }) => id);
    };
    const stored = [
      entry(1, '01', 9, '전날'),
      entry(2, '02', 50_000, '회비'),
      entry(3, '03', 7000, '잘못 적은 간식'),
      entry(4, '04', 8000, '우표'),
      entry(5, '05', 9, '다음 날'),
    ];
    const [dues, stamps] = ['2026-03-02\t회비\t50,000', '2026-03-04\t우표\t8,000'];
    expect(await missing(`${dues}\n${stamps}`, stored)).toEqual([3]);
    expect(await missing(`${stamps}\n2026-03-03\t커피\t1,000\n${dues}`, stored)).toEqual([3]);
    // A correction repeats the stored entry, so that it is not missing.
    expect(await missing(`${dues}\n2026-03-03\t잘못 적은 간식\t6,000\n${stamps}`, stored)).toEqual([]);
    expect(await missing(`${dues}\n2026-03-03\t커피\t1\n2026-03-04\t빵\t2`, stored)).toEqual([]);
    expect(await missing(dues, [])).toEqual([]);
  });

  test('ACC-6 what the account holds is told apart from what is like it, corrected entries by how they were', async () => {
    const rows = await readable('날짜\t내용\t금액\n2026-03-02\t회비\t50,000\n2026-03-02\t회비\t50,000');
    const [first, second] = [entry(1, '02', 50_000, '회비'), entry(2, '02', 50_000, '회비')];
    const lines = (
      ...given: Parameters<typeof findDuplicates> extends [unknown, ...infer Rest] ? Rest : never
    ) => [...storedLines(findDuplicates(rows, ...given))];
    expect(lines([first, second], [])).toEqual([1, 2]);
    expect(lines([first, entry(3, '02', 50_000, '식대')], [])).toEqual([1]);
    const corrected = entry(2, '02', 45_000, '회비 일부');
    expect(lines([first, corrected], [])).toEqual([1]);
    expect(lines([first, corrected], [{ ...second, is_deleted: false }])).toEqual([1, 2]);
    expect(lines([], [{ ...second, is_deleted: true }])).toEqual([1]);
    expect(lines([], [{ ...second, is_deleted: true, description: '' }])).toEqual([1]);
    expect(lines([], [{ ...second, is_deleted: true, amount: 1, description: '' }])).toEqual([]);
  });

  test('ACC-6 ACC-9 what was exported offers nothing new, whatever entries there are', async () => {
    const unseen = [
      '\u200b',
      '\u200c',
      '\u200d',
      '\u2060',
      '\ufeff',
      '\u00ad',
      '\u200e',
      '\u2066',
      '\u0085',
      '\u0000',
      '\u00a0',
      '\u3000',
      '\u2028',
    ];
    const awkward = [
      "'",
      '"',
      ',',
      ';',
      '\t',
      '\n',
      '\r',
      ' ',
      '=',
      '+',
      '-',
      '@',
      '＝',
      '날짜',
      '금액',
      '1,000',
    ];
    const shapes = words('ᄀ ᅡ ᆨ 가 각 가́ 👩‍🔬 🏳️‍🌈 👨‍👩‍👧 ① ﬁ ¨ İ ß A');
    const letter = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...unseen, ...awkward, ...shapes) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
    );
    const description = fc.array(letter, { maxLength: 8 }).map((letters) => letters.join(''));
    const { first, last } = allowedEntryDates(TODAY);
    const days = fc.constantFrom(first, '2024-02-29', '2026-11-22', '2026-11-23', last);
    const amount = fc.constantFrom(1, -1, 50_000, AMOUNT_MAX, -AMOUNT_MAX);
    const accounts = fc.array(fc.record({ day: days, amount, description, category: description }), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(accounts, async (rows) => {
        const entries = withBalances(
          rows
            .toSorted((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0))
            .map(({ day, ...form }, at) =>
              Object.assign({ id: rows.length - at, datetime: datetimeOf(day), version: 1 }, form),
            ),
        );
        const file = ledgerCsv(entries, TODAY);
        for (const text of [file, copied(file)]) {
          const pasted = await read(text);
          expect(pasted.map(({ problems }) => problems)).toEqual(entries.map(() => ({})));
          const twins = findDuplicates(await readable(text), entries, []);
          expect(pasted.map(({ line }) => twins.get(line)?.likeness)).toEqual(entries.map(() => 'same'));
        }
      }),
      options,
    );
  });

  /** The file as a spreadsheet puts it on the clipboard. */
  function copied(file: string): string {
    const cells = file.slice(1).matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g);
    return [...cells]
      .map(([, quoted, plain = '', end]) => {
        const cell = quoted?.replaceAll('""', '"') ?? plain;
        const written = /["\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
        return written + (end === ',' ? '\t' : '\r\n');
      })
      .join('');
  }

  test('IMP-9 a row whose entry was corrected since is known again, and no second one with it', async () => {
    const rows = await readable('2026-03-02\t3월 회비\t30,000\n2026-03-02\t3월 회비\t30,000');
    const [stored] = withBalances([
      {
        id: 7,
        version: 2,
        amount: 35_000,
        datetime: '2026-03-03T13:00:00',
        description: '회비 정정',
        category: '',
      },
    ]);
    if (!stored) throw new Error('nothing is stored');
    const original = {
      id: 7,
      amount: 30_000,
      datetime: '2026-03-02T13:00:00',
      description: '3월  회비',
      is_deleted: false,
    };
    expect([...findDuplicates(rows, [stored], [original])]).toEqual([
      [1, { likeness: 'corrected', entry: stored }],
    ]);
    // Deleted since.
    expect([...findDuplicates(rows, [], [original])]).toEqual([]);
  });

  const HEADER = '날짜\t내용\t금액\t잔액';
  test.each([
    ['as pasted', '날짜\t내용\t금액\n3월 2일\t가\t1\n3월 2일\t나\t2\n3월 5일\t다\t3'],
    ['newest first', '날짜\t내용\t금액\n3월 5일\t다\t3\n3월 2일\t나\t2\n3월 2일\t가\t1\n3월 1일\t영\t9'],
    [
      'newest first in one day, by time and for one minute by direction',
      '날짜\t내용\t금액\n2026-03-02 오후 6:00\t다\t3\n2026-03-02 12:00\t나\t2\n2026-03-02 12:00\t가\t1',
    ],
    [
      'shuffled with times',
      '날짜\t내용\t금액\n20260302 120000\t나\t2\n20260302 090000\t가\t1\n20260302 180000\t다\t3',
    ],
    ['by balances alone', `${HEADER}\n3월 2일\t다\t3\t106\n3월 2일\t나\t2\t103\n3월 2일\t가\t1\t101`],
    [
      'newest day first, oldest of a day first',
      `${HEADER}\n3월 3일\t다\t3\t106\n3월 2일\t가\t1\t101\n3월 2일\t나\t2\t103\n3월 1일\t영\t9\t100`,
    ],
  ])(
    'ACC-5 entries are posted as they happened, those of one day as the bank counts: %s',
    async (_, text) => {
      const { rows } = await readImport(
        ledgerKind(parsePastedRows(text), { today: TODAY, year: undefined }),
        text,
      );
      const amounts = oldestFirst(rows.flatMap(({ row }) => row ?? [])).map(({ entry }) => entry.amount);
      expect(amounts.filter((amount) => amount !== 9)).toEqual([1, 2, 3]);
    },
  );

  test.each([
    ['a header', '날짜,내용,출금(USD),입금(USD)\n2026-03-02,아마존,120,', 1, 'USD', [1]],
    ['an English header', '날짜,내용,금액,Amount EUR\n2026-03-02,아마존,-120,8', 1, 'EUR', [1]],
    ['a line above', '단위: 천원,,,\n날짜,내용,출금,입금\n2026-03-02,아마존,120,', 1000, '천원', [1, 1000]],
    [
      'a number as a unit',
      '(단위 : 1,000원)\n날짜\t내용\t금액\n2026-03-02\t아마존\t-120',
      1000,
      '1000원',
      [1, 1000],
    ],
    ['a title', '외화예금 거래내역\n날짜\t내용\t금액\n2026-03-02\t아마존\t-120', 1, '외화', [1]],
    ['a line below', '날짜\t내용\t금액\n2026-03-02\t아마존\t-120\n통화: JPY', 1, 'JPY', [1]],
  ])(
    'ACC-6 a table whose amounts are not plainly won asks for their unit: %s',
    async (_, text, won, words, possible) => {
      const readWith = async (chosen: number | undefined) => {
        const kind = ledgerKind(parsePastedRows(text), { today: TODAY, year: undefined, won: chosen });
        expect(kind.amountUnit).toEqual({ words, won: possible });
        return (await readImport(kind, text)).rows[0];
      };
      expect((await readWith(undefined))?.row).toBeUndefined();
      expect((await readWith(won))?.row?.entry.amount).toBe(-120 * won);
    },
  );

  test.each([
    ['USD', undefined],
    ['$', undefined],
    ['KRW', -3000],
    ['원', -3000],
    ['', -3000],
  ])('ACC-6 a row in another currency is none in won: %j', async (currency, amount) => {
    const [row] = await read(`거래일자,내용,통화,출금,입금,잔액\n2026-03-02,아마존,${currency},3000,,1000`);
    expect(row?.entry?.amount).toBe(amount);
    expect(row?.problems['currency'] === undefined).toBe(amount !== undefined);
  });

  test.each([
    ['원화 금액', '2026년 회비(5만원) 내역\n날짜\t내용\t금액(원)\n2026-03-02\t회비 단위 환산\t50,000'],
    [
      'KB',
      '거래일시\t적요\t보낸분/받는분\t송금메모\t출금액\t입금액\t잔액\n2026.03.02\t가\tUSD\t\t1,000\t0\t1',
    ],
  ])('ACC-5 a statement in won is asked nothing: %s', (_, text) => {
    expect(ledgerKind(parsePastedRows(text), { today: TODAY, year: undefined }).amountUnit).toBeUndefined();
  });

  test('IMP-9 dates of one file have one order, and what was decided about a date is flagged', async () => {
    const text = [
      '날짜\t내용\t금액',
      ...['8/7/2025', '16/08/2025', '8/9', '8월 8일', '2025-08-01'].map((day) => `${day}\t회비\t1`),
    ].join('\n');
    const kind = ledgerKind(parsePastedRows(text), { today: TODAY, year: undefined });
    const { rows } = await readImport(kind, text);
    expect(
      rows.map(({ row, doubts }) =>
        [row?.entry.datetime.slice(0, 10)].concat(doubts.map(({ repair }) => repair)),
      ),
    ).toEqual([
      ['2025-07-08', undefined],
      ['2025-08-16'],
      ['2026-09-08', undefined, '2025-09-08'],
      ['2026-08-08', '2025-08-08'],
      ['2025-08-01'],
    ]);
    expect(kind.lacksYears).toBe(true);
    expect(
      ledgerKind(parsePastedRows('날짜\t내용\t금액\n2025-08-01\t회비\t1'), { today: TODAY, year: undefined })
        .lacksYears,
    ).toBe(false);
  });

  test.each([
    ['1000\t2000', '입금과 출금에 모두 금액이 있습니다'],
    ['0\t0', '입금과 출금이 모두 0입니다'],
  ])('ACC-6 of two amounts in a row it is said what is wrong: %j', async (cells, reason) => {
    const [row] = await read(`날짜\t내용\t출금\t입금\n2026-03-02\t회비\t${cells}`);
    expect(Object.values(row?.problems ?? {})).toEqual([reason]);
  });

  test('ACC-12 the way of payment says what came in where no other column does', async () => {
    const rows = await read(
      '거래 일시\t적요\t거래 유형\t거래 금액\t거래 후 잔액\t메모\n2025.06.01\t편의점\t체크카드결제\t-3,200\t1\t\n2025.06.02\t나래\t입금\t50,000\t2\t',
    );
    expect(rows.map(({ entry }) => entry?.amount)).toEqual([-3200, 50_000]);
  });
});
