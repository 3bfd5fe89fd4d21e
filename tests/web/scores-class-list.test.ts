/** Which rows of a class sheet are students, and what is written beside their names and numbers. */
import { expect, test } from 'vitest';
import { graded } from '../support/score-tables.ts';
import { withTable } from '../../web/src/features/scores/paste/earlier-decisions.ts';
import { EMPTY_WORK, withExclusion } from '../../web/src/features/scores/work.ts';

/** Twelve students, with scores from 59 to 92. The cells of a row may be replaced. */
const listOf = (
  cells: Readonly<Record<number, { id?: string; name?: string }>>,
  idOf = (at: number) => `${20_261_111 + at * 37}`,
) =>
  Array.from({ length: 12 }, (_, at) =>
    [
      cells[at]?.id ?? idOf(at),
      cells[at]?.name ?? `김${'가나다라마바사아자차카타'[at]}솔`,
      `${92 - at * 3}`,
    ].join('\t'),
  );
const workOf = (lines: readonly string[]) => withTable(EMPTY_WORK, ['학번\t이름\t총점', ...lines].join('\n'));
const leftOut = (lines: readonly string[]) =>
  graded(workOf(lines)).rows.flatMap(({ leftOut, reason }) => (leftOut ? [reason()] : []));

const NO_NUMBERS = [
  '',
  '과락인원',
  'Top 30%',
  '24',
  '2026-12-20',
  '02분반',
  '이하 재수강생',
  '작성: 조교 2026.12.20',
];
test.each(NO_NUMBERS)(
  'SCO-15 in a class of student numbers a row with %j for a number is no student',
  (id) => {
    for (const idOf of [
      (at: number) => `${20_261_111 + at}`,
      (at: number) => `2026-${1111 + at}`,
      (at: number) => `B${811_111 + at}`,
      (at: number) => (at % 3 === 0 ? `E202611${10 + at}` : `${20_261_111 + at}`),
    ])
      for (const name of ['', '제출자 평균', '김가람']) {
        if (id === '' && name === '') continue;
        const row = [id, name, '74'].join('\t');
        for (const at of [0, 5, 12]) {
          const lines = listOf({}, idOf).toSpliced(at, 0, row);
          expect(leftOut(lines), idOf(0)).toHaveLength(1);
          const work = workOf(lines);
          expect(graded(work).graded.count).toBe(12);
          expect(graded(withExclusion(work, at + 1, false)).graded.count).toBe(13);
        }
      }
  },
);

test('SCO-15 whoever has a number of another length, or a mark beside the number, is a student', () => {
  const ids = [
    '2026111',
    '202611119',
    'E2026111',
    '2026-1111',
    '20261111.0',
    '20269999 재',
    '20268888(교환)',
    '２０２６７７７７',
  ];
  for (const id of ids) expect(leftOut(listOf({ 4: { id } })), id).toEqual([]);
});

test('SCO-15 where few rows have a number, a row without one is a student', () => {
  const few = listOf({}, (at) => (at < 6 ? `${20_261_111 + at}` : ''));
  expect(leftOut(few)).toEqual([]);
  expect(leftOut(listOf({}, (at) => (at === 3 ? '' : `user${String(at)}`)))).toHaveLength(1);
});

test('SCO-15 a line such as 이하 청강생 is no student itself, in any column and without student numbers', () => {
  for (const label of ['이하 청강생', '\t이하 청강생', '이하 청강생\t이하 청강생\t이하 청강생']) {
    const { rows, graded: result } = graded(workOf(listOf({}).toSpliced(8, 0, label)));
    expect(result.count, label).toBe(8);
    expect(rows[8]?.leftOut).toEqual({ kind: 'word', word: '이하 청강생' });
  }
  const names = listOf({}).map((line) => line.split('\t').slice(1).join('\t'));
  const work = withTable(EMPTY_WORK, ['이름\t총점', ...names.toSpliced(8, 0, '이하 청강생')].join('\n'));
  expect(graded(work).graded.count).toBe(8);
});
