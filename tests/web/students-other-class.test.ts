import process from 'node:process';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  classOfFile,
  isDifferentClass,
  classNamedByFile,
  rosterOverlap,
  rowsNotOfClass,
  titlesAbove,
  rosterFileTitles,
} from '../../web/src/features/students/import/other-class.ts';
import { findColumns } from '../../web/src/components/import/columns.ts';
import { rosterKind } from '../../web/src/features/students/import/roster-kind.ts';
import type { PastedTable } from '../../web/src/lib/paste-table.ts';
import { propertyRuns } from '../support/counts.ts';

const course = { year: 2026, semester: 2, subject: '운영체제' } as const;
const notOfClass = (rows: PastedTable) => rowsNotOfClass(course, rows, findColumns(rows, rosterKind));
const subjects = ['운영체제', '운영체제 실습', '컴퓨터 구조'];
const file = (name: string, ...titles: string[][]) => ({ name, titles, sheet: '' });

describe('what a file says of its class', () => {
  test.each([
    [file('', ['2026-1 사이버물리시스템 출석부']), 2026, 1, '사이버물리시스템'],
    [file('2026학년도 1학기 사이버물리시스템 수강생 명단.xlsx'), 2026, 1, '사이버물리시스템'],
    [file('수강생명단_2026_1_사이버물리시스템(01분반)_최종.xlsx'), 2026, 1, '사이버물리시스템'],
    [file('출석부(26-1 사이버물리시스템).csv'), 2026, 1, '사이버물리시스템'],
    [
      file(
        '',
        ['한빛대학교 컴퓨터공학부'],
        ['2026년 제1학기', '', '출석부'],
        ['과목명: 사이버물리시스템  담당교수: 나린'],
      ),
      2026,
      1,
      '사이버물리시스템',
    ],
    [file('', ['교과목명', '', '사이버물리시스템 (CSE4001-01)']), undefined, undefined, '사이버물리시스템'],
    [file('컴퓨터구조 최종.xlsx'), undefined, undefined, '컴퓨터 구조'],
    [file('', ['2026-1 회로 이론 명단']), 2026, 1, '회로 이론'],
    [file('2026년 1월 명단.csv', ['2026년 2월 3일 기준']), undefined, undefined, undefined],
    [file('명단.csv', ['출력일: 2026-10-03']), undefined, undefined, undefined],
    [file('students (3).xlsx', ['2026.1.15 기준', '총 261명']), undefined, undefined, undefined],
    [file('', ['한빛대학교 컴퓨터공학과 2학년']), undefined, undefined, undefined],
    [file('', ['2026-1 출석부']), 2026, 1, undefined],
  ])('IMP-12 %j', (words, year, semester, subject) => {
    expect(classOfFile(words, subjects)).toEqual({
      ...(year !== undefined && { term: { year, semester } }),
      ...(subject !== undefined && { subject }),
    });
  });

  test.each([
    file(''),
    file('명단.xlsx'),
    file('2026-2 운영체제 출석부.xlsx', ['운영체제 (02분반) 명단']),
    file('출석부_가람조교.xlsx', ['2026학년도 2학기 운영체제']),
    file('', ['과목명', '운영체제']),
    file('운영 체제.csv'),
  ])('IMP-12 %j says nothing else than what was chosen', (words) => {
    expect(classNamedByFile(course, words, subjects)).toBeUndefined();
  });

  test.each([
    [file('2026-1 사이버물리시스템 출석부.xlsx'), { year: 2026, semester: 1, subject: '사이버물리시스템' }],
    [file('2025-2 운영체제 출석부.xlsx'), { ...course, year: 2025 }],
    [file('운영체제 실습.csv'), { ...course, subject: '운영체제 실습' }],
    [file('컴퓨터구조.csv', ['2026-2 운영체제']), { ...course, subject: '컴퓨터 구조' }],
    [file('', ['강의명', '회로 이론']), { ...course, subject: '회로 이론' }],
  ])('IMP-12 %j says another class', (words, other) => {
    expect(classNamedByFile(course, words, subjects)).toEqual(other);
  });

  test('IMP-12 of any class in any usual words is that class, and no other', () => {
    const syllable = fc.integer({ min: 0xac00, max: 0xd7a3 }).map((code) => String.fromCharCode(code));
    const wanted = fc.record({
      year: fc.integer({ min: 2021, max: 2050 }),
      semester: fc.constantFrom(1 as const, 2 as const),
      subject: fc.array(syllable, { minLength: 2, maxLength: 8 }).map((all) => `${all.join('')}론`),
    });
    const form = fc.constantFrom(
      (y: number, s: number, name: string) => `${y}-${s} ${name} 출석부`,
      (y: number, s: number, name: string) => `${y}학년도 ${s}학기 ${name} 수강생 명단`,
      (y: number, s: number, name: string) => `${name}_${y}_${s}_명단`,
      (y: number, s: number, name: string) => `[${y}년 제${s}학기] ${name}`,
    );
    fc.assert(
      fc.property(wanted, form, fc.boolean(), (said, write, isName) => {
        const text = write(said.year, said.semester, said.subject);
        const words = isName ? file(`${text}.xlsx`) : file('', [text]);
        expect(classOfFile(words, [])).toEqual({
          term: { year: said.year, semester: said.semester },
          subject: said.subject,
        });
        expect(classNamedByFile(said, words, [])).toBeUndefined();
        expect(classNamedByFile(course, words, [])).toEqual(said);
      }),
      propertyRuns(),
    );
  });

  test('IMP-12 rows of another subject beside the chosen one, and of who has left, are told by their line', () => {
    const table = (...rows: string[]) => ['제목', ...rows].map((row) => row.split('|'));
    const told = (...rows: string[]) => [...notOfClass(table('학번|과목|학적상태|비고', ...rows)).keys()];
    expect(
      told('1|운영체제(01)|재학|', '2|네트워크|재학|', '3|운영 체제|수강취소|', '4||재학|수강 철회'),
    ).toEqual([2, 3, 4]);
    expect(told('1|네트워크|재학|', '2|회로|휴학 취소|재수강')).toEqual([]);
    expect(notOfClass(table('학번|분반', '1|01', '2|02')).size).toBe(0);
  });

  test.each([
    ['역할', ['학생', '교수자', '조교', 'TA'], [2, 3, 4]],
    ['학적변동', ['', '일반휴학', '군 휴학', '제적', '복학'], [2, 3, 4]],
    ['신청', ['정상', '수강취소(3/12)', 'Audit', '수강'], [2, 3]],
    ['지도교수', ['홍길동 교수', '교수', '', '김모형 교수'], []],
    ['드랍여부', ['N', 'TRUE', '', 'O'], [2, 4]],
    ['학점', ['3', 'W', 'A+', ''], [2]],
    ['Available', ['Yes', 'No', '', 'Yes'], [2]],
    ['권한', ['학생', '편집권한 없는 교수', '선생님', 'Guest'], [2, 3, 4]],
    ['Status', ['Active', 'Suspended', 'Waitlisted', 'Auditing'], [2, 3, 4]],
    // As the status itself it is stored, and seen in its column.
    ['학적상태', ['재학', '일반휴학', '수강취소'], [3]],
    ['구분', ['정규', '청강생', '청강', ''], [2, 3]],
    ['E-mail', ['dropped@univ.test', '', '', ''], []],
    ['비고', ['', '대기 2번', '예비', '재수강'], [2, 3]],
    ['수강취소일', ['', '2026-09-10', '-', 'N'], [2]],
    ['철회여부', ['N', 'Y', 'X', 'O'], [2, 4]],
  ])(
    'IMP-12 rows that the column %s takes out of the class are told by their line',
    (label, cells, lines) => {
      const rows = [['학번', label], ...cells.map((cell, at) => [`20260000${at}`, cell])];
      const told = notOfClass(rows);
      expect([...told.keys()]).toEqual(lines);
      // The words of the file are repeated where the enrolment can be ended.
      for (const [line, { word }] of told) expect(word).toContain(cells[line - 1]);
    },
  );

  test('IMP-12 rows below a line such as 수강취소자 are told, until the next line of its own', () => {
    const rows = [
      ['학번', '이름'],
      ['202600001', '가'],
      ['※ 수강취소자'],
      ['202600002', '나'],
      ['수강생'],
      ['202600003', '다'],
    ];
    expect([...notOfClass(rows).keys()]).toEqual([2, 3]);
  });

  test('IMP-12 a term in columns of its own asks if all rows have it, else its rows are told', () => {
    const termed = (...terms: [string, string][]) => [
      ['년도', '학기', '학번', '이름'],
      ...terms.map(([year, semester], at) => [year, semester, `20260000${at}`, `가${at}`]),
    ];
    const asked = (rows: string[][]) =>
      classNamedByFile(course, rosterFileTitles({ rows, name: '', sheets: [], sheet: 0 }), subjects);
    const earlier = termed(['2025', '1학기'], ['2025', '1학기']);
    expect(asked(earlier)).toEqual({ ...course, year: 2025, semester: 1 });
    expect(notOfClass(earlier).size).toBe(0);
    const mixed = termed(['2026', '2'], ['2025', '1'], ['', '2026-2학기']);
    expect(asked(mixed)).toBeUndefined();
    expect([...notOfClass(mixed).keys()]).toEqual([2]);
    expect(asked(termed(['2026', '2학기'], ['2026', '2학기']))).toBeUndefined();
  });

  test('IMP-10 IMP-12 whatever it says is read at once', () => {
    const before = process.cpuUsage();
    for (const part of ['과목명: ', ' 2026 ', '수강 ', '(', ' / ', '학생 ', 'a:', '\t'])
      classNamedByFile(course, file(part.repeat(3000), [part.repeat(30_000)], [part.repeat(30)]), subjects);
    const { user, system } = process.cpuUsage(before);
    // The processor's time, however busy the machine is.
    expect(user + system).toBeLessThan(2_000_000);
  });
});

describe('whom a roster lists', () => {
  const person = { name: '가람', department: '', tel: '', email: '' };
  const roster = (added: number, known: number, missing: number) => ({
    rows: Array.from({ length: added + known }, (_, at) => ({
      id: String(at),
      before: null,
      after: person,
      enrolment: at < added ? null : { no: at, year: 3, type: '' },
      by_hand: [],
      dropped: false,
      newer: null,
    })),
    missing: Array.from({ length: missing }, (_, at) => ({
      ...person,
      id: `m${at}`,
      no: 0,
      year: 0,
      type: '',
    })),
  });

  test.each([
    [27, 1, 33, true],
    [30, 0, 0, false],
    [25, 5, 0, false],
    [3, 30, 4, false],
    [1, 1, 1, false],
    [2, 1, 2, true],
    [0, 5, 29, false],
  ])('IMP-12 %i new, %i known and %i missing: asks %s', (added, known, missing, isOther) => {
    const overlap = rosterOverlap(roster(added, known, missing));
    expect(overlap).toEqual({ listed: added + known, added, enrolled: known + missing, missing });
    expect(isDifferentClass(overlap)).toBe(isOther);
  });
});

test.each([
  [
    'a section of every row',
    [
      ['Student', 'SIS User ID', 'Section'],
      ['가람', '202500001', '자료구조-01'],
    ],
    [],
    0,
  ],
  [
    'a table of titles on a web page',
    [
      ['학번', '이름'],
      ['202500001', '가람'],
    ],
    ['표 1: 과목 자료구조', '표 2: 학번 이름'],
    1,
  ],
])('IMP-12 of another class by %s asks', (_, rows, sheets, sheet) => {
  const chosen = { ...course, subject: '국문학개론' };
  const words = rosterFileTitles({ rows, name: '', sheets, sheet });
  expect(classNamedByFile(chosen, words, ['자료구조'])).toEqual({ ...course, subject: '자료구조' });
  expect(classNamedByFile({ ...course, subject: '자료구조' }, words, ['국문학개론'])).toBeUndefined();
});

const people = [
  ['202600001', '김가람'],
  ['202600002', '이나래'],
];

test('IMP-12 below a line for people who are not in the class nobody is ticked, below any other line all are flagged', () => {
  for (const title of ['수강취소자', '※ 청강생', '대기자 명단', 'Waitlist']) {
    const rows = [['학번', '이름'], ...people, [title, ''], ['202600003', '박다온']];
    const lines = [...notOfClass(rows).keys()];
    expect(
      lines.filter((line) => line !== 3),
      title,
    ).toEqual([4]);
  }
  for (const title of ['2분반', '※ 아래 학생은 출석부에서 제외', '재수강']) {
    const rows = [['학번', '이름'], ...people, [title, ''], ['202600003', '박다온']];
    expect([...notOfClass(rows).keys()], title).toEqual([]);
    expect(titlesAbove(rows, { headerAt: 0 }), title).toEqual(new Map([[4, title]]));
  }
  // The title of the file, again above the header of the next page.
  const pages = [
    ['명단', ''],
    ['학번', '이름'],
    ...people,
    ['1 / 2 페이지', ''],
    ['명단', ''],
    ['202600003', '박다온'],
  ];
  expect(titlesAbove(pages, { headerAt: 1 })).toEqual(new Map());
  // A line above all rows is a title of the file.
  expect(titlesAbove([['학번', '이름'], ['1분반', ''], ...people], { headerAt: 0 })).toEqual(new Map());
});

test('IMP-12 a file whose title says that its people have left the class ticks nobody', () => {
  const rows = [['수강취소자 명단 (2026-2)', ''], ['학번', '이름'], ...people];
  expect([...notOfClass(rows).keys()]).toEqual([1, 2]);
  for (const title of [
    '수강철회 후 최종 명단',
    '수강취소 반영 출석부',
    '수강신청 취소 기간 이후 명단 (2026-2)',
  ]) {
    const after = [[title, ''], ['학번', '이름'], ...people];
    expect([...notOfClass(after).keys()], title).toEqual([]);
  }
});

test('IMP-12 remarks with a day before the word, and refused applications, leave the row unticked', () => {
  const remarks = ['9/15 드랍', '9월 15일 수강취소', '거절', '미승인', '승인', '대면', ''];
  const rows = [['학번', '이름', '비고'], ...remarks.map((text, at) => [`20260000${at}`, '김가람', text])];
  expect([...notOfClass(rows).keys()]).toEqual([1, 2, 3, 4]);
});

test('IMP-12 names that programs give to files, and a part of the chosen name, are no other class', () => {
  const asked = (name: string, subject: string) =>
    classNamedByFile({ ...course, subject }, { titles: [], name, sheet: '' }, []);
  for (const name of [
    '캡스톤 수강생 정보(응답) - 설문지 응답 시트1.csv',
    '수강생 정보 조사.xlsx',
    'Numbers 명단.csv',
  ])
    expect(asked(name, '캡스톤 디자인'), name).toBeUndefined();
  expect(asked('운영체제 수강생 명단.xlsx', '캡스톤 디자인')?.subject).toBe('운영체제');
});
