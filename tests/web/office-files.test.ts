import { writeXlsx } from 'hucre';
import { expect, test } from 'vitest';
import { ledgerKind } from '../../web/src/features/ledger/import/ledger-kind.ts';
import { gradeStudents, studentsInTable } from '../../web/src/features/scores/grading/graded-class.ts';
import { withTable } from '../../web/src/features/scores/paste/earlier-decisions.ts';
import { EMPTY_WORK, hasScore } from '../../web/src/features/scores/work.ts';
import { rosterKind } from '../../web/src/features/students/import/roster-kind.ts';
import { timetableKind } from '../../web/src/features/subjects/timetable-kind.ts';
import { toTsv } from '../../web/src/lib/csv.ts';
import type { RowOptions } from '../../web/src/lib/paste-table.ts';
import type { TableRemarkCounts } from '../../web/src/lib/table-file/read-table.ts';
import { decodeTable } from '../../web/src/lib/table-file/decode-table.ts';
import { readImport } from '../support/read-import.ts';
import { DESKTOP, xlsx, type Writer, type XlsxCell } from '../support/xlsx.ts';

/* What an office has on its disks, by the screen that it is given to: what comes out, and what is said of it. */

const TODAY = '2026-11-26';

async function given(bytes: Uint8Array<ArrayBuffer> | string, name: string, options: RowOptions = {}) {
  const table = await decodeTable({ file: new File([bytes], name) }, options);
  if ('refusal' in table) throw new Error(table.refusal);
  return table;
}

const saidOf = (remarks: TableRemarkCounts) =>
  Object.fromEntries(Object.entries(remarks).filter(([, said]) => said !== 0));
const withErrors = <Row>(
  rows: readonly { row: Row | undefined; errors: readonly { reason: string }[] }[],
  show: (row: Row) => string,
) =>
  rows.map(({ row, errors }) => (row === undefined ? errors.map(({ reason }) => reason).join() : show(row)));

async function entriesOf(bytes: Uint8Array<ArrayBuffer> | string, name = '내역.xlsx') {
  const table = await given(bytes, name);
  const kind = ledgerKind(table.rows, { today: TODAY, year: undefined });
  const { rows } = await readImport(kind, table);
  const show = ({ entry }: { entry: { datetime: string; amount: number; description: string } }) =>
    `${entry.datetime.slice(0, 10)} ${entry.amount} ${entry.description}`;
  return { rows: withErrors(rows, show), said: saidOf(table.remarks) };
}

async function rosterOf(bytes: Uint8Array<ArrayBuffer> | string, name = '명단.xlsx') {
  const table = await given(bytes, name);
  const { rows } = await readImport(rosterKind, table);
  const show = (row: {
    no: number;
    id: string;
    name: string;
    department: string;
    year: number;
    tel: string;
  }) => [row.no, row.id, row.name, row.department, row.year, row.tel].join(' ');
  return { rows: withErrors(rows, show), said: saidOf(table.remarks) };
}

async function gradesOf(bytes: Uint8Array<ArrayBuffer> | string, name = '점수.xlsx') {
  const table = await given(bytes, name, { keepEmptyRows: true });
  const work = withTable(EMPTY_WORK, toTsv(table.rows));
  const { rows } = gradeStudents(studentsInTable(work), work);
  return {
    rows: rows.map(
      ({ name: who, scoreCell, leftOut, grade }) => `${who} ${scoreCell} ${leftOut ? '-' : (grade ?? '-')}`,
    ),
    isAsked: !hasScore(work),
    said: saidOf(table.remarks),
  };
}

const day = (number: number, format = 'yyyy\\-mm\\-dd') => ({ number, format });
const book = (rows: readonly (readonly XlsxCell[])[], sheet = {}, writer: Writer = DESKTOP, others = {}) =>
  xlsx([{ name: '표', rows, ...sheet }], writer, others);

const HEADER = ['날짜', '내용', '금액'];
const ENTRIES = ['2026-03-02 50000 회비', '2026-04-05 -12000 간식', '2026-05-06 -33000 토너'];
const ledgerRows = (date: string | undefined, amount: string | undefined): XlsxCell[][] => [
  HEADER,
  [day(46083, date), '회비', { number: 50000, ...(amount !== undefined && { format: amount }) }],
  [day(46117, date), '간식', { number: -12000, ...(amount !== undefined && { format: amount }) }],
  [day(46148, date), '토너', { number: -33000, ...(amount !== undefined && { format: amount }) }],
];

test.each<[string, string?]>([
  ['#,##0;[Red]#,##0'],
  ['"₩"#,##0;[Red]"₩"#,##0'],
  ['_-"₩"* #,##0_-;_-"₩"* (#,##0)_-;_-"₩"* "-"_-;_-@_-'],
  ['#,##0,'],
  ['#,##0.00'],
  ['0.00E+00'],
  ['# ?/?'],
  ['General', 'mm/dd/yy'],
  ['General', 'dd/mm/yyyy'],
  ['General', 'm/d'],
  ['General', 'd\\-mmm\\-yy'],
  ['General', '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy'],
  ['General', 'yyyy"년" m"월" d"일" AM/PM h:mm'],
  ['General', 'aaa'],
  ['General', 'm"월"'],
])('IMP-5 an account is imported by its values: amounts as %s, days as %s', async (amount, date) => {
  const isDay = date === undefined || /[yd]|mmm/.test(date);
  expect((await entriesOf(book(ledgerRows(date, amount)))).rows).toEqual(
    isDay ? ENTRIES : ENTRIES.map(() => '날짜를 알 수 없습니다. 2026-03-02처럼 쓰세요'),
  );
});

const CLASS = ['가람', '나람', '다람', '라람'];
const SCORE_HEADER = ['이름', '학번', '중간', '기말', '총점'];
const scoreRows = (totalOf: (at: number) => XlsxCell): XlsxCell[][] => [
  SCORE_HEADER,
  ...CLASS.map((name, at): XlsxCell[] => [
    name,
    { number: 202600001 + at },
    { number: 40 + at },
    { number: 45 - at },
    totalOf(at),
  ]),
];

test.each<[string, (at: number) => XlsxCell, Partial<Writer>, Record<string, string>]>([
  ['no value', () => ({ formula: 'C2+D2' }), {}, {}],
  ['0 in its place', () => ({ formula: 'C2+D2', value: 0 }), { mustCompute: true }, {}],
  [
    '0 in its place, by a library of portals',
    () => ({ formula: 'C2+D2', value: 0 }),
    {},
    { 'docProps/app.xml': '<Properties><Application>Apache POI</Application></Properties>' },
  ],
  [
    'a shared formula',
    (at) => ({
      formula: at === 0 ? 'C2+D2' : '',
      of: at === 0 ? 't="shared" ref="E2:E5" si="0"' : 't="shared" si="0"',
    }),
    {},
    {},
  ],
  [
    'one formula over all rows',
    (at) => (at === 0 ? { formula: 'C2:C5+D2:D5', of: 't="array" ref="E2:E5"' } : ''),
    {},
    {},
  ],
  [
    'one formula over all rows, and 0',
    (at) => (at === 0 ? { formula: 'C2:C5+D2:D5', value: 0, of: 't="array" ref="E2:E5"' } : { number: 0 }),
    { mustCompute: true },
    {},
  ],
])(
  'IMP-6 totals that nobody computed are said and not graded: %s',
  async (_name, totalOf, writer, others) => {
    const { said, rows, isAsked } = await gradesOf(
      book(scoreRows(totalOf), {}, { ...DESKTOP, ...writer }, others),
    );
    expect({ said, isAsked }).toEqual({ said: { uncomputed: 4 }, isAsked: true });
    expect(rows).toHaveLength(4);
  },
);

test('IMP-6 a date that nobody computed is no time of midnight, and an amount is none', async () => {
  const rows: XlsxCell[][] = [
    HEADER,
    [{ formula: 'TODAY()', value: 0, format: 'yyyy-mm-dd' }, '회비', { number: 1000 }],
    [day(46083), '간식', { formula: '-12*1000' }],
  ];
  expect(await entriesOf(book(rows, {}, { ...DESKTOP, mustCompute: true }))).toEqual({
    rows: ['엑셀에 값이 없는 칸입니다', '엑셀에 값이 없는 칸입니다'],
    said: { uncomputed: 2 },
  });
});

const TEL = '010-5550-7600';
const ROSTER_HEADER = ['순번', '학번', '이름', '학과', '학년', '학적상태', '연락처', '이메일'];
const rosterCsv = (no: string, id: string, name: string, tel: string) =>
  `${ROSTER_HEADER.join(',')}\n${[no, id, name, '모형학과', '3.0', '재학', tel, ''].join(',')}\n`;
const rosterBook = (format: string) => {
  const of = (number: number) => ({ number, format });
  return book([ROSTER_HEADER, [of(1), of(202600001), '가람솔', '모형학과', of(3), '재학', TEL, '']]);
};

test.each<[string, Uint8Array<ArrayBuffer> | string]>([
  ['numbers of pandas', rosterCsv('1.0', '202600001.0', '가람솔', TEL)],
  ['decomposed letters', rosterCsv('1', '202600001', '가람솔', TEL).normalize('NFD')],
  ['marks of direction', rosterCsv('1', '\u202d202600001\u202c', '\u200e가람솔', `\u202d${TEL}\u202c`)],
  ['soft hyphens', rosterCsv('1', '2026\u00ad00001\u200f', '가\u00ad람솔', `\u200f${TEL}`)],
  ...['0.00E+00', '#,##0', '0.00', '000'].map((format): [string, Uint8Array<ArrayBuffer>] => [
    `cells as ${format}`,
    rosterBook(format),
  ]),
])('IMP-5 IMP-8 a roster of %s is the one that is meant', async (_name, bytes) => {
  const file = typeof bytes === 'string' ? '명단.csv' : '명단.xlsx';
  expect((await rosterOf(bytes, file)).rows).toEqual([`1 202600001 가람솔 모형학과 3 ${TEL}`]);
});

test('IMP-5 two scores that a format rounds to one are graded apart, and an error is no score', async () => {
  const rows: XlsxCell[][] = [
    ['이름', '학번', '총점'],
    ...[89.4, 88.6, 80, 75].map((score, at): XlsxCell[] => [
      CLASS[at] ?? '',
      { number: 202600001 + at },
      { number: score, format: '0' },
    ]),
    ['마람', { number: 202600009 }, '#N/A'],
  ];
  const { rows: graded } = await gradesOf(book(rows));
  expect(graded.map((row) => row.split(' ')[1])).toEqual(['89.4', '88.6', '80', '75', '#N/A']);
  expect(graded[0]?.split(' ')[2]).not.toBe(graded[1]?.split(' ')[2]);
});

test('SCO-5 IMP-3 the row of totals of a Korean table is no student and no entry', async () => {
  const rows: XlsxCell[][] = [
    ['이름', '학번', '총점'],
    ...CLASS.map((name, at): XlsxCell[] => [name, { number: 202600001 + at }, { number: 60 + at }]),
    ['요약', '', { formula: 'SUBTOTAL(109,C2:C5)', value: 246 }],
  ];
  expect((await gradesOf(book(rows))).rows.at(-1)).toBe('요약 246 -');
  const ledger = [...ledgerRows(undefined, undefined), ['요약', '', { number: 5000 }]];
  expect((await entriesOf(book(ledger))).rows).toEqual([...ENTRIES, '합계 행입니다']);
});

test('IMP-6 filtered rows and hidden columns are left out of the account, and said', async () => {
  const rows = ledgerRows(undefined, undefined).map(([date = '', ...others], at) =>
    Array<XlsxCell>().concat(date, at === 0 ? '몰래' : 'x', others),
  );
  expect(await entriesOf(book(rows, { hiddenRows: [2], hiddenColumns: [1] }))).toEqual({
    rows: [ENTRIES[0], ENTRIES[2]],
    said: { hiddenRows: 1, hiddenColumns: 1, hiddenRowNumbers: [3], hiddenColumnNames: ['B열 ‘몰래’'] },
  });
});

test('IMP-6 rows that somebody has struck out are said', async () => {
  const rows = ledgerRows(undefined, undefined);
  rows[2] = rows[2]?.map((cell) => (typeof cell === 'string' ? cell : { ...cell, format: 'General~' })) ?? [];
  expect((await entriesOf(book(rows))).said).toEqual({ struckRows: [3] });
});

test('IMP-6 comments on cells, and text that a web page strikes out, are said', async () => {
  const rows = [HEADER, ['2026-03-02', '회비', 50_000]];
  const cells = new Map([['1,1', { value: '회비', comment: { text: '취소 3/5' } }]]);
  const bytes = await writeXlsx({ sheets: [{ name: '표', rows, cells }] });
  const read = async (file: File) => {
    const table = await decodeTable({ file }, {});
    return 'remarks' in table && table.remarks;
  };
  expect(await read(new File([new Uint8Array(bytes)], '표.xlsx'))).toMatchObject({
    comments: ['2행 ‘취소 3/5’'],
  });
  const page = '<table><tr><th>날짜<th>내용<th>금액<tr><td>2026-03-02<td><s>회비</s><td>50,000</table>';
  expect(await read(new File([page], '표.xls'))).toMatchObject({ hasStruckText: true });
});

test('IMP-6 a merged department counts for all its students, and a header may be merged over two rows', async () => {
  const student = (at: number, department: string): XlsxCell[] => [
    String(at),
    `20260000${at}`,
    `${CLASS[at - 1]}솔`,
    department,
    '3',
    '재학',
    '',
    '',
  ];
  const tall = ROSTER_HEADER;
  const students = ['1 202600001 가람솔 모형학과 3 ', '2 202600002 나람솔 모형학과 3 '];
  const body = [student(1, '모형학과'), student(2, '')];
  const merged = tall.map((_, at) => `${String.fromCharCode(65 + at)}1:${String.fromCharCode(65 + at)}2`);
  expect(
    (await rosterOf(book([tall, tall.map(() => ''), ...body], { merged: [...merged, 'D3:D4'] }))).rows,
  ).toEqual(students);
  const wide: XlsxCell[][] = [
    ['순번', '학번', '이름', '소속', '', '학적상태', '연락', ''],
    ['', '', '', '학과', '학년', '', '연락처', '이메일'],
  ];
  const others = ['A1:A2', 'B1:B2', 'C1:C2', 'F1:F2', 'D1:E1', 'G1:H1', 'D3:D4'];
  expect((await rosterOf(book([...wide, ...body], { merged: others }))).rows).toEqual(students);
  const account: XlsxCell[][] = [
    ['거래일시', '적요', '금액', '', '잔액'],
    ['', '', '입금', '출금', ''],
    [day(46083), '회비', { number: 50000 }, '', { number: 50000 }],
    [day(46117), '간식', '', { number: 12000 }, { number: 38000 }],
  ];
  const twoRows = { merged: ['A1:A2', 'B1:B2', 'E1:E2', 'C1:D1'] };
  expect((await entriesOf(book(account, twoRows))).rows).toEqual(ENTRIES.slice(0, 2));
});

test('IMP-6 the sections of a course that is merged are read as sections of it', async () => {
  const rows: XlsxCell[][] = [
    ['학수번호', '분반', '과목명', '학년', '학점', '교수'],
    ['CPS101', '01', '모형 설계', '2', '3', '가교수'],
    ['', '02', '', '', '', '나교수'],
  ];
  const table = await given(book(rows, { merged: ['A2:A3', 'C2:C3', 'D2:D3', 'E2:E3'] }), '시간표.xlsx');
  const { good } = await readImport(timetableKind(false), table);
  expect(good.map(({ subject: { id, name, prof } }) => [id, name, prof])).toEqual([
    ['CPS101-01', '모형 설계', '가교수'],
    ['CPS101-02', '모형 설계', '나교수'],
  ]);
});

const csv = (separator: string) =>
  [
    HEADER,
    ['2026-03-02', '회비', '50000'],
    ['2026-04-05', '"간식, ""음료""\n둘째 줄"', '-12000.0'],
    ['2026-05-06', '토너', '33000-'],
  ]
    .map((row) => row.join(separator))
    .join('\r\n');

test.each<[string, string]>([
  ['commas', csv(',')],
  ['semicolons', csv(';')],
  ['tabs', csv('\t')],
  ['bars', csv('|')],
  ['semicolons, named in the first line', `sep=;\r\n${csv(';')}`],
  ['commas, named in the first line with a byte order mark', `\ufeffsep=,\r\n${csv(',')}`],
  ['bars, named in the first line', `"sep=|"\n${csv('|')}`],
])('IMP-9 an account of %s is read in a .csv', async (_name, text) => {
  expect((await entriesOf(text, '내역.csv')).rows).toEqual([
    ENTRIES[0],
    '2026-04-05 -12000 간식, "음료" 둘째 줄',
    ENTRIES[2],
  ]);
});

test('IMP-9 a gradebook of semicolons is one, and text that a formula keeps is text', async () => {
  const rows = [
    'Student;ID;SIS User ID;SIS Login ID;Section;Final Score',
    'Points Possible;;;;;',
    '"가, 나";1;202600001;a;1;90',
  ];
  const { rows: graded } = await gradesOf(`${rows.join('\n')}\n`, '성적.csv');
  expect(graded.at(-1)).toMatch(/^가, 나 90 /);
  const roster =
    '순번,학번,이름,학과,학년,학적상태,연락처,이메일\n1,="0026001",가람솔,모형학과,\t3,재학,="010-5550-7600",\n';
  expect((await rosterOf(roster, '명단.csv')).rows).toEqual(['1 0026001 가람솔 모형학과 3 010-5550-7600']);
});

test('IMP-7 a ditto mark eats nobody and no money, whichever screen it is pasted into', async () => {
  const roster =
    '순번\t학번\t이름\t학과\t학년\t학적상태\t연락처\t이메일\n1\t202600001\t가람솔\t모형학과\t3\t재학\t\t\n2\t202600002\t나람솔\t"\t3\t재학\t\t\n3\t202600003\t다람솔\t"\t3\t재학\t\t\n';
  expect((await rosterOf(roster, '명단.txt')).rows).toEqual([
    '1 202600001 가람솔 모형학과 3 ',
    '2 202600002 나람솔 " 3 ',
    '3 202600003 다람솔 " 3 ',
  ]);
  const account =
    '날짜\t내용\t금액\n2026-03-02\t커피\t-1,500\n2026-03-03\t"\t-2,500\n2026-03-04\t"\t-3,500\n';
  expect((await entriesOf(account, '내역.txt')).rows.map((row) => row.split(' ')[1])).toEqual([
    '-1500',
    '-2500',
    '-3500',
  ]);
});

test.each([
  ['Excel', 'x:num="-12000"'],
  ['LibreOffice', 'sdval="-12000" sdnum="1042;0;#,##0;[RED]#,##0"'],
])('IMP-9 the minus of a red number in a web page of %s counts', async (_, attributes) => {
  const page = `<html><table><tr><td>날짜</td><td>내용</td><td>금액</td></tr><tr><td>2026-03-02</td><td>회비</td><td>50,000</td></tr><tr><td>2026-03-03</td><td>간식</td><td ${attributes}><font color="#FF0000">12,000</font></td></tr></table></html>`;
  expect((await entriesOf(page, '내역.xls')).rows).toEqual([
    '2026-03-02 50000 회비',
    '2026-03-03 -12000 간식',
  ]);
});
