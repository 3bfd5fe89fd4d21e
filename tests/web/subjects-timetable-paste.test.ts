import { subjectListSchema } from '#contract/subjects';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTimetable } from '../../web/src/features/subjects/timetable-paste.ts';
import { propertyRuns } from '../support/counts.ts';

const runs = propertyRuns(200, 5000);

const paste = (...rows: string[][]) => rows.map((row) => row.join('\t')).join('\r\n');

describe('a pasted timetable', () => {
  test('SUB-4 columns are found by their labels in any order', () => {
    const text = paste(
      ['2026학년도 2학기 시간표'],
      ['No', '담당교수', '교과목명', '과목코드', '학년', '구분', '학점', '시간', '강의실', '비고'],
      ['1', '한가람', '운영체제', '001234', '2학년', '전필', '3-2-1', '월1,2/수3', '공502', ''],
      ['2', '윤서준', '사물인터넷', 'CS 301', '３', '전선', '3.0', '화(10:00-11:50)', '', '영어 강의'],
    );
    const { subjects, bad, ignored, problem } = readTimetable(text, false);
    expect(problem).toBeUndefined();
    expect(bad).toEqual([]);
    expect(ignored).toEqual(['No']);
    expect(subjects).toEqual([
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

  test('SUB-4 bad rows are named with their number and the reason, the others are read', () => {
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
    const { subjects, bad } = readTimetable(text, false);
    expect(subjects.map(({ id }) => id)).toEqual(['A1']);
    expect(bad.map(({ row, reason }) => `${row} ${reason}`)).toEqual([
      '2 학수번호가 비어 있습니다.',
      '3 과목명이 비어 있습니다.',
      '4 학년을 읽을 수 없습니다: 전체',
      '5 학점을 읽을 수 없습니다: 세',
      '6 학수번호 A1이(가) 1행에도 있습니다. 분반이 다르면 분반 열도 함께 복사해 주세요.',
      '7 학점이(가) 너무 길거나 범위를 벗어났습니다.',
    ]);
  });

  test('SUB-4 sections of a subject are kept apart by their number', () => {
    const text = paste(
      ['학수번호', '분반', '교과목명', '학년'],
      ['A1', '01', '가', '1'],
      ['A1', '02', '가', '1'],
    );
    expect(readTimetable(text, false).subjects.map(({ id }) => id)).toEqual(['A1-01', 'A1-02']);
  });

  test('SUB-4 a graduate school needs no grade, an undergraduate department does', () => {
    const text = paste(['코드', '과목명'], ['G1', '특론']);
    expect(readTimetable(text, true).subjects).toMatchObject([{ year: 0 }]);
    expect(readTimetable(text, false).bad).toMatchObject([
      { row: 1, reason: '학년을 읽을 수 없습니다: 비어 있음' },
    ]);
    const told = paste(['코드', '과목명', '학년'], ['G1', '특론', '대학원']);
    expect(readTimetable(told, false).subjects).toMatchObject([{ year: 0 }]);
  });

  test('SUB-4 what has no header, no rows or nothing at all says so', () => {
    expect(readTimetable(' \n', false).problem).toBe('붙여 넣은 내용이 없습니다.');
    expect(readTimetable('A1\t가\t1', false).problem).toContain('학수번호, 과목명');
    expect(readTimetable('학수번호\t과목명', false).problem).toBe('머리글 아래에 과목이 없습니다.');
  });

  test('SUB-4 whatever is pasted, what is read is what the API takes and every row is told', () => {
    const cells = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom('A1', '3', '3학년', '대학원', '-', '"', '가'.repeat(600)),
    );
    const grid = fc.array(fc.array(cells, { minLength: 4, maxLength: 4 }), { maxLength: 12 });
    fc.assert(
      fc.property(grid, fc.boolean(), (rows, isGraduate) => {
        const { subjects, bad } = readTimetable(
          paste(['학수번호', '과목명', '학년', '학점'], ...rows),
          isGraduate,
        );
        expect(subjectListSchema.safeParse(subjects).success).toBe(true);
        expect(new Set(subjects.map(({ id }) => id)).size).toBe(subjects.length);
        for (const { row, reason } of bad) expect(row > 0 && reason !== '').toBe(true);
      }),
      runs,
    );
  });
});
