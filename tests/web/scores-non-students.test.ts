import * as fc from 'fast-check';
import { propertyRuns } from '../support/counts.ts';
import { bare, graded, type Line, lineOf, people, relative, sheet, ten } from '../support/score-tables.ts';
import { expect, test } from 'vitest';
import {
  draftOfWork,
  workFromDraft as keptWork,
} from '../../web/src/features/scores/classes/saved-classes.ts';
import { repeatedIds } from '../../web/src/features/scores/columns/class-list.ts';
import { withColumn } from '../../web/src/features/scores/columns/columns.ts';
import { studentsInTable } from '../../web/src/features/scores/grading/graded-class.ts';
import { GRADING_METHODS } from '../../web/src/features/scores/grading/methods.ts';
import { isSameClass, withTable } from '../../web/src/features/scores/paste/earlier-decisions.ts';
import { columnInPastedOrder } from '../../web/src/features/scores/print/copied-column.ts';
import { EMPTY_WORK, withExclusion, withMethod, type Work } from '../../web/src/features/scores/work.ts';

const options = propertyRuns(200, 10_000);

const words = [
  '평균 | 합계 | 총계 | 소계 | 최고 | 최저 | 최대값 | 최고점 | 만점 | 배점 | 표준편차 | 표준 편차 | 인원 | 총 인원 | 응시인원 | 학생 수',
  '전체 평균 | 1반 평균 | [합계] | 평균: | 평균 (Average) | 평균/Average | 계 | 총 45명 | 평균 78.5점 | 반영비율(%) | 상위 30%',
  '중앙값 | 과목 평균 점수 | Average | AVG. | Mean | Max | Minimum | Total | Class average | Std. Dev.',
  'Points Possible | Count | Full marks | Points | 포인트 | 응시자 10 | 결시자수 | 미응시 0 | 합격자 9 | 정답률 79 | Q1 | 25% | 1사분위 | 학과평균 | 표본수 | 범위 | 커트라인 | A컷 90 | B+ 컷 | 이하 여백 | ※ 3회 이상 결석은 F',
].flatMap((line) => line.split(' | '));

const labels = ['번호', '학번', '이름', '학과', '중간', '총점', '결석', '비고'];
const student = fc
  .tuple(fc.integer({ min: 0, max: 1000 }), fc.nat({ max: 100 }), fc.nat({ max: 16 }), fc.nat({ max: 9 }))
  .map(([total, part, absent, odd]) => ({
    총점: odd === 0 ? '결시' : String(total / 10),
    중간: String(part),
    결석: String(absent),
  }));
const syllables = '가나다라마바사아자차카타파하';
const anyClass = fc.array(student, { minLength: 4, maxLength: 40 }).map((students) =>
  students.map((cells, at): Line => ({
    ...cells,
    // A first line without a number may be a header.
    총점: at === 0 ? '50' : cells.총점,
    번호: String(at + 1),
    학번: String(202_600_001 + at * 7),
    이름: `김${syllables[at % 14] ?? ''}${syllables[Math.floor(at / 14)] ?? ''}`,
    학과: '컴퓨터공학과',
    비고: at % 5 === 0 ? '재수강' : '',
  })),
);

/** What a formula leaves in a column. */
const figure = fc.oneof(
  fc.nat({ max: 4000 }).map(String),
  fc.double({ min: 0, max: 100, noNaN: true }).map((value) => value.toFixed(2)),
  fc.constantFrom('40명', '-', '#DIV/0!', '93.5%'),
);
/** The word stands in one of the cells that say who it is; a row without a word says of nobody whose it is. */
const added = fc
  .record({
    word: fc.option(fc.constantFrom(...words)),
    place: fc.constantFrom('번호', '학번', '이름'),
    figures: fc.record({ 중간: figure, 총점: figure, 결석: figure }, { requiredKeys: ['총점'] }),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ word, place, figures, at }) => ({ word, place, figures, at }));

const columns = fc
  .tuple(
    fc.subarray(['번호', '학과', '중간', '결석', '비고']),
    fc.subarray(['학번', '이름'], { minLength: 1 }),
  )
  .map(([some, who]) => labels.filter((label) => label === '총점' || [...some, ...who].includes(label)));

/** The sheet as the user has it in hand, the column of the total chosen where the tool asks. */
function inHand(lines: readonly string[], columns: readonly string[], method: Work['rules']['method']): Work {
  const work = withMethod(withTable(EMPTY_WORK, lines.join('\n')), method);
  return work.mapping.columns.score === undefined ? withColumn(work, 'score', columns.indexOf('총점')) : work;
}

test('SCO-15 rows of figures at any place of a sheet change no grade, no column, no cut-off and no line of the copy', () => {
  fc.assert(
    fc.property(
      anyClass,
      columns,
      fc.array(added, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      fc.constantFrom(...GRADING_METHODS),
      (students, columns, rows, hasHeader, method) => {
        const place = (wanted: string) => (columns.includes(wanted) ? wanted : (columns[0] ?? ''));
        const lines: { text: string; student?: number }[] = students.map((cells, at) => ({
          text: lineOf(columns, cells),
          student: at,
        }));
        for (const { word, place: wanted, figures, at } of rows) {
          const cells = word === null ? figures : { ...figures, [place(wanted)]: word };
          lines.splice(Math.round(at * lines.length), 0, { text: lineOf(columns, cells) });
        }
        const header = hasHeader ? [columns.join('\t')] : [];
        const alone = inHand([...header, ...bare(columns, students)], columns, method);
        const work = inHand([...header, ...lines.map(({ text }) => text)], columns, method);
        expect(work.mapping).toEqual(alone.mapping);

        const expected = graded(alone);
        const { rows: shown, graded: result } = graded(work);
        expect(result.count).toBe(students.length);
        expect([result.counts, result.cutoffs, result.bands]).toEqual([
          expected.graded.counts,
          expected.graded.cutoffs,
          expected.graded.bands,
        ]);
        const copied = columnInPastedOrder('grades', shown, work.style).split('\r\n');
        const aside = columnInPastedOrder('grades', expected.rows, work.style).split('\r\n');
        expect(copied).toEqual(
          lines.map(({ student: whose }) => (whose === undefined ? '' : (aside[whose] ?? 'none'))),
        );
      },
    ),
    options,
  );
});

const plain = ['이름', '학번', '총점'];
const workOf = (lines: readonly string[]) => withTable(EMPTY_WORK, lines.join('\n'));
const leftOut = (work: Work) =>
  graded(work).rows.flatMap(({ leftOut, reason }) => (leftOut === undefined ? [] : [reason()]));

test.each(words)('SCO-15 a row called %j is left out, and says why', (word) => {
  const reason = `학번이 없는 ‘${word}’ 행이어서 제외했습니다.`;
  for (const labels of [plain, ['학번', '이름', '총점'], ['이름', '총점'], ['학번', '총점']]) {
    const [place = ''] = labels;
    const work = workOf(sheet(labels, [...people, { [place]: word, 총점: '100' }]));
    expect(leftOut(work), labels.join()).toEqual([reason]);
  }
});

test.each(words)('SCO-15 who is called %j and has a student number is a student', (word) => {
  const work = workOf(sheet(plain, [...people, { 이름: word, 학번: '202600009', 총점: '100' }]));
  expect(leftOut(work)).toEqual([]);
  expect(graded(work).rows.at(-1)?.grade).toBe('A');
});

test.each(['김평균', '최고은', '계수나', '만세라', '총명한', '전인원', 'Maxim Sum', 'Minh Totali', '한계'])(
  'SCO-15 %s is the name of a student, also in a list without numbers',
  (name) => {
    const work = workOf(sheet(['이름', '총점'], [...people, { 이름: name, 총점: '100' }]));
    expect(leftOut(work)).toEqual([]);
  },
);

test('SCO-15 what a formula makes of the numbers is no student number', () => {
  for (const id of ['202600002.5', '4', '4명', '202600004', '810,400,010']) {
    const work = workOf(sheet(plain, [...people, { 이름: '최고', 학번: id, 총점: '90' }]));
    expect(leftOut(work), id).toHaveLength(1);
    expect(repeatedIds(studentsInTable(work)), id).toEqual([]);
  }
});

test('SCO-15 a header that is repeated on every page and a row of nobody are left out', () => {
  const [first = {}, ...others] = people;
  const work = workOf([...sheet(plain, [first, { 총점: '50' }]), ...sheet(plain, others)]);
  expect(leftOut(work)).toEqual([
    '이름도 학번도 없는 행이어서 제외했습니다.',
    '학번이 없는 ‘이름’ 행이어서 제외했습니다.',
  ]);
  expect(graded(work).graded.count).toBe(4);
});

test('SCO-15 a count where student numbers are, in a row of figures without a label, is no student', () => {
  const listed = (idOf: (at: number) => string) =>
    people.map((_, at): Line => ({ 학번: idOf(at), 총점: String(90 - at) }));
  const count = (lines: readonly Line[]) => graded(workOf(sheet(['학번', '총점'], lines))).graded.count;
  const long = listed((at) => `20260000${at}`);
  expect(count([...long, { 학번: '10', 총점: '85.5' }])).toBe(people.length);
  expect(count(listed((at) => String(at + 1)))).toBe(people.length);
});

test('SCO-15 in a list that says of nobody whose a score is, every score is graded', () => {
  expect(graded(workOf(['총점', '90', '80', '70'])).graded.count).toBe(3);
  // A remark beside a few is no list of names.
  const remarks = workOf(['90\t', '80\t재수강', '71.5\t', '60\t', '50.5\t']);
  expect(graded(withColumn(remarks, 'score', 0)).graded.count).toBe(5);
});

test('SCO-15 a row that is a person after all is taken in, is kept so, and can be left out again', () => {
  const work = withTable(EMPTY_WORK, `${ten}\n최고\t\t100\t0`);
  expect(graded(work).rows.map(({ grade }) => grade)).toEqual([...relative, undefined]);
  const taken = withExclusion(work, 11, false);
  expect(graded(taken).rows.at(-1)).toMatchObject({ grade: 'A+', leftOut: undefined, isExcluded: false });
  expect(graded(taken).graded.count).toBe(11);
  expect(keptWork(JSON.parse(JSON.stringify(draftOfWork(taken))))).toEqual(taken);
  expect(withExclusion(taken, 11, true)).toEqual(work);
  expect(withExclusion(withExclusion(work, 1, true), 1, false)).toEqual(work);
});

test('SCO-15 two classes are not the same because both have an average', () => {
  const listOf = (names: string[]) =>
    workOf(['이름\t총점', ...names.map((name) => `${name}\t90`), '평균\t90']);
  expect(isSameClass(listOf(['김가람', '이나린']), listOf(['한여름', '한가을']))).toBe(false);
  expect(isSameClass(listOf(['김가람', '이나린']), listOf(['김가람', '한가을']))).toBe(true);
});

const remarked = (label: string, remarks: readonly string[]) =>
  workOf([
    ['이름', '학번', label, '총점'].join('\t'),
    ...remarks.map((remark, at) => ['김가람', String(202_600_001 + at), remark, String(90 - at)].join('\t')),
  ]);

test.each(['학적', '학적상태', '상태', '비고', '수강상태', '수강구분', 'Status', 'Remarks'])(
  'SCO-15 who the column %s calls gone takes no seat, and a remark that may mean so is said',
  (label) => {
    const gone = ['수강취소', '수강포기', '휴학', '일반휴학', '청강', '청강생', '자퇴', 'Withdrawn', 'Audit'];
    const unclear = [
      'P/F',
      '부정행위 0점',
      '휴학 예정',
      '수강포기 상담',
      'F(출석미달)',
      '결석 5회로 F',
      '낙제',
      'I (미완)',
      '성적보류',
    ];
    const plain = ['재학', '재수강', '', '복학', '지각 3회', '수강'];
    const work = remarked(label, [...gone, ...unclear, ...plain]);
    expect(leftOut(work)).toEqual(gone.map((word) => `표에 ‘${word}’ 표시가 있어 제외했습니다.`));
    const { rows, graded: result } = graded(work);
    expect(result.count).toBe(unclear.length + plain.length);
    expect(rows.flatMap(({ doubt }) => (doubt === '' ? [] : [doubt]))).toEqual(
      unclear.map((word) => `표에 ‘${word}’ 표시가 있습니다.`),
    );
    expect(graded(withExclusion(work, 1, false)).graded.count).toBe(unclear.length + plain.length + 1);
  },
);

test.each([
  ['신청구분', '수강취소', '신청'],
  ['취소여부', 'Y', 'N'],
  ['수강포기', 'O', ''],
  ['철회일', '2026-09-10', '-'],
  ['수강여부', 'X', 'O'],
  ['등록구분', '미등록', '등록'],
  ['Role', 'TA', 'Student'],
  ['Grade Basis', 'AU', 'GRD'],
  ['Grading Basis', 'AUD', 'GRD'],
  ['W', '○', ''],
  ['', '자퇴', ''],
])('SCO-15 who the column %s says has left takes no seat', (label, gone, stays) => {
  const lines = people.map((person, at): Line =>
    Object.assign({}, person, { [label]: at === 0 ? gone : stays }),
  );
  expect(leftOut(workOf(sheet([...plain, label], lines)))).toHaveLength(1);
});

test('SCO-15 who stands below a line such as ※ 수강철회자 takes no seat', () => {
  const [first = {}, second = {}, ...others] = people;
  const table = [...sheet(plain, [first, second]), '※ 수강철회자', ...sheet(plain, others).slice(1)];
  expect(graded(workOf(table)).graded.count).toBe(2);
});

test('SCO-15 who was absent on a day has not left', () => {
  const lines = people.map((person, at): Line =>
    Object.assign({}, person, { 출석여부: at === 0 ? 'X' : 'O' }),
  );
  expect(leftOut(workOf(sheet([...plain, '출석여부'], lines)))).toEqual([]);
});

test('SCO-15 whose name says 휴학 or 청강 in brackets takes no seat, and 재수강 does', () => {
  const remarks = ['(휴학)', ' [청강]', '(재수강)'];
  const numbered = people.map((person, at): Line =>
    Object.assign({}, person, { 학번: `${person.학번}${at === 0 ? '(휴학)' : ''}` }),
  );
  expect(leftOut(workOf(sheet(plain, numbered)))).toHaveLength(1);
  const lines = people.map((person, at): Line =>
    Object.assign({}, person, { 이름: `${person.이름}${remarks[at] ?? ''}` }),
  );
  expect(leftOut(workOf(sheet(plain, lines)))).toHaveLength(2);
});

test('SCO-15 nobody below a header with other columns is graded by the first, and its title is no student', () => {
  const second = (labels: string) =>
    workOf([
      '이름\t학번\t중간\t기말\t총점',
      '가람\t202600001\t40\t45\t85',
      '나람\t202600002\t30\t45\t75',
      '',
      '2분반',
      labels,
      '다람\t202600003\t95\t45\t50',
      '라람\t202600004\t65\t30\t35',
    ]);
  const below = '다른 머리글 아래의 행이어서 제외했습니다. 따로 붙여넣으세요.';
  const words = ['2분반', '이름'].map((word) => `학번이 없는 ‘${word}’ 행이어서 제외했습니다.`);
  expect(leftOut(second('이름\t학번\t총점\t중간\t기말'))).toEqual([...words, below, below]);
  expect(leftOut(second('이름\t학번\t과제\t퀴즈\t총점'))).toEqual([...words, below, below]);
  expect(leftOut(second('이름\t학번\t중간\t기말\t총점'))).toEqual(words);
});

test('SCO-15 an exchange student whose number is shorter and begins with a letter is a student', () => {
  const rows = Array.from({ length: 8 }, (_, at) => `202310000${at}\t김가람\t${60 + at}`);
  const work = withTable(
    EMPTY_WORK,
    ['학번\t이름\t총점', ...rows, 'E2026003\tEmma Müller\t80', '평균 74\t\t70'].join('\n'),
  );
  const left = studentsInTable(work).map(({ nonStudent }) => nonStudent?.kind);
  expect(left.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => undefined));
  expect(left[9]).toBeDefined();
});
