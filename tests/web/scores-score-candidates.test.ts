import * as fc from 'fast-check';
import { propertyRuns } from '../support/counts.ts';
import { expect, test } from 'vitest';
import { columnName } from '../../web/src/features/scores/columns/class-list.ts';
import {
  detectColumns,
  withColumn,
  scoreCandidates,
  readPasted,
  withHeader,
} from '../../web/src/features/scores/columns/columns.ts';
import { withTable } from '../../web/src/features/scores/paste/earlier-decisions.ts';
import { EMPTY_WORK } from '../../web/src/features/scores/work.ts';

const options = propertyRuns(1000, 20_000);

const ROWS = 12;
const perRow = (cell: fc.Arbitrary<string>) => fc.array(cell, { minLength: ROWS, maxLength: ROWS });
const number = (max: number) => fc.integer({ min: 0, max }).map(String);
const name = fc
  .array(fc.constantFrom('가', '나', '다', '라', '마', '바', '사', '아'), { minLength: 2, maxLength: 3 })
  .map((letters) => `김${letters.join('')}`);

type Kind = 'total' | 'part' | 'never';
type Made = { label: string; kind: Kind; cells: string[] };

const made = (kind: Kind, labels: string[], cells: fc.Arbitrary<string[]>): fc.Arbitrary<Made> =>
  fc.record({ label: fc.constantFrom(...labels), kind: fc.constant(kind), cells });

const scores = fc.oneof(
  perRow(number(100)),
  perRow(number(1000).map((text) => `${Number(text) / 10}`)),
  perRow(fc.oneof(number(100), fc.constantFrom('결시', '', '-'))),
  perRow(number(100).map((text) => `${text}점`)),
);
/** At least one number, so that the column can be a score at all, and not only what could be years of study. */
const filled = scores.map((cells) => cells.with(0, '77').with(1, '91.5').with(2, '60'));

const total = made(
  'total',
  ['총점', '합계', '점수', '환산점수', 'Total', '합계(100)', '총 점', 'score'],
  filled,
);
const part = made(
  'part',
  [
    '중간',
    '기말',
    '과제',
    '퀴즈',
    '중간고사',
    '기말점수',
    '점수(중간)',
    '발표',
    '실습',
    'midterm',
    'HW 1',
    '가산점',
  ],
  filled,
);
const never = fc.oneof(
  made('never', ['번호', '순번', '일련번호', '연번', 'No', 'No.'], perRow(number(900))),
  made('never', ['학년'], perRow(fc.constantFrom('1', '2', '3', '4'))),
  made('never', ['출석', '결석', '출석률(%)', '지각', '결석 횟수'], perRow(number(30))),
  made(
    'never',
    ['연락처', '휴대폰', '전화번호', '비고', '분반'],
    perRow(fc.constantFrom('01012345678', '+821012345678', '1', '')),
  ),
  made('never', ['학과', '신분', '비고'], perRow(fc.constantFrom('컴퓨터공학과', '재학', '1'))),
);
const id: fc.Arbitrary<Made> = fc.constantFrom('학번', '학생 번호', 'Student ID').map((label) => ({
  label,
  kind: 'never',
  cells: Array.from({ length: ROWS }, (_, at) => `2026${at + 10000}`),
}));

const anyTable = fc
  .tuple(
    made('never', ['이름', '성명', '학생명'], perRow(name)),
    id,
    fc.array(total, { maxLength: 2 }),
    fc.array(part, { maxLength: 4 }),
    fc.array(never, { maxLength: 4 }),
  )
  .chain(([name, id, totals, parts, never]) =>
    fc.shuffledSubarray([name, id, ...totals, ...parts, ...never], {
      minLength: 2 + totals.length + parts.length,
    }),
  );

const textOf = (columns: readonly Made[], hasHeader: boolean) =>
  [
    ...(hasHeader ? [columns.map(({ label }) => label)] : []),
    ...Array.from({ length: ROWS }, (_, row) => columns.map(({ cells }) => cells[row] ?? '')),
  ]
    .map((cells) => cells.join('\t'))
    .join('\n');

test('SCO-9 of several columns that could be the score none is taken, unless exactly one is called the total', () => {
  fc.assert(
    fc.property(anyTable, (columns) => {
      const table = readPasted(textOf(columns, true)).table;
      const mapping = detectColumns(table);
      const totals = columns.filter(({ kind }) => kind === 'total');
      const parts = columns.filter(({ kind }) => kind === 'part');
      const plausible = [...totals, ...parts];
      const right = totals.length === 1 ? totals : plausible;
      const taken = columns[mapping.columns.score ?? -1];
      expect([undefined, right.length === 1 ? right[0] : undefined]).toContain(taken);
      expect(totals.length === 1 && !taken).toBe(false);
      const asked = scoreCandidates(table, mapping).map(({ column }) => columns[column]);
      expect(new Set(taken ? plausible : asked)).toEqual(new Set(plausible));
    }),
    options,
  );
});

test('SCO-9 without a header as well, and no id, serial number, year of study or phone number is ever taken', () => {
  const serial: fc.Arbitrary<Made> = fc.constant({
    label: '',
    kind: 'never',
    cells: Array.from({ length: ROWS }, (_, at) => String(at + 1)),
  });
  const gaps: fc.Arbitrary<Made> = fc
    .uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: ROWS, maxLength: ROWS })
    .map((numbers) => ({ label: '', kind: 'never', cells: numbers.sort((a, b) => a - b).map(String) }));
  const year = made('never', [''], perRow(fc.constantFrom('1', '2', '3', '4')));
  const phone = made(
    'never',
    [''],
    perRow(
      fc.integer({ min: 10_000_000, max: 99_999_999 }).chain((n) => fc.constantFrom(`010${n}`, `+8210${n}`)),
    ),
  );
  fc.assert(
    fc.property(
      fc
        .tuple(
          id,
          fc.array(part, { maxLength: 3 }),
          fc.subarray([serial, gaps, year, phone]).chain((few) => fc.tuple(...few)),
        )
        .chain(([id, parts, never]) =>
          fc.shuffledSubarray([id, ...parts, ...never], { minLength: parts.length + 1 }),
        ),
      (columns) => {
        const mapping = detectColumns(readPasted(textOf(columns, false)).table);
        const parts = columns.filter(({ kind }) => kind === 'part');
        const taken = columns[mapping.columns.score ?? -1];
        expect([undefined, parts.length === 1 ? parts[0] : undefined]).toContain(taken);
      },
    ),
    options,
  );
});

const rows = [
  '김가람\t202600001\t52\t91\t88',
  '이나린\t202600002\t98\t40\t60',
  '박다온\t202600003\t70\t70\t71',
];
const table = (header: string) => readPasted([header, ...rows].join('\n')).table;
const asks = (header: string) => {
  const mapping = detectColumns(table(header));
  expect(mapping.columns.score).toBeUndefined();
  return scoreCandidates(table(header), mapping).map(({ column }) =>
    columnName(table(header), mapping, column),
  );
};

test('SCO-9 the question names what could be the score, a total first', () => {
  expect(asks('이름\t학번\t중간\t기말\t출석')).toEqual(['중간', '기말']);
  expect(asks('이름\t학번\t과제\t합계\t총점')).toEqual(['합계', '총점', '과제']);
  // What stands above several columns is the name of none of them.
  expect(asks('이름\t학번\t점수\t\t출석')).toEqual(['점수', '4번째 열']);
  expect(asks('이름\t학번\t점수(중간)\t점수(기말)\t출석')).toEqual(['점수(중간)', '점수(기말)']);
  // A part of the score that is called after attendance is no attendance.
  expect(asks('이름\t학번\t과제\t출석점수\t결석')).toEqual(['과제', '출석점수']);
  expect(asks('이름\t학번\t번호\t출석점수\t결석')).toEqual(['출석점수']);
});

test('SCO-9 a total that is still empty is asked about, the sum of the others is pointed out', () => {
  const empty = readPasted('이름\t총점\t기말\n김가람\t\t90\n이나린\t\t80').table;
  expect(detectColumns(empty).columns.score).toBeUndefined();
  const sum = readPasted(
    '김가람\t202600001\t38\t45\t83\n이나린\t202600002\t35\t36\t71\n박다온\t202600003\t20\t31\t51',
  ).table;
  const candidates = scoreCandidates(sum, detectColumns(sum));
  expect(candidates.map(({ column, isSum }) => [column, isSum])).toEqual([
    [2, false],
    [3, false],
    [4, true],
  ]);
});

test.each(['2 1 0', '8 0 3', '15 14 7', '0 0 0', '48 2 30'])(
  'SCO-9 a lone column of small whole numbers without a name may be attendance, and is asked about: %s',
  (cells) => {
    const lines = cells
      .split(' ')
      .map((cell, row) => `${['김가', '이나', '박다'][row]}\t2021000${row}\t${cell}`);
    const bare = readPasted(lines.join('\n')).table;
    expect(detectColumns(bare).columns.score).toBeUndefined();
    expect(scoreCandidates(bare, detectColumns(bare)).map(({ column }) => column)).toEqual([2]);
    const named = readPasted(['이름\t학번\t총점', ...lines].join('\n')).table;
    expect(detectColumns(named).columns.score).toBe(2);
  },
);

test('SCO-1 SCO-9 what the user answers is the score, and another row as the header asks again', () => {
  const work = withTable(EMPTY_WORK, ['이름\t학번\t중간\t기말\t출석', ...rows].join('\n'));
  expect(withColumn(work, 'score', 3).mapping.columns).toEqual({ name: 0, id: 1, score: 3, attendance: 4 });
  expect(withHeader(withColumn(work, 'score', 3), 0).mapping.columns.score).toBeUndefined();
  const plain = withTable(EMPTY_WORK, rows.map((row) => row.split('\t').slice(0, 4).join('\t')).join('\n'));
  expect(plain.mapping.columns).toEqual({ name: 0, id: 1 });
  expect(withColumn(plain, 'score', 2).mapping.columns).toEqual({ name: 0, id: 1, score: 2, attendance: 3 });
});

test('SCO-1 a student of a department that is called like a column is no header', () => {
  const lines = ['김가람\t202600001\t전공\t90', '이나린\t202600002\t교양\t80'];
  expect(detectColumns(readPasted(lines.join('\n')).table).header).toBeUndefined();
});

test.each([
  ['이름\t학번\t중간\t기말\t출석', '10'],
  ['이름\t학번\t중간\t기말\t출석', ''],
  ['이름\t학번\t중간\t기말\t출석', '-'],
  ['이름\t학번\t중간\t기말\t출석', '미응시'],
  ['성명\t학번\t중간고사(30)\t기말고사(40)\t출석(10)', ''],
  ['이름\t학번\t중간 30%\t과제 20%\t결석', ''],
  ['Name\tStudent ID\tMidterm\tFinal exam\tAttendance', ''],
  ['학번\t이름\t1차 시험\t2차 시험\t지각', ''],
])(
  'SCO-9 45 students headed %j, the second part %j: never graded by the first part alone',
  (header, second) => {
    const lines = Array.from({ length: 45 }, (_, at) => {
      const person = [`김가람${at}`, String(202_600_001 + at)];
      const isIdFirst = header.startsWith('학번');
      return [
        ...(isIdFirst ? person.toReversed() : person),
        String(40 + ((at * 7) % 60)),
        second,
        String(at % 4),
      ].join('\t');
    });
    const all = [header, ...lines].join('\n');
    expect(detectColumns(readPasted(all).table).columns.score).toBeUndefined();
    // With a title above, as CSV, and as a table whose cells are quoted.
    expect(detectColumns(readPasted(`2026-2 운영체제\n${all}`).table).columns.score).toBeUndefined();
    expect(detectColumns(readPasted(all.replaceAll('\t', ',')).table).columns.score).toBeUndefined();
    // A table without a header tells even less.
    expect(detectColumns(readPasted(lines.join('\n')).table).columns.score).toBeUndefined();
    const quoted = all.replaceAll(/[^\t\n]+/g, (cell) => `"${cell}"`);
    expect(detectColumns(readPasted(quoted).table).columns.score).toBeUndefined();
  },
);

test.each(['조정 총점', '최종', '총점(조정)', '보정 후 점수', 'Adjusted total'])(
  'SCO-9 a total beside %s is asked for, and without it is certain',
  (label) => {
    const lines = (last: string) => [
      `이름\t학번\t총점\t가산점\t${last}`,
      '가람\t202600001\t90\t0\t95',
      '나람\t202600002\t81\t2\t83',
    ];
    const scoreOf = (last: string) => detectColumns(readPasted(lines(last).join('\n')).table).columns.score;
    expect([scoreOf(label), scoreOf('기말'), scoreOf('Final')]).toEqual([undefined, 2, 2]);
  },
);

test('SCO-9 a total of the columns on its left alone is asked about while other parts stand on its right', () => {
  const scoreOf = (header: string, sumOf: number) => {
    const rows = Array.from({ length: 8 }, (_, at) => {
      const numbers = [3 + at, 20 + ((at * 7) % 11), 15 + ((at * 5) % 13), 30 + at, 40 + ((at * 3) % 17)];
      const left = numbers.slice(0, sumOf);
      return [
        `김가${'나다라마바사아자'[at]}`,
        ...left,
        left.reduce((a, b) => a + b),
        ...numbers.slice(sumOf),
      ].join('\t');
    });
    const { table } = readPasted([header, ...rows].join('\n'));
    const { score } = detectColumns(table).columns;
    return score === undefined ? undefined : table[0]?.[score];
  };
  expect(scoreOf('이름\t과제1\t과제2\t과제3\t합계\t중간\t기말', 3)).toBeUndefined();
  expect(scoreOf('이름\t중간\t기말\t합계\t과제\t출석\t발표', 2)).toBeUndefined();
  expect(scoreOf('이름\t과제1\t과제2\t과제3\t중간\t기말\t총점', 5)).toBe('총점');
});
