import { expect, test } from 'vitest';
import { ledgerKind } from '../../web/src/features/ledger/import/ledger-kind.ts';
import { qualifiedLabels } from '../../web/src/features/ledger/import/statement-columns.ts';
import { checkStatement, notesBeside } from '../../web/src/features/ledger/import/statement-checks.ts';
import { decodeTable } from '../../web/src/lib/table-file/decode-table.ts';
import { parsePastedRows } from '../../web/src/lib/paste-table.ts';
import { readImport } from '../support/read-import.ts';
import { DESKTOP, xlsx } from '../support/xlsx.ts';

const options = { today: '2026-11-26', year: undefined };

async function checked(lines: readonly string[], names: readonly string[] = []) {
  const text = lines.join('\n');
  const table = parsePastedRows(text);
  const { rows, columns } = await readImport(ledgerKind(table, { ...options, names }), text);
  const beside = (line: number) => notesBeside(table[columns.headerAt + line] ?? [], columns.columns);
  return { rows, ...checkStatement(rows, { beside }) };
}
async function wrongIn(lines: readonly string[]) {
  const { remarks, wrongTotals } = await checked(lines);
  const totals = [...remarks].flatMap(([line, text]) => {
    const [total] = /[\d,]+(?=원이 아닙니다)/.exec(text) ?? [];
    return total === undefined ? [] : [[line, Number(total.replaceAll(',', ''))]];
  });
  expect(totals).toHaveLength(wrongTotals);
  return totals;
}

const HEADER = '날짜\t내용\t입금\t출금';
const ROWS = ['2026-11-01\t회비\t70,000\t', '2026-11-02\t간식\t\t12,000', '2026-11-03\t커피\t\t3,000'];

test.each([
  ['two columns', [HEADER, ...ROWS, '합계\t\t70,000\t15,000']],
  ['a label among the words', [HEADER, ...ROWS, '\t총 계\t70,000\t15,000']],
  [
    'parts and the whole',
    [
      HEADER,
      ...ROWS,
      '11월 소계\t\t70,000\t15,000',
      ...ROWS,
      '\t소계\t70,000\t15,000',
      '합계\t\t140,000\t30,000',
    ],
  ],
  [
    'one column',
    ['날짜\t내용\t금액', '2026-11-01\t회비\t70,000', '2026-11-02\t간식\t-12,000', '합계\t\t58,000'],
  ],
  ['money out alone', ['날짜\t내용\t금액', '2026-11-02\t간식\t-12,000', '합계\t\t12,000']],
  ['a carried balance', [HEADER, '2026-11-01\t전월이월\t5,000\t', ...ROWS, '합계\t\t75,000\t15,000']],
  ['no amount', [HEADER, ...ROWS, '합계\t\t\t']],
])('IMP-9 a total with %s that its rows reach is not mentioned', async (_, lines) => {
  expect(await wrongIn(lines)).toEqual([]);
});

test('IMP-9 a total that its rows do not reach is named with its amount', async () => {
  expect(await wrongIn([HEADER, ...ROWS, '합계\t\t70,000\t15,500'])).toEqual([[4, 15_500]]);
  expect(await wrongIn([HEADER, ...ROWS.slice(1), '합계\t\t70,000\t15,000'])).toEqual([[3, 70_000]]);
  // The row of an unreadable amount is missing in the sum.
  expect(
    await wrongIn([HEADER, '2026-11-01\t회비\t칠만\t', ...ROWS.slice(1), '합계\t\t70,000\t15,000']),
  ).toEqual([[4, 70_000]]);
});

test('IMP-9 an amount merged over several rows is one payment', async () => {
  const rows = [
    ['날짜', '내용', '금액', '분류'],
    ['2026-11-01', '왕복 버스', { number: -12_000 }, '교통'],
    ['2026-11-01', '지하철', '', ''],
    ['2026-11-02', '회비', { number: 50_000 }, '회비'],
    ['2026-11-02', '회비', { number: 50_000 }, ''],
  ];
  const bytes = xlsx([{ name: '표', rows, merged: ['C2:C3', 'D2:D3', 'D4:D5'] }], DESKTOP);
  const table = await decodeTable({ file: new File([bytes], '내역.xlsx') }, {});
  if ('refusal' in table) throw new Error(table.refusal);
  const read = await readImport(ledgerKind(table.rows, options), table);
  expect(read.rows.map(({ row }) => row?.entry.amount)).toEqual([-12_000, -12_000, 50_000, 50_000]);
  const { remarks, leftOut } = checkStatement(read.rows, { merged: table.remarks.mergedNumbers });
  expect([...leftOut]).toEqual([2]);
  // Two equal payments on one day are told.
  expect([...remarks.keys()]).toEqual([2, 4]);
});

test('IMP-9 a row without words whose amount is the sum above it is left out, an entry of the same amount is not', async () => {
  const rows = ['날짜\t내용\t금액', '2026-03-02\t회비\t50,000', '2026-03-03\t회비\t30,000'];
  expect([...(await checked([...rows, '\t합계\t', '2026-03-31\t3월\t80,000'])).leftOut]).toEqual([4]);
  for (const last of ['2026-03-31\t\t80,000', '2026-03-31\t3월\t80,000'])
    expect([...(await checked([...rows, last])).leftOut], last).toEqual([3]);
  for (const last of ['2026-03-31\t\t81,000', '2026-03-31\t후원\t80,000'])
    expect([...(await checked([...rows, last])).leftOut], last).toEqual([]);
});

test.each([
  ['11/26\t가\t1', '11/28\t나\t1', [2]],
  ['2024-12-30\t가\t1', '12/31\t나\t1', [2]],
  ['12/30\t가\t1', '1/2\t나\t1', []],
  ['2026-01-02\t가\t1', '2026-11-02\t나\t1', []],
])('IMP-9 a day without a year far from the row above is named: %s, %s', async (one, other, lines) => {
  const { remarks, leftOut } = await checked(['날짜\t내용\t금액', one, other]);
  expect([...remarks.keys()]).toEqual(lines);
  expect(leftOut.size).toBe(0);
});

test.each([
  ['비고', ['', '취소됨', '삭제', '취소 요청 전화함'], [2, 3]],
  ['납부여부', ['O', 'X', '미납', 'Y'], [2, 3]],
  ['상태', ['진행', '취소', '예정', '완료'], [2, 3]],
  ['처리', ['paid', 'Cancelled', 'pending', ''], [2, 3]],
  ['처리결과', ['정상', '실패', '부분취소', '성공'], [2, 3]],
  ['입금확인', ['TRUE', 'FALSE', '미처리', 'TRUE'], [2, 3]],
  ['비고', ['', '입력 오류(삭제)', '안 냄', '취소함'], [2, 3, 4]],
  ['상태', ['완료', '지급예정', '환불 완료', '반품'], [2, 3, 4]],
  ['납부', ['O', '', '면제', 'O'], [2, 3]],
])('IMP-9 rows whose column %s says that nothing was paid are left out', async (label, notes, lines) => {
  const { leftOut } = await checked([
    `날짜\t내용\t금액\t${label}`,
    ...notes.map((note, at) => `2026-11-0${at + 1}\t회비 ${at}\t50,00${at}\t${note}`),
  ]);
  expect([...leftOut]).toEqual(lines);
});

test('IMP-9 a note that says the other direction is told', async () => {
  const { remarks, leftOut } = await checked([
    '날짜\t유형\t내용\t금액',
    '2026-11-01\t이체(입금)\t회비\t50,000',
    '2026-11-02\t이체(출금)\t문구\t12,000',
    '2026-11-03\t이체(입금)\t간식\t-3,000',
  ]);
  expect([...remarks.keys()]).toEqual([2, 3]);
  expect(leftOut.size).toBe(0);
});

test.each([
  [
    'a header of two rows',
    '일자\t적요\t거래금액\t\t잔액',
    '\t\t출금\t입금\t',
    '\t간식\t3,000\t\t0',
    '\t회비\t\t5,000\t0',
  ],
  ['a category', '날짜\t분류\t내용\t금액', '', '\t지출\t간식\t3,000', '\t수입\t회비\t5,000'],
  ['brackets', '날짜\t구분\t내용\t금액', '', '\t출금(수수료)\t간식\t3,000', '\t출금(취소)\t회비\t5,000'],
])('IMP-9 money out and in of %s are told apart', async (_, header, below, spent, received) => {
  const { rows } = await checked([header, below, `2026-03-02${spent}`, `2026-03-03${received}`]);
  expect(rows.map(({ row }) => row && [row.entry.amount, row.isUnsigned])).toEqual([
    [-3000, false],
    [5000, false],
  ]);
});

test.each([
  ['취소여부', ['N', 'Y', '-', '전체취소'], [2, 4]],
  ['취소상태', ['정상', '전액취소', '', '부분취소'], [2, 4]],
  ['승인구분', ['정상', '매입취소', '취소매출', '미취소'], [2, 3]],
  ['취소금액', ['0', '5,000', '', '0원'], [2]],
  ['환불일', ['', '2026-11-09', '-', ''], [2]],
  ['비고', ['', '입금 안 됨', '안 들어옴', '완납'], [2, 3]],
  ['비고', ['잘못 넣음', '이중기재', '12월로 이동', '제외'], [1, 2, 3, 4]],
])(
  'IMP-9 a payment that the column %s says was taken back, or never came, is left out',
  async (label, cells, lines) => {
    const { leftOut } = await checked([
      `날짜\t이름\t금액\t${label}`,
      ...cells.map((cell, at) => `2026-11-0${at + 1}\t김가람\t${at + 1}0,000\t${cell}`),
    ]);
    expect([...leftOut]).toEqual(lines);
  },
);

test.each(['거래일\t가맹점명\t금액', '구매일\t품목\t금액', '날짜\t구매처\t금액'])(
  'IMP-9 in a list of spendings, %s, a minus among amounts without one makes nobody’s payment a deposit',
  async (header) => {
    const lines = [
      header,
      '2026-11-02\t다이소\t45,000',
      '2026-11-03\t다이소\t-45,000',
      '2026-11-04\t매점\t3,000',
    ];
    const { rows } = await checked(lines);
    expect(rows.map(({ row }) => row?.entry.amount)).toEqual([undefined, -45_000, undefined]);
    const signed = [
      header,
      '2026-11-02\t다이소\t-45,000',
      '2026-11-03\t다이소\t+45,000',
      '2026-11-04\t매점\t-3,000',
    ];
    expect((await checked(signed)).rows.map(({ row }) => row?.entry.amount)).toEqual([
      -45_000, 45_000, -3000,
    ]);
  },
);

test('IMP-9 a last row that equals the sum of those above is left out, whatever its name', async () => {
  const rows = ['2026-11-02\t다이소\t-4,500', '2026-11-03\t매점\t-3,000', '2026-11-04\t우표\t-700'];
  const header = '날짜\t내용\t금액';
  const closing = '2026-11-25\t이번 달 결제하실 금액\t-8,200';
  expect([...(await checked([header, ...rows, closing])).leftOut]).toEqual([4]);
  expect((await checked([header, closing, ...rows])).leftOut.size).toBe(0);
  const block = ['회비 몫\t-8,200', '다음 달 몫\t-8,200'].map((words) => `2026-11-25\t${words}`);
  expect([...(await checked([header, ...rows, ...block])).leftOut]).toEqual([4, 5]);
  // The sum of two rows may be chance.
  const ofTwo = await checked([header, ...rows.slice(0, 2), '2026-11-25\t송년회\t-7,500']);
  expect([[...ofTwo.remarks.keys()], ofTwo.leftOut.size]).toEqual([[3], 0]);
});

test.each([
  ['수', '지'],
  ['+', '-'],
  ['in', 'OUT'],
  ['받음', '보냄'],
  ['들어온 돈', '나간 돈'],
  ['Income', 'Exp.'],
])(
  'IMP-9 the directions %s and %s are understood, and a mere symbol is asked about',
  async (received, spent) => {
    const amounts = async (one: string, other: string) =>
      (
        await checked([
          '날짜\t구분\t내용\t금액',
          `2026-11-02\t${one}\t회비\t45,000`,
          `2026-11-03\t${other}\t간식\t3,000`,
        ])
      ).rows.map(({ row }) => row?.entry.amount);
    expect(await amounts(received, spent)).toEqual([45_000, -3000]);
    expect(await amounts('▲', '▼')).toEqual([undefined, undefined]);
  },
);

test('IMP-9 goods that went back and a fee that was given back are flagged if the sign says the reverse', async () => {
  const { remarks } = await checked([
    '날짜\t내용\t금액',
    '2026-11-02\t토너 반품\t-8,000',
    '2026-11-03\t회비 반환 김가람\t50,000',
    '2026-11-04\t토너 반품\t8,000',
    '2026-11-05\t회비 반환 이나래\t-41,000',
  ]);
  expect([...remarks.keys()]).toEqual([1, 2]);
});

test('IMP-9 people below a line such as 미납자 명단 have paid nothing', async () => {
  const { leftOut } = await checked([
    '번호\t날짜\t내용\t수입\t지출',
    '1\t2026-11-02\t회비\t30,000\t',
    '미납자 명단\t\t\t\t',
    '2\t2026-11-20\t황하늘\t30,000\t',
    '2\t2026-11-20\t문보라\t30,000\t',
  ]);
  expect([...leftOut]).toEqual([3, 4]);
});

test('IMP-9 a date with another year than those above and below is flagged', async () => {
  const days = [
    '2026-11-02',
    '2026-11-03',
    '2025-11-04',
    '2026-11-05',
    '2026-11-06',
    '2026-01-11',
    '2026-11-12',
  ];
  const { remarks } = await checked([
    '날짜\t내용\t금액',
    ...days.map((day, at) => `${day}\t회비\t${at + 1}1,000`),
  ]);
  expect([...remarks.keys()]).toEqual([3, 6]);
});

test('IMP-9 dates of another year at the ends, of two neighbours, and of another month are flagged', async () => {
  const flagged = async (...days: string[]) => [
    ...(
      await checked(['날짜\t내용\t금액', ...days.map((day, at) => `${day}\t회비\t${at + 1}1,000`)])
    ).remarks.keys(),
  ];
  const march = ['2025-03-01', '2025-03-04', '2025-03-08', '2025-03-11', '2025-03-15', '2025-03-19'];
  expect(await flagged(...march)).toEqual([]);
  expect(await flagged('2024-03-01', ...march)).toEqual([1]);
  expect(await flagged(...march, '2024-03-22')).toEqual([7]);
  expect(await flagged('2024-12-20', '2024-12-27', '2024-01-03', '2024-01-10', ...march)).toEqual([3, 4]);
  expect(await flagged(...march, '2025-08-21', '2025-03-23')).toEqual([7]);
  // A book of a year, and one with a pause of half a year, are as they are.
  const year = Array.from({ length: 12 }, (_, at) => `2025-${String(at + 1).padStart(2, '0')}-05`);
  expect(await flagged(...year)).toEqual([]);
  expect(await flagged(...march, ...march.map((day) => day.replace('-03-', '-11-')))).toEqual([]);
});

test('IMP-9 a download that is in the file twice, and the details of a payment, are counted once', async () => {
  const header = '거래일시\t내용\t금액\t잔액';
  const rows = ['2026-11-02 09:11:33\t회비\t30,000\t30,000', '2026-11-03 10:00:00\t간식\t-3,000\t27,000'];
  expect([...(await checked([header, ...rows, header, ...rows])).leftOut]).toEqual([4, 5]);
  const timed = ['2026-11-02 09:11:33\t회비\t30,000', '2026-11-02 09:11:33\t회비\t30,000'];
  expect([...(await checked(['거래일시\t내용\t금액', ...timed])).leftOut]).toEqual([2]);
  const dinner = ['종강 회식\t-184,000', '- 1차 삼겹살\t-120,000', '- 2차 카페\t-64,000', '우표\t-700'];
  const { leftOut } = await checked(['날짜\t내용\t금액', ...dinner.map((words) => `2026-11-20\t${words}`)]);
  expect([...leftOut]).toEqual([2, 3]);
});

test('IMP-9 of a wide list without labels the first row is data', async () => {
  const row = (day: string) => `2026-11-${day} 20:29:15\t강카이\t30000\t0\t1230000`;
  const text = [row('01'), row('02')].join('\n');
  const { columns, rows } = await readImport(ledgerKind(parsePastedRows(text), options), text);
  expect([columns.headerAt, rows.length]).toEqual([-1, 2]);
});

test('IMP-9 a payment whose content says that it was not made is left out', async () => {
  const contents = [
    '[취소] 버스 대절',
    '간식(예정)',
    '취소 수수료',
    '예정 강의 교재',
    '김가람 안 냄',
    '간식 (아직 결제 안 함)',
  ];
  const { leftOut } = await checked([
    '날짜\t내용\t금액',
    ...contents.map((content, at) => `2026-11-0${at + 1}\t${content}\t-${at + 1}0,000`),
  ]);
  expect([...leftOut]).toEqual([1, 2, 5, 6]);
});

test.each([
  ['day first', '2026-05-11\t', '13/11/2026', '2026-11-05'],
  ['month first', '2026-05-11 14:03\t', '11/13/2026', '2026-11-05'],
])(
  'IMP-9 real dates beside texts of another order, %s, are flagged as exchanged',
  async (_, real, text, repair) => {
    const { rows } = await checked(['날짜\t내용\t금액', `${real}회비\t30,000`, `${text}\t회비\t30,000`]);
    expect(rows.map(({ doubts }) => doubts.map((each) => each.repair))).toEqual([[repair], []]);
    // A day above twelve shows that the real dates are as meant.
    const { rows: sure } = await checked([
      '날짜\t내용\t금액',
      `${real}회비\t30,000`,
      '2026-05-21\t회비\t30,000',
      `${text}\t회비\t30,000`,
    ]);
    expect(sure.flatMap(({ doubts }) => doubts)).toEqual([]);
  },
);

test('IMP-9 of what was charged and what is left after a discount the user chooses', () => {
  const undecided = (header: string) =>
    ledgerKind([header.split('\t'), ['2026-11-01', '가게', '30,000', '27,000']], options).undecided;
  expect(undecided('이용일\t가맹점\t이용금액\t청구금액')).toContain('withdrawal');
  expect(undecided('날짜\t내용\t금액\t실결제액')).toContain('amount');
  expect(undecided('이용일\t가맹점\t이용금액\t잔액')?.size).toBe(0);
});

test('IMP-9 a direction inside of other words, and a refund read as a spending, are told', async () => {
  const { remarks } = await checked(['날짜\t구분\t내용\t금액', '2026-11-03\t지출-비품\t토너\t3,000']);
  expect([...remarks.keys()]).toEqual([1]);
  const refunds = await checked(['날짜\t내용\t입금\t출금', '2026-11-01\t다이소 환불\t\t-12,000']);
  expect([...refunds.remarks.keys()]).toEqual([1]);
});

test.each([
  '소계(3월)',
  '총 납부액',
  '순수익',
  '차액',
  '10월에서 넘어온 금액',
  '당월 계',
  '3월 지출 계',
  '총합',
  '이월(2025)',
  'Carry over',
  'Balance b/f',
  '총 회비',
  '회비 총 수입',
  '작년에서 넘어온 돈',
  '시재금',
  '합계',
])('IMP-9 a dated row of %s is left out', async (words) => {
  const { rows } = await checked([HEADER, ...ROWS, `2026-11-30\t${words}\t70,000\t`]);
  expect(rows.at(-1)?.row?.isLeftOut ?? true).toBe(true);
});

test('IMP-9 days without a year have the year that the table names, and several years are asked', async () => {
  const rows = ['날짜\t내용\t금액', '3/2\t가\t1,000', '12/20\t나\t1,000'];
  const days = async (lines: readonly string[], names?: readonly string[]) =>
    (await checked(lines, names)).rows.map(({ row }) => row?.entry.datetime.slice(0, 10));
  const of2024 = ['2024-03-02', '2024-12-20'];
  expect(await days(['2024년 랩비 장부', ...rows])).toEqual(of2024);
  expect(await days(rows, ['2024년 랩비.csv'])).toEqual(of2024);
  expect(await days(rows, ['내역.xlsx', '2024'])).toEqual(of2024);
  expect(await days(rows.map((row, at) => `${row}\t${at === 0 ? '연도' : '2024'}`))).toEqual(of2024);
  expect(await days(rows, ['’24년 랩비'])).toEqual(of2024);
  expect(await days(rows, ['statement_20240302.csv'])).toEqual(['2026-03-02', '2025-12-20']);
  // A school year ends in the next one.
  expect(await days(rows, ['2024학년도'])).toEqual([undefined, undefined]);
  const sections = [
    '날짜\t내용\t금액',
    '2024년',
    '3/2\t가\t1,000',
    '2025년',
    '3/2\t나\t1,000',
    '2025-03-03\t다\t1,000',
  ];
  expect(await days(sections)).toEqual([undefined, undefined, undefined, undefined, '2025-03-03']);
});

test('IMP-9 a table below with its columns in another order is read by its own header', async () => {
  const { rows } = await checked([
    '날짜\t내용\t수입\t지출',
    '2026-10-03\t회비\t30,000\t',
    '2026-10-20\t커피\t\t15,000',
    '날짜\t내용\t지출\t수입',
    '2026-11-03\t회비\t\t30,000',
    '2026-11-08\t토너\t88,000\t',
  ]);
  expect(rows.flatMap(({ row }) => row?.entry.amount ?? [])).toEqual([30_000, -15_000, 30_000, -88_000]);
});

test.each([
  ['a payer beside a payee', '날짜\t보낸분\t받는분\t금액', '거래 상대'],
  ['a price beside a total', '날짜\t내용\t금액\t인원\t합계', '금액'],
  ['a price beside what was paid', '날짜\t내용\t금액\t할인\t결제금액', '금액'],
  ['a day in the book beside that of the payment', '날짜\t거래일자\t내용\t금액', '날짜'],
])('IMP-9 of %s the user chooses', async (_, header, label) => {
  const text = `${header}\n2026-11-02\t김모형\t랩비\t50,000\t50,000`;
  const { columns } = await readImport(ledgerKind(parsePastedRows(text), options), text);
  expect(columns.missing.filter(({ presence }) => presence !== 'optional').map((each) => each.label)).toEqual(
    [label],
  );
});

test('IMP-9 amounts that are deposits only for want of a sign or a word are known', async () => {
  const unsigned = async (lines: readonly string[]) =>
    (await checked(lines)).rows.map(({ row }) => row?.isUnsigned);
  const header = '날짜\t내용\t금액';
  expect(await unsigned([header, '2026-11-02\t가\t1,000', '2026-11-03\t나\t+2,000'])).toEqual([true, false]);
  expect(await unsigned([`${header}\t구분`, '2026-11-02\t가\t1,000\t입금'])).toEqual([false]);
  expect(await unsigned(['날짜\t내용\t입금', '2026-11-02\t가\t1,000'])).toEqual([false]);
  // A title says that the amounts are spendings.
  expect(await unsigned(['물품 구매 목록', header, '2026-11-02\t가\t1,000'])).toEqual([undefined]);
});

test.each([['₩ -'], ['NaN'], ['-'], ['']])('IMP-9 %o in one of two columns is no amount', async (none) => {
  const { rows } = await checked([
    HEADER,
    `2026-11-02\t가\t${none}\t3,000`,
    `2026-11-02\t나\t4,000\t${none}`,
  ]);
  expect(rows.map(({ row }) => row?.entry.amount)).toEqual([-3000, 4000]);
});

test('IMP-9 a date whose weekday is another one says so', async () => {
  const { rows } = await checked([HEADER, '2026-11-02(화)\t가\t\t3,000', '2026-11-02(월)\t나\t\t3,000']);
  expect(rows[0]?.errors[0]?.reason).toContain('요일이 다릅니다');
  expect(rows[1]?.row?.entry.datetime).toContain('2026-11-02');
});

test('IMP-9 a book that runs past New Year is told where its title names one year', async () => {
  const lines = ['2025년 2학기 랩비', '날짜\t내용\t금액', '9/3\t가\t-1', '12/30\t나\t-2', '1/5\t다\t-3'];
  expect([...(await checked(lines)).remarks.keys()]).toEqual([3]);
});

test('IMP-9 a month’s total under its only entry or by its name is left out', async () => {
  const rows = [HEADER, '2026-03-02\t가\t\t3,101', '2026-03-20\t나\t\t3,102'];
  expect([...(await checked([...rows, '2026-03-31\t3월 지출\t\t6,203'])).leftOut]).toEqual([3]);
  expect([...(await checked([...rows.slice(0, 2), '2026-03-31\t3월\t\t3,101'])).leftOut]).toEqual([2]);
  const twoMonths = [
    ...rows,
    '2026-03-31\t3월\t\t6,203',
    '2026-04-03\t다\t\t4,111',
    '2026-04-30\t4월\t\t4,111',
  ];
  expect([...(await checked(twoMonths)).leftOut]).toEqual([3, 5]);
  const equal = [HEADER, '2026-03-02\t입금\t50,000\t', '2026-03-20\t입금\t50,000\t'];
  expect((await checked(equal)).leftOut.size).toBe(0);
});

test.each([
  ['날짜\t사용처\t사용금액', ['2026-05-01\t서점\t8,801', '2026-05-02\t서점 취소\t-8,801'], [-8801, 8801]],
  ['이용일자\t가맹점\t이용금액', ['2026-05-01\t서점\t8,801'], [-8801]],
])(
  'IMP-9 amounts under %s are spendings, and a minus among them takes one back',
  async (header, lines, amounts) => {
    const { rows } = await checked([header, ...lines]);
    expect(rows.map(({ row }) => row?.entry.amount)).toEqual(amounts);
  },
);

test('IMP-9 of a header of unknown words below a title the user chooses every column', async () => {
  const text = '카드 이용내역\n언제\t어디서\t얼마\n2026-05-01\t서점\t8,801';
  const { columns } = await readImport(ledgerKind(parsePastedRows(text), options), text);
  expect(columns.columns.map(({ label }) => label)).toEqual(['언제', '어디서', '얼마']);
  expect(columns.missing.map(({ label }) => label)).toEqual(expect.arrayContaining(['날짜', '금액']));
});

test('IMP-9 a minus that takes a payment back does not make the amounts beside it deposits', async () => {
  const lines = ['날짜\t사용처\t금액', '2026-08-04\t다이소\t12,811', '2026-08-06\t다이소 취소\t-12,811'];
  expect((await checked(lines)).rows[0]?.errors[0]?.reason).toContain('입금인지 출금인지 알 수 없습니다');
});

test.each([
  ['비고', ['환불 예정', '환불예정', '버스 취소 요청', '반품 접수', '환불 못 받음', '완납'], [1, 2, 3, 4, 5]],
  ['환불상태', ['예정', '', '진행 중', '-', '미환불'], [1, 3]],
  ['취소 여부', ['대기', '아니오', '요청함', '정상'], [1, 3]],
  ['환불예정일', ['2026-12-01', ''], [1]],
])(
  'IMP-9 of a refund that the column %s says is to come the payment stays and is flagged',
  async (label, notes, lines) => {
    for (const sign of ['', '-']) {
      const { remarks, leftOut } = await checked([
        `날짜\t내용\t금액\t${label}`,
        ...notes.map((note, at) => `2026-11-0${at + 1}\t김가람\t${sign}${at + 1}0,000\t${note}`),
        '2026-11-09\t참가비\t900\t',
      ]);
      expect([...remarks.keys()]).toEqual(lines);
      expect(leftOut.size).toBe(0);
    }
    const inWords = await checked(['날짜\t내용\t금액', '2026-11-01\t버스 대절(환불 예정)\t+3,000']);
    expect([[...inWords.remarks.keys()], inWords.leftOut.size]).toEqual([[1], 0]);
  },
);

test('IMP-9 two totals below two entries are flagged, and two payments of other amounts are not', async () => {
  const rows = ['2026-11-02\t회비\t50,000\t', '2026-11-03\t간식\t\t12,000'];
  const flagged = async (...more: string[]) => {
    const { remarks, rows: read } = await checked([HEADER, ...rows, ...more]);
    return read.flatMap(({ line, row }) => (remarks.has(line) || row?.isLeftOut === true ? [line] : []));
  };
  expect(await flagged('2026-11-20\t수입계\t50,000\t', '2026-11-20\t지출계\t\t12,000')).toEqual([3, 4]);
  const named = ['2026-11-20\t들어온 것\t50,000\t', '2026-11-20\t나간 것\t\t12,000'];
  expect(await flagged(...named)).toEqual([3, 4]);
  expect(await flagged(...named.toReversed())).toEqual([3, 4]);
  expect(await flagged(...named, '2026-11-20\t다음 달로\t38,000\t')).toEqual([3, 4, 5]);
  expect(await flagged('2026-11-12\t이나래\t50,000\t', '2026-11-13\t커피\t\t11,000')).toEqual([]);
  expect(await flagged('2026-11-12\t이나래\t50,000\t')).toEqual([]);
});

test.each([
  ['spendings', ['300,000', '80,000', '500,000', '120,000', '40,000'], '지출'],
  ['deposits', ['5', '4', '3', '2', '1'], '입금'],
])(
  'ACC-12 a 잔액 beside %s that is no running balance is told once, and no row is marked',
  async (_, left, label) => {
    const lines = left.map(
      (rest, at) => `2026-11-0${at + 1}\t항목 ${at}\t${at + 1}0,000\t${rest}\t${at === 2 ? '취소' : ''}`,
    );
    const { gaps, isOtherBalance, leftOut } = await checked([`날짜\t내용\t${label}\t잔액\t비고`, ...lines]);
    expect([gaps.size, isOtherBalance]).toEqual([0, true]);
    // Such a table is from no bank, so a cancelled payment is left out.
    expect([...leftOut]).toEqual([3]);
  },
);

test('ACC-12 a running balance with a missing row, or with exchanged directions, still marks its rows', async () => {
  const bank = (label: string, balances: number[]) =>
    checked([
      `날짜\t내용\t${label}\t잔액`,
      ...balances.map((each, at) => `2026-11-0${at + 1}\t항목 ${at}\t${at + 1}000\t${each}`),
    ]);
  const gapsOf = ({ gaps, isOtherBalance }: Awaited<ReturnType<typeof bank>>) => [
    [...gaps.keys()],
    isOtherBalance,
  ];
  expect(gapsOf(await bank('입금', [1000, 3000, 9000, 13_000, 18_000]))).toEqual([[3], false]);
  expect(gapsOf(await bank('입금', [50_000, 48_000, 45_000, 41_000, 36_000]))).toEqual([[2, 3, 4, 5], false]);
  expect(gapsOf(await bank('입금', [1000, 5000]))).toEqual([[2], false]);
});

test.each(['수수료', '이체수수료(원)', '수수료 금액', 'Fee'])(
  'IMP-9 the sum of a column %s is told',
  async (label) => {
    const lines = [
      `날짜\t내용\t출금\t${label}`,
      '2026-11-01\t가\t5,000\t500',
      '2026-11-02\t나\t6,000\t0',
      '2026-11-03\t다\t7,000\t-1,000원',
    ];
    expect((await checked([...lines, '합계\t\t18,000\t1,500'])).fees).toBe(1500);
    expect(
      (await checked(lines.map((line) => line.replace(/[^\t]*$/, (fee) => (/\d/.test(fee) ? '0' : fee)))))
        .fees,
    ).toBe(0);
  },
);

test('ACC-12 a second amount that differs from the amount in few rows is told in these rows', async () => {
  const lines = ['5,000\t5,000', '6,000\t500', '7,000\t7,000', '8,000\t8,000', '9,000\t9,000'].map(
    (amounts, at) => `2026-11-0${at + 1}\t품목 ${at}\t${amounts}`,
  );
  const { remarks, leftOut } = await checked(['날짜\t내용\t출금\t실지급액', ...lines]);
  expect([...remarks]).toEqual([[2, '‘실지급액 500’ 표시가 있습니다. 금액을 확인하세요.']]);
  expect(leftOut.size).toBe(0);
  // A column of other numbers, such as a count, says nothing.
  const counts = lines.map((line, at) => line.replace(/[^\t]*$/, String(at)));
  expect((await checked(['날짜\t내용\t출금\t수량', ...counts])).remarks.size).toBe(0);
});

test('ACC-12 a word of cancelling with a number behind it leaves its row out', async () => {
  const lines = ['승인 88001', '취소 88002', '승인 88003'].map(
    (state, at) => `2026-11-0${at + 1}\t품목 ${at}\t-5,000\t${state}`,
  );
  expect([...(await checked(['날짜\t내용\t금액\t처리결과', ...lines])).leftOut]).toEqual([2]);
});

test('IMP-9 a unit in the name of the file or sheet is asked', () => {
  const table = parsePastedRows('날짜\t내용\t금액\n2026-11-01\t회비\t50');
  const unitOf = (...names: string[]) => ledgerKind(table, { ...options, names }).amountUnit?.won;
  expect(unitOf('장부.xlsx', '11월(단위 천원)')).toEqual([1, 1000]);
  expect(unitOf('회비_단위만원.csv')).toEqual([1, 10_000]);
  expect(unitOf('천원의 아침밥.xlsx', '11월')).toBeUndefined();
});

test('ACC-12 an amount that stands beside the sign of another currency is told', async () => {
  const rows = [
    'Overleaf 연간 $199\t-199',
    'Hotel Wien 240 EUR\t-240',
    'Overleaf $199\t-275,000',
    '간식 199\t-199',
  ];
  const lines = rows.map((row, at) => `2026-11-0${at + 1}\t${row}`);
  const { remarks } = await checked(['날짜\t내용\t금액', ...lines]);
  expect([...remarks.keys()]).toEqual([1, 2]);
});

test('ACC-12 words in brackets that may change what a column means are named, units and directions are not', () => {
  const named = (...labels: string[]) =>
    qualifiedLabels(labels.map((label) => ({ label, field: 'withdrawal' as const })));
  const odd = ['지출(예정)', '금액(누계)', '금액(VAT별도)', 'Amount (RMB)', '금액(1인당)', '금액(예산)'];
  expect(named(...odd)).toEqual(odd);
  expect(named('출금액(원)', '금액(천원)', '금액 (단위: 원)', '찾으신금액(출금)', '금액(+)', '금액')).toEqual(
    [],
  );
  expect(
    qualifiedLabels([
      { label: 'Date (UTC)', field: 'date' },
      { label: '날짜(YYYY-MM-DD)', field: 'date' },
    ]),
  ).toEqual(['Date (UTC)']);
  expect(qualifiedLabels([{ label: '비고(선택)', field: 'memo' }])).toEqual([]);
});

test('ACC-12 a payment that is written twice without time or balance is told, and stays', async () => {
  const rows = [
    '2026-11-01\t회비 김가람\t50,000',
    '2026-11-01\t회비 이나래\t50,000',
    '2026-11-01\t회비 김가람\t50,000',
  ];
  const { remarks, leftOut } = await checked(['날짜\t내용\t금액', ...rows]);
  expect([[...remarks.keys()], leftOut.size]).toEqual([[3], 0]);
});

test('ACC-12 a second amount is compared in the unit of the table', async () => {
  const lines = ['5\t5', '6\t0.5', '7\t7', '8\t8'].map(
    (amounts, at) => `2026-11-0${at + 1}\t품목 ${at}\t${amounts}`,
  );
  const text = ['날짜\t내용\t출금(천원)\t실지급액', ...lines].join('\n');
  const table = parsePastedRows(text);
  const { rows, columns } = await readImport(ledgerKind(table, { ...options, won: 1000 }), text);
  const beside = (line: number) => notesBeside(table[columns.headerAt + line] ?? [], columns.columns);
  expect(rows.map(({ row }) => row?.entry.amount)).toEqual([-5000, -6000, -7000, -8000]);
  expect([...checkStatement(rows, { won: 1000, beside }).remarks.keys()]).toEqual([2]);
});
