/** Which rows of a class sheet are students, and what is written beside their names and numbers. */
import { expect, test } from 'vitest';
import { graded } from '../support/score-tables.ts';
import { withTable } from '../../web/src/features/scores/paste/earlier-decisions.ts';
import { repeatedIds } from '../../web/src/features/scores/columns/class-list.ts';
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
  expect(leftOut(listOf({ 4: { id: '김가람', name: '20269999' } }))).toEqual([]);
});

test('SCO-15 where few rows have a number, a row without one is a student', () => {
  const few = listOf({}, (at) => (at < 6 ? `${20_261_111 + at}` : ''));
  expect(leftOut(few)).toEqual([]);
  expect(leftOut(listOf({ 3: { id: 'gildong@univ.test' } }, (at) => `s${2026 + at}@univ.test`))).toEqual([]);
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

const NAME_MARKS = [
  ['청강', ['$-청강', '청강 $', '[청강] $', '$（청강）', '$_청강', '$ 청강', '$*청강', '$/청강', '$ (청강)']],
  ['군휴학', ['$(군휴학)', '$-군휴학', '【군휴학】$']],
] as const;
test.each(NAME_MARKS)('SCO-15 who has %s beside the name at any place takes no seat', (word, places) => {
  for (const place of places)
    for (const name of ['김가람', '김 가람', '남궁가람', 'Anna Able'].slice(0, place.includes('$ ') ? 1 : 4))
      expect(leftOut(listOf({ 3: { name: place.replace('$', name) } })), `${place} ${name}`).toEqual([
        `표에 ‘${word}’ 표시가 있어 제외했습니다.`,
      ]);
});

const quoted = (cell: string) => (cell.includes('\n') ? `"${cell}"` : cell);
const doubts = (lines: readonly string[]) =>
  graded(workOf(lines)).rows.flatMap(({ doubt, flag }) => {
    expect(flag === 'doubt').toBe(doubt !== '');
    return doubt === '' ? [] : [doubt];
  });

const MARKS =
  '(교환)|(W)|(F)|_재수강|(재)|*| ※|★|(추가시험)| 2차|-재수강|[편입]|+3|?|!|/계절 학기| 결시|W|\n(Exchange)';
test.each(MARKS.split('|'))('SCO-15 SCO-19 %j beside one name is said', (mark) => {
  const said = `이름에 ‘${mark.replace('\n', ' ').trim()}’ 표시가 있습니다.`;
  expect(doubts(listOf({ 3: { name: quoted(`김가람${mark}`) } }))).toEqual([said]);
});

test.each(['(교환)', '(F)', '[편입]', '★', '※ ', '*', '1. '])(
  'SCO-15 SCO-19 %j before one name is said',
  (mark) => {
    expect(doubts(listOf({ 3: { name: `${mark}김가람` } }))).toEqual([
      `이름에 ‘${mark.trim()}’ 표시가 있습니다.`,
    ]);
  },
);

test.each(['W', '(재)', '*', '편입', '/2'])('SCO-15 SCO-19 %j beside one number is said', (mark) => {
  const said = [`학번에 ‘${mark}’ 표시가 있습니다.`];
  expect(doubts(listOf({ 3: { id: `20269333${mark}` } }))).toEqual(said);
  expect(doubts(listOf({ 3: { id: `20269333 ${mark}` } }))).toEqual(said);
  for (const gone of [' 청강', '(청강)', '청강', '-청강'])
    expect(leftOut(listOf({ 3: { id: `20269333${gone}` } }))).toEqual([
      '표에 ‘청강’ 표시가 있어 제외했습니다.',
    ]);
});

test('SCO-19 names of any country, a letter that tells apart, and what many rows have are no marks', () => {
  const names = [
    '김 가람|남궁 민수|마이클·존·스미스|응우옌 반 아잉|NGUYEN VAN A|Jean-Paul Martin|O’Neil, Anna|Müller J.',
    'Anna Drop|Josef Su|Kim No|王小明|Nguyễn Văn An|이청강|김 청강|Wolf I. Will',
  ].flatMap((line) => line.split('|'));
  for (const name of names) expect(doubts(listOf({ 3: { name } })), name).toEqual([]);
  for (const name of names) expect(leftOut(listOf({ 3: { name } })), name).toEqual([]);
  for (const [one, other] of [
    ['A', 'B'],
    ['1', '2'],
    ['(A)', '(B)'],
    ['', 'B'],
    [' 1', ' 2'],
    ['-1', '-2'],
  ])
    expect(doubts(listOf({ 3: { name: `김가람${one}` }, 7: { name: `김가람${other}` } }))).toEqual([]);
  for (const mark of ['(Kim Garam)', '*', ' 1', '_01', '-CSE'])
    expect(
      doubts(
        listOf({
          1: { name: `가람${mark}` },
          3: { name: `나람${mark}` },
          7: { name: `다람${mark}` },
          9: { name: `라람${mark}` },
        }),
      ),
    ).toEqual([]);
  expect(doubts(listOf({}, (at) => `2026${1111 + at}(학부)`))).toEqual([]);
  expect(doubts(listOf({}, (at) => `user${at}@univ.test`))).toEqual([]);
});

test('SCO-1 a student who is there twice is found however the number is written, or the name without one', () => {
  const again = (id: string, name = '김가솔') =>
    repeatedIds(graded(workOf([...listOf({}), [id, name, '50'].join('\t')])).rows);
  for (const id of ['20261111', '2026-1111', '20261111.0', '２０２６１１１１', '20261111 재', '020261111'])
    expect(again(id), id).toEqual(['20261111']);
  for (const id of ['20269999', '20261112', '12026111']) expect(again(id), id).toEqual([]);
  const names = withTable(EMPTY_WORK, '이름\t총점\n김가람\t90\n이나린\t80\n김 가람\t70');
  expect(repeatedIds(graded(names).rows)).toEqual(['김가람']);
});

test.each(['출석', '결석', '지각', '동점기준'])(
  'SCO-15 휴학 or 미달F in the column %s counts as in 비고',
  (label) => {
    const lines = listOf({}).map(
      (line, at) => `${line}\t${['1', '휴학', '미달F', '-', '2회', '95%'][at] ?? '0'}`,
    );
    const { rows } = graded(withTable(EMPTY_WORK, [`학번\t이름\t총점\t${label}`, ...lines].join('\n')));
    expect(rows[1]?.reason()).toBe('표에 ‘휴학’ 표시가 있어 제외했습니다.');
    expect(rows.map(({ doubt }) => doubt).filter(Boolean)).toEqual(['표에 ‘미달F’ 표시가 있습니다.']);
  },
);
