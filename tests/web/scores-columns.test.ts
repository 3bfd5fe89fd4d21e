import * as fc from 'fast-check';
import { propertyRuns } from '../support/counts.ts';
import { people, sheet } from '../support/score-tables.ts';
import { expect, test } from 'vitest';
import { readClass, repeatedIds } from '../../web/src/features/scores/columns/class-list.ts';
import {
  detectColumns,
  readPasted,
  unreadAdjustments,
} from '../../web/src/features/scores/columns/columns.ts';
import { readNumber } from '../../web/src/features/scores/numbers.ts';

const detect = (...lines: string[]) => detectColumns(readPasted(lines.join('\n')).table);

test.each([
  ['순번\t학번\t성명\t학과\t총점\t결석', { id: 1, name: 2, score: 4, attendance: 5 }],
  ['이름\t학번\t점수\t출석', { name: 0, id: 1, score: 2, attendance: 3 }],
  ['Name\tStudent ID\tScore\tAttendance', { name: 0, id: 1, score: 2, attendance: 3 }],
  ['id\tname\ttotal\tabsence', { id: 0, name: 1, score: 2, attendance: 3 }],
  [
    '학 번\t성 명\t기말\t중간\t합계(100)\t출석률(%)\t지각',
    {
      id: 0,
      name: 1,
      score: 4,
      attendance: 5,
      late: 6,
    },
  ],
  ['성명\t점수\t동점 기준', { name: 0, score: 1, tieBreak: 2 }],
])('SCO-1 the words of a header tell the columns: %s', (header, columns) => {
  expect(detect(header, header.replaceAll(/[^\t]+/g, '1'))).toMatchObject({ header: 0, columns });
});

test.each(['총 기간(분)', 'Duration (Minutes)', '참가 시간', '지각'])(
  'SCO-9 a single column %j is no score without a question',
  (label) => {
    const { columns } = detect(
      `이름\t이메일\t${label}`,
      '김가람\ta@univ.test\t95',
      '이나린\tb@univ.test\t40',
    );
    expect(columns.score).toBeUndefined();
  },
);

test('SCO-1 titles above the header are no students', () => {
  const mapping = detect('2026-1 임베디드 시스템', '', '이름\t학번\t점수', '김가람\t202600001\t90');
  expect(mapping).toEqual({ header: 2, columns: { name: 0, id: 1, score: 2 } });
  expect(
    readClass(readPasted('제목\n\n이름\t점수\n김가람\t90').table, { header: 2, columns: { name: 0 } }),
  ).toHaveLength(1);
});

test('SCO-1 a header below up to 19 lines of titles is found, and the first of several headers is taken', () => {
  const titles = [
    '○○대학교 성적표\t',
    '과목\t임베디드\t담당\t홍길동',
    '총점\t100점',
    '',
    '출력일\t2026-12-20',
  ];
  const lines = ['학번\t이름\t총점\t비고', ...sheet(['학번', '이름', '총점']).slice(1)];
  for (let above = 0; above < 20; above += 1) {
    const before = Array.from({ length: above }, (_, at) => titles[at % titles.length] ?? '');
    const second = ['학번\t이름\t총점\t비고\t결석', '202600009\t한가을\t70\t\t1'];
    const { table } = readPasted([...before, ...lines, ...second].join('\n'));
    const mapping = detectColumns(table);
    expect(mapping).toEqual({ header: above, columns: { id: 0, name: 1, score: 2 } });
    expect(readClass(table, mapping)[0]).toMatchObject({ row: above + 1, name: '김가람' });
  }
});

test('SCO-1 students above a header that only the second page has are not dropped', () => {
  const list = sheet(['학번', '이름', '총점']);
  const page = [...list.slice(1), ...list.slice(1).map((line) => line.replace('2026', '2025'))];
  const { table } = readPasted([...page, ...list].join('\n'));
  expect(detectColumns(table).header).toBeUndefined();
});

test.each([
  ['as pasted', ['학번\t이름\t성적\t\t\t총점', '\t\t시험(70%)\t\t과제(30%)\t', '\t\t중간\t기말\t1차\t']],
  [
    'as a file has merged cells',
    [
      '학번\t이름\t성적\t\t\t총점',
      '학번\t이름\t시험(70%)\t\t과제(30%)\t총점',
      '학번\t이름\t중간\t기말\t1차\t총점',
    ],
  ],
])('SCO-1 a header of three rows is read, and none of them is a student: %s', (_, header) => {
  const list = people.map((each) => [each.학번, each.이름, '30', '20', '10', each.총점].join('\t'));
  const { table } = readPasted(['2026-1 임베디드', ...header, ...list].join('\n'));
  const mapping = detectColumns(table);
  expect(mapping).toEqual({ header: 3, columns: { id: 0, name: 1, score: 5 } });
  expect(table[3]).toEqual(['학번', '이름', '중간', '기말', '1차', '총점']);
  expect(readClass(table, mapping).map(({ nonStudent }) => nonStudent)).toEqual(people.map(() => undefined));
});

const students = [
  ['1', '202600001', '김가람', '컴퓨터공학과', '38', '45', '83', '2'],
  ['2', '202600002', '이나린', '컴퓨터공학과', '35', '35', '70', '0'],
  ['3', '202600003', '박다온', '컴퓨터공학과', '40', '41', '81', '2'],
  ['4', '202600004', '최라온', '컴퓨터공학과', '20', '31', '51', '0'],
];
const of = (...columns: number[]) =>
  students.map((cells) => columns.map((column) => cells[column]).join('\t'));

test.each([
  ['name, id, score', of(2, 1, 6), { name: 0, id: 1, score: 2 }],
  ['number, id, name, department, score', of(0, 1, 2, 3, 6), { id: 1, name: 2, score: 4 }],
  ['score alone', of(6), { score: 0 }],
])('SCO-1 without a header the content tells the columns: %s', (_, lines, columns) => {
  expect(detect(...lines)).toEqual({ header: undefined, columns });
});

test('SCO-1 labels that say nothing are a header all the same, and content tells the rest beside labels', () => {
  expect(detect('가\t나\t다', ...of(2, 1, 6))).toEqual({ header: 0, columns: { name: 0, id: 1, score: 2 } });
  expect(detect('총점\t누구', ...of(6, 2))).toEqual({ header: 0, columns: { score: 0, name: 1 } });
  expect(detect('가람', '나린').columns.score).toBeUndefined();
});

test.each([
  ['85', 85],
  [' 85.5 ', 85.5],
  ['1,000', 1000],
  ['８５．５', 85.5],
  ['85점', 85],
  ['93 %', 93],
  ['−5', -5],
  ['.5', 0.5],
  ['0', 0],
])('SCO-4 %j is the number %d', (cell, number) => {
  expect(readNumber(cell)).toBe(number);
});

test.each([
  '',
  '-',
  '결시',
  'A+',
  '3/15',
  '95,5',
  '8 5',
  '1e3',
  '0x10',
  'Infinity',
  'NaN',
  '1,00',
  '8.5.',
  '십',
])('SCO-4 %j is no number', (cell) => {
  expect(readNumber(cell)).toBeUndefined();
});

test('SCO-1 ids that stand in more than one row are found, and names without an id', () => {
  const { table } = readPasted('1\t가\n2\t나\n1\t다\n\t라\n\t라\n3\t나');
  const rows = readClass(table, { header: undefined, columns: { id: 0, name: 1 } });
  expect(repeatedIds(rows)).toEqual(['1', '라']);
});

test('SCO-1 no paste stops the detection, and no column has two fields', () => {
  const cell = fc.constantFrom(
    '',
    '이름',
    '점수',
    '학번',
    '결석',
    '90',
    '1',
    '김가람',
    '202600001',
    '50%',
    'x y',
  );
  fc.assert(
    fc.property(
      fc
        .array(fc.array(cell, { maxLength: 7 }), { maxLength: 12 })
        .map((rows) => rows.map((row) => row.join('\t'))),
      (lines) => {
        const { columns } = detect(...lines);
        const taken = Object.values(columns);
        expect(new Set(taken).size).toBe(taken.length);
      },
    ),
    propertyRuns(300, 10_000),
  );
});

test('SCO-1 IMP-9 학번 counts before an ID of another system, and columns that change a score are named', () => {
  const { table } = readPasted(
    'ID\t학번\t이름\t점수\t보너스\n1\t202600001\t김가람\t80\t5\n2\t202600002\t이나래\t75\t0',
  );
  const mapping = detectColumns(table);
  expect(mapping.columns).toMatchObject({ id: 1, name: 2, score: 3 });
  expect(unreadAdjustments(table, mapping)).toEqual(['보너스']);
  const plain = readPasted(
    '학번\t이름\t과제\t총점\n202600001\t김가람\t10\t80\n202600002\t이나래\t9\t75',
  ).table;
  expect(unreadAdjustments(plain, detectColumns(plain))).toEqual([]);
});
