import { subjectListSchema } from '#contract/subjects';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timetableKind } from '../../web/src/features/subjects/timetable-kind.ts';
import { propertyRuns } from '../support/counts.ts';
import { readImport } from '../support/read-import.ts';

const runs = propertyRuns(200, 5000);

const read = async (text: string, isGraduate: boolean) => {
  const { good, ...others } = await readImport(timetableKind(isGraduate), text);
  return { ...others, good: good.map(({ subject }) => subject) };
};
const paste = (...rows: string[][]) => rows.map((row) => row.join('\t')).join('\r\n');

describe('a pasted timetable', () => {
  test('SUB-4 columns are found by their labels in any order', async () => {
    const text = paste(
      ['2026학년도 2학기 시간표'],
      ['No', '담당교수', '교과목명', '과목코드', '학년', '구분', '학점', '시간', '강의실', '비고'],
      ['1', '한가람', '운영체제', '001234', '2학년', '전필', '3-2-1', '월1,2/수3', '공502', ''],
      ['2', '윤서준', '사물인터넷', 'CS 301', '３', '전선', '3.0', '화(10:00-11:50)', '', '영어 강의'],
    );
    const { good, bad, columns } = await read(text, false);
    expect(columns).toMatchObject({ headerAt: 1, notes: ['알 수 없는 열: No'] });
    expect(columns.problem).toBeUndefined();
    expect(bad).toEqual([]);
    expect(good).toEqual([
      {
        id: '001234',
        name: '운영체제',
        year: 2,
        type: '전필',
        score: 3,
        prof: '한가람',
        time: '월1,2/수3',
        classroom: '공502',
        etc: '',
      },
      {
        id: 'CS 301',
        name: '사물인터넷',
        year: 3,
        type: '전선',
        score: 3,
        prof: '윤서준',
        time: '화(10:00-11:50)',
        classroom: '',
        etc: '영어 강의',
      },
    ]);
  });

  test('SUB-4 bad rows are named with their number and the reason, the others are read', async () => {
    const text = paste(
      ['학수번호', '과목명', '학년', '학점'],
      ['A1', '가', '1', '3'],
      ['', '나', '1', '3'],
      ['A3', '', '1', '3'],
      ['A4', '라', '전체', '3'],
      ['A5', '마', '1', '세'],
      ['A1', '바', '1', '3'],
      ['A7', '사', '1', '99'],
    );
    const { good, bad } = await read(text, false);
    expect(good.map(({ id }) => id)).toEqual(['A1']);
    expect(bad).toEqual([
      '2 학수번호가 비어 있습니다',
      '3 과목명이 비어 있습니다',
      '4 학년 값을 읽을 수 없습니다: 전체',
      '5 학점 값을 읽을 수 없습니다: 세',
      '6 1행과 학수번호가 같습니다: A1. 분반이 다르면 분반 열도 가져오고, 시간이 두 줄이면 1행에 이어 적으세요',
      '7 학점이 너무 길거나 범위를 벗어났습니다',
    ]);
  });

  test('SUB-4 sections of a subject are kept apart by their number', async () => {
    const text = paste(
      ['학수번호', '분반', '교과목명', '학년'],
      ['A1', '01', '가', '1'],
      ['A1', '02', '가', '1'],
    );
    expect((await read(text, false)).good.map(({ id }) => id)).toEqual(['A1-01', 'A1-02']);
    const dated = await read(text.replace('02', '2026-01-02'), false);
    expect(dated.rows.map(({ doubts }) => doubts.map(({ field, repair }) => `${field} ${repair}`))).toEqual([
      [],
      ['section 1-2'],
    ]);
  });

  test('IMP-7 SUB-4 a time that is not read whole, and a cancelled course, are flagged; an unknown time is not', async () => {
    const text = paste(
      ['학수번호', '과목명', '학년', '강의시간', '비고'],
      ['A1', '가', '1', '월1-3(격주)', ''],
      ['A2', '나', '1', '월10-12', ''],
      ['A3', '다', '1', '미정', ''],
      ['A4', '라', '1', '월1', '폐강'],
      ['A6', '바', '1', '월2', '개설 취소'],
      ['A5', '마', '1', '월1 홍보강', ''],
    );
    const { rows } = await read(text, false);
    expect(rows.map(({ doubts }) => doubts.map(({ field }) => field))).toEqual([
      [],
      ['time'],
      [],
      ['etc'],
      ['etc'],
      ['time'],
    ]);
  });

  test('SUB-4 a graduate school needs no grade, an undergraduate department does', async () => {
    const text = paste(['코드', '과목명'], ['G1', '특론']);
    expect((await read(text, true)).good).toMatchObject([{ year: 0 }]);
    expect((await read(text, false)).bad).toEqual(['1 학년 값을 읽을 수 없습니다: 빈 칸']);
    const told = paste(['코드', '과목명', '학년'], ['G1', '특론', '대학원']);
    expect((await read(told, false)).good).toMatchObject([{ year: 0 }]);
  });

  test('SUB-4 IMP-2 a table without the columns of number and name says which are missing', async () => {
    expect((await read('A1\t가\t1', false)).columns).toMatchObject({
      problem: '열 이름이 맞지 않습니다',
      notes: ['찾지 못한 열: 학수번호, 과목명, 강의시간', '알 수 없는 열: A1, 가, 1'],
    });
  });

  test('SUB-4 whatever is pasted, what is read is what the API takes and every row is told', async () => {
    const cells = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom('A1', '3', '3학년', '대학원', '-', '"', '가'.repeat(600)),
    );
    const grid = fc.array(fc.array(cells, { minLength: 4, maxLength: 4 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(grid, fc.boolean(), async (rows, isGraduate) => {
        const { good, rows: all } = await read(
          paste(['학수번호', '과목명', '학년', '학점'], ...rows),
          isGraduate,
        );
        expect(subjectListSchema.safeParse(good).success).toBe(true);
        expect(new Set(good.map(({ id }) => id)).size).toBe(good.length);
        for (const { row, errors } of all) expect(row === undefined).toBe(errors.length > 0);
      }),
      runs,
    );
  });
});

test.each([
  ['폐강여부', ['N', 'Y', '', '폐강'], [2, 4]],
  ['개설상태', ['개설', '폐강', '', '정상'], [2]],
  ['개설여부', ['Y', 'N', '', 'O'], [2]],
])(
  'SUB-4 a subject that the column %s calls cancelled is flagged, and stored as 폐강',
  async (label, cells, lines) => {
    const rows = [
      ['학수번호', '과목명', '학년', '학점', '강의시간', label],
      ...cells.map((cell, at) => [`A${at}`, `모형 ${at}`, '2', '3', '월1', cell]),
    ];
    const { rows: checked } = await readImport(timetableKind(false), { rows, doubtful: [] });
    expect(checked.filter(({ doubts }) => doubts.length > 0).map(({ line }) => line)).toEqual(lines);
    expect(checked.map(({ row }) => row?.subject.etc === '폐강')).toEqual(
      cells.map((_, at) => lines.includes(at + 1)),
    );
  },
);

const LABELS = ['학수번호', '분반', '과목명', '학년', '학점', '교수', '강의시간', '강의실', '비고'];
const ROW = ['A1', '01', '모형 설계', '2', '3', '한가람', '월1,2', '공401', ''];
const doubtsIn = async (rows: string[][], isGraduate = false) => {
  const { rows: checked } = await readImport(timetableKind(isGraduate, rows), { rows, doubtful: [] });
  return checked.map(({ doubts }) => doubts.map(({ field, repair }) => `${field} ${repair ?? ''}`.trim()));
};

test.each([
  ['학수번호', '학수번호', ['id']],
  ['학수번호', '합계', ['id']],
  ['학년', '0', ['year']],
  ['학년', '대학원', ['year']],
  ['학점', '25', ['score']],
  ['강의시간', '', ['time']],
  ['강의시간', '월12 수3', ['time']],
  ['강의시간', '월12교시', []],
  ['강의시간', '월10,11,12', []],
  ['강의실', '2', ['classroom']],
  ['비고', '3/4학년 권장', []],
  ['학수번호', '2026-03-01', ['id 3-1']],
  ['학점', '', ['score']],
  ['학점', '2-2-3', ['score']],
  ['학점', '0-2-1', ['score']],
  ['학점', '3-2-2', []],
  ['학점', '3-3-0', []],
  ['학점', '1-0-2', []],
  ['학점', '3(2/2)', []],
  ['교수', '한가람 외 1인', ['prof']],
  ['교수', '월1-3', ['prof']],
  ['교수', '한가람 윤서준', ['prof 한가람, 윤서준']],
  ['교수', '한가람 와 윤서준', ['prof 한가람, 윤서준']],
  ['교수', '한가람 부교수', []],
  ['교수', '한가람(70%), 윤서준(30%)', []],
  ['강의실', '공401 공502', ['classroom 공401, 공502']],
  ['강의실', '공학관 401', []],
  ['강의실', '제1공학관 301호', []],
  ['강의실', '302-208', []],
  ['강의실', '공401 및 공402', ['classroom']],
  ['강의실', '공401·402', ['classroom']],
  ['강의실', '공401→공502 변경', ['classroom']],
  ['강의실', '월 공401, 수 공502', ['classroom']],
  ['강의실', '공401(월), 공502(수)', ['classroom']],
  ['강의실', '공401(수학과)', []],
  ['강의시간', '월1 공401 공502', ['time']],
  ['강의실', '공401, 402', ['classroom']],
  ['강의실', '공401~402', ['classroom']],
  ['강의실', '월:공401 / 수:공502', ['classroom']],
  ['강의실', '공401(월1) 공502(월2)', []],
  ['강의실', '2026-05-12', ['classroom 5-12']],
  ['강의실', '공401(격주)', ['classroom']],
  ['비고', '격주 수업', ['etc']],
  ['비고', '집중이수(9/5, 9/12)', ['etc']],
  ['비고', '7월 1일~7월 5일', ['etc']],
  ['비고', '야간', ['etc']],
  ['비고', '매주 퀴즈', []],
  ['비고', '영어 강의', []],
])(
  'IMP-7 SUB-4 the cell %s %j, which may mean something else, is flagged: %j',
  async (label, cell, doubts) => {
    const row = ROW.with(LABELS.indexOf(label), cell);
    expect(await doubtsIn([LABELS, row, ROW.with(0, 'A2')])).toEqual([doubts, []]);
  },
);

test('IMP-7 SUB-4 what a table does not have, or what needs no hour, is not flagged', async () => {
  const label = LABELS.indexOf('학점');
  expect(await doubtsIn([LABELS.toSpliced(label, 1), ROW.toSpliced(label, 1)])).toEqual([[]]);
  expect(await doubtsIn([LABELS, ROW.with(3, '0')], true)).toEqual([[]]);
  expect(await doubtsIn([LABELS, ROW.with(3, '1')], true)).toEqual([['year']]);
  expect(await doubtsIn([LABELS, ROW.with(6, '').with(7, '온라인').with(8, '격주 과제')])).toEqual([[]]);
});

test('IMP-7 SUB-4 lines in a cell of professors or rooms are taken for a list', async () => {
  const row = ROW.with(5, '한가람\nJ. Doe').with(6, '월1\n수2').with(7, '공학관 401\n공502');
  expect(await doubtsIn([LABELS, row])).toEqual([['prof 한가람, J. Doe', 'classroom 공학관 401, 공502']]);
});

test.each<[string, string[][], string, string[]]>([
  ['a title', [['1교시(09:00) 2교시(10:30)']], '월2', ['time']],
  ['a title', [['1교시 09:00~09:50 / 야간 1교시 18:00~18:45']], '월1', []],
  ['a title', [['1교시 09:00~10:15, 2교시 10:30~11:45']], '월1,2', ['time 월 09:00-11:45']],
  [
    'a title',
    [['1교시(09:00~09:30) 2교시(09:30~10:00)']],
    '월2(격주) 수1',
    ['time 월 09:30-10:00 (격주), 수 09:00-09:30'],
  ],
  [
    'rows',
    [
      ['1교시', '2교시'],
      ['08:30-09:20', '09:30-10:20'],
    ],
    '월2 공401',
    ['time 월 09:30-10:20 공401'],
  ],
  ['a title', [['2교시 10:30~11:45']], '월2,3', ['time']],
  ['a title', [['2교시 10:30~11:45']], '월2 수10:00-11:00', ['time']],
  ['a title', [['컴퓨터과학과 (75분 수업)']], '월2', ['time']],
  ['a title', [['2교시 10:30~11:45']], '월 10:30-11:45', []],
  ['a title', [['1교시 09:00~09:50, 10교시 18:00~18:50']], '월1', []],
  ['a title', [['50분 수업, 10분 휴식']], '월1', []],
  ['another row', [LABELS, ROW.with(0, 'B1').with(6, '화2(10:30~11:45)')], '월2', ['time 월 10:30-11:45']],
  [
    'another row',
    [LABELS, ROW.with(0, 'B1').with(6, '화 7-9 (18:30-21:00)')],
    '월7-9',
    ['time 월 18:30-21:00'],
  ],
])(
  'IMP-7 SUB-4 where %s %j tells other times of the periods, %s is flagged and written with them',
  async (_where, above, time, doubts) => {
    const header = above[0] === LABELS ? [] : [LABELS];
    expect((await doubtsIn([...above, ...header, ROW.with(6, time)])).at(-1)).toEqual(doubts);
  },
);
