import type { Department, SubjectSemester } from '#contract/subjects';
import { expect, test } from 'vitest';
import { titlesOfFile } from '../../web/src/components/import/file-titles.ts';
import { findColumns } from '../../web/src/components/import/columns.ts';
import { timetableKind } from '../../web/src/features/subjects/timetable-kind.ts';
import {
  saysDepartment,
  otherTimetable,
  partsOf,
  termsInRows,
  unreadTimes,
} from '../../web/src/features/subjects/timetable-words.ts';
import { decodeTable } from '../../web/src/lib/table-file/decode-table.ts';
import { readImport } from '../support/read-import.ts';
import { writers, xlsx, type XlsxCell } from '../support/xlsx.ts';

const chosen = { department: 'cs', year: 2026, semester: 'fall' } as const;
const HEADER = ['학과', '학수번호', '과목명', '학년'];
const rowsOf = (departments: string[]) =>
  departments.map((department, at) => [department, `A${at}`, `과목 ${at}`, '2']);

/** What a timetable's file says that is not as chosen. */
async function saidOf(
  rows: readonly (readonly XlsxCell[])[],
  name = '시간표.xlsx',
  sheet = '표',
  merged = ['A1:D1'],
) {
  const table = await decodeTable({ file: new File([xlsx([{ name: sheet, rows, merged }])], name) }, {});
  if ('refusal' in table) throw new Error(table.refusal);
  const { columns, good } = await readImport(timetableKind(false), table);
  const values = [...new Set(good.map(({ department }) => department))].filter((value) => value !== '');
  return otherTimetable(chosen, titlesOfFile({ ...table, name }, columns.headerAt), values);
}

test.each<[string, number, SubjectSemester]>([
  ['2026학년도 1학기 컴퓨터과학과 강의시간표', 2026, 'spring'],
  ['2025학년도 제2학기 강의 시간표', 2025, 'fall'],
  ['컴퓨터과학과 개설강좌 (2026-1)', 2026, 'spring'],
  ['26학년도 1학기 시간표', 2026, 'spring'],
  ['2026학년도 여름계절학기 강의시간표', 2026, 'summer'],
  ['2026학년도 동계 계절수업 시간표', 2026, 'winter'],
])('IMP-12 a timetable titled %j says its term', async (title, year, semester) => {
  expect(await saidOf([[title], HEADER.slice(1), ['A1', '운영체제', '2']])).toEqual({
    term: { year, semester },
  });
  const unnamed = [HEADER.slice(1), ['A1', '운영체제', '2']];
  expect(await saidOf(unnamed, `${title}.xlsx`, '표', [])).toEqual({ term: { year, semester } });
});

test.each([
  '2026학년도 2학기 컴퓨터과학과 강의시간표',
  '2026-2 컴퓨터과학과시간표',
  '한빛대학교 소프트웨어융합대학 컴퓨터과학과 / 2026. 2학기',
  '컴퓨터학부 컴퓨터과학과(야간)',
  '개설학과별 강의시간표',
  '출력일 2026-10-01',
])('IMP-12 a timetable titled %j says nothing but what was chosen', async (title) => {
  expect(await saidOf([[title], HEADER.slice(1), ['A1', '운영체제', '2']])).toBeUndefined();
});

test.each<[string, string, Department | undefined]>([
  ['2026학년도 2학기 사이버물리시스템학과 강의시간표', '사이버물리시스템학과', undefined],
  ['2026학년도 2학기 소프트웨어학과 강의시간표', '소프트웨어학과', 'sw'],
  ['인공지능컴퓨터과학과 2학기', '인공지능컴퓨터과학과', 'aics'],
  ['일반대학원 컴퓨터과학과 시간표', '대학원 컴퓨터과학과', 'csg'],
])('IMP-12 a timetable titled %j is of another department', async (title, name, department) => {
  expect(await saidOf([[title], HEADER.slice(1), ['A1', '운영체제', '2']])).toEqual({ name, department });
});

test('IMP-12 the column of departments counts more than the title', async () => {
  const title = ['2026학년도 2학기 사이버물리시스템학과 강의시간표'];
  const ours = rowsOf(['컴퓨터과학과', '컴퓨터과학과']);
  expect(await saidOf([title, HEADER, ...ours])).toBeUndefined();
  const others = rowsOf(['나노전공', '나노전공']);
  expect(await saidOf([title, HEADER, ...others])).toEqual({ name: '나노전공', department: undefined });
  expect(await saidOf([title, HEADER, ...rowsOf(['컴퓨터과학과', '나노전공'])])).toBeUndefined();
  const several = rowsOf(['나노전공', '소프트웨어학과']);
  expect(await saidOf([title, HEADER, ...several])).toEqual({ name: '소프트웨어학과', department: 'sw' });
});

test('IMP-12 SUB-4 a subject that two departments list is no repeated row', async () => {
  const rows = [
    ['소프트웨어학과', 'A1', '가', '2'],
    ['컴퓨터과학과', 'A1', '가', '2'],
    ['컴퓨터과학과', 'A1', '가', '2'],
  ];
  const text = [HEADER, ...rows].map((row) => row.join('\t')).join('\n');
  const { rows: checked } = await readImport(timetableKind(false), text);
  expect(checked.map(({ row }) => row?.department)).toEqual(['소프트웨어학과', '컴퓨터과학과', undefined]);
});

test.each(['개설학과', '학과(부)', '학과/전공', '개설학과(전공)', '학부(과)', 'Department'])(
  'SUB-4 IMP-2 %j is the column of departments',
  (label) => {
    const { columns } = findColumns([[label, '학수번호', '과목명']], timetableKind(false));
    expect(columns[0]?.field).toBe('department');
  },
);

test.each<[string, Department, boolean]>([
  ['컴퓨터과학과', 'cs', true],
  ['컴퓨터 과학과', 'cs', true],
  ['CS', 'cs', true],
  ['컴퓨터과학과, 소프트웨어학과', 'sw', true],
  ['인공지능컴퓨터과학과', 'cs', false],
  ['융합컴퓨터과학과', 'cs', false],
  ['대학원 컴퓨터과학과', 'cs', false],
  ['일반대학원 컴퓨터과학과', 'csg', true],
  ['컴퓨터과학과', 'csg', false],
  ['', 'cs', false],
])('IMP-12 %j is of %s: %s', (text, department, is) => {
  expect(saysDepartment(text, department)).toBe(is);
});

test.each(Object.entries(writers))('IMP-12 of %s the title is read', async (_name, writer) => {
  const rows = [['2026학년도 1학기 소프트웨어학과 시간표'], HEADER.slice(1), ['A1', '운영체제', '2']];
  const table = await decodeTable({ file: new File([xlsx([{ name: '표', rows }], writer)], 'a.xlsx') }, {});
  if ('refusal' in table) throw new Error(table.refusal);
  const { columns } = await readImport(timetableKind(false), table);
  expect(otherTimetable(chosen, titlesOfFile({ ...table, name: 'a.xlsx' }, columns.headerAt), [])).toEqual({
    term: { year: 2026, semester: 'spring' },
    name: '소프트웨어학과',
    department: 'sw',
  });
});

test.each([
  [['년도', '학기'], [['2025', '1']], ['2025-1학기']],
  [
    ['개설학년도', '개설학기'],
    [
      ['2026학년도', '2학기'],
      ['2026', '여름계절'],
    ],
    ['2026-2학기', '2026-여름계절학기'],
  ],
  [
    ['년도/학기', '학년'],
    [
      ['2026-1', '2'],
      ['2026-1', '3'],
    ],
    ['2026-1'],
  ],
  [['학기', '학년'], [['1', '2']], ['1학기']],
  [['학년', '학점'], [['2', '3']], []],
])('IMP-12 the term that the columns %j name is compared as a title is', (header, rows, terms) => {
  expect(termsInRows([header, ...rows])).toEqual(terms);
  const said = otherTimetable(chosen, { titles: [terms], name: '', sheet: '' }, []);
  expect(said === undefined).toBe(terms.length === 0);
});

test('SUB-4 a column with the field’s own label counts more than another name of it further left', async () => {
  const rows = [
    ['구분', '학수번호', '과목명', '학년', '이수구분', '시간', '장소', '강의시간', '강의실'],
    ['주간', 'A1', '모형 설계', '2', '전필', '4', '본관', '월1,2', '101'],
  ];
  const { good } = await readImport(timetableKind(false), { rows, doubtful: [] });
  expect(good[0]?.subject).toMatchObject({ type: '전필', time: '월1,2', classroom: '101' });
});

/** The lines of each part of a stacked table for the chosen department, and of those which are left out. */
async function partsIn(rows: string[][], department: Department = 'cs') {
  const { columns, rows: checked } = await readImport(timetableKind(false, rows), { rows, doubtful: [] });
  const { lines, others, cancelled, titles } = partsOf(rows, columns, checked, department);
  const left = [...others.flatMap(([, each]) => each), ...cancelled];
  return { lines: Object.fromEntries(lines), left, titles };
}
const LABELS = ['학년', '학수번호', '과목명', '강의시간'];
const at = (id: string) => ['2', id, `과목 ${id}`, '월1'];

test.each<[string, string[][], Record<string, number[]>, number[]]>([
  [
    'below one header',
    [LABELS, ['컴퓨터과학과'], at('A1'), ['전자공학과'], at('B1'), at('B2')],
    { 컴퓨터과학과: [2], 전자공학과: [4, 5] },
    [4, 5],
  ],
  [
    'with a header each',
    [['컴퓨터과학과'], LABELS, at('A1'), ['전자공학과'], LABELS, at('B1')],
    { 컴퓨터과학과: [1], 전자공학과: [4] },
    [4],
  ],
  [
    'with grades below each',
    [
      LABELS,
      ['전자공학부'],
      ['1학년'],
      at('B1'),
      ['■ 컴퓨터과학과(주간)'],
      ['1학년'],
      at('A1'),
      ['2학년'],
      at('A2'),
    ],
    {
      '전자공학부 · 1학년': [3],
      '■ 컴퓨터과학과(주간) · 1학년': [6],
      '■ 컴퓨터과학과(주간) · 2학년': [8],
    },
    [3],
  ],
  [
    'in the middle of the row',
    [LABELS, ['', '', '컴퓨터과학과', ''], at('A1'), ['', '', '전자공학과', ''], at('B1')],
    { 컴퓨터과학과: [2], 전자공학과: [4] },
    [4],
  ],
  [
    'beside other words',
    [LABELS, ['개설학과', '컴퓨터과학과'], at('A1'), ['전자공학과', '', '총 1과목'], at('B1')],
    { 컴퓨터과학과: [2], 전자공학과: [4] },
    [4],
  ],
  [
    'with cancelled ones below',
    [['컴퓨터과학과'], LABELS, at('A1'), ['- 2 -'], at('A2'), ['폐강 과목'], at('A3')],
    { 컴퓨터과학과: [1, 3], '컴퓨터과학과 · 폐강 과목': [5] },
    [5],
  ],
  [
    'that are all others',
    [LABELS, ['기계공학과'], at('A1'), ['전자공학과'], at('B1')],
    { 기계공학과: [2], 전자공학과: [4] },
    [2, 4],
  ],
  [
    'that are no departments, so that nothing is left out',
    [LABELS, ['Computer Science'], at('A1'), ['Circuits'], at('B1')],
    { 'Computer Science': [2], Circuits: [4] },
    [],
  ],
])('IMP-12 SUB-4 subjects of departments stacked %s are kept apart', async (_how, rows, lines, left) => {
  expect(await partsIn(rows)).toMatchObject({ lines, left });
});

test('IMP-12 SUB-4 a graduate school’s departments have no own name', async () => {
  const rows = [['대학원 2026-2'], LABELS, ['컴퓨터과학과'], at('A1'), ['전자공학과'], at('B1')];
  expect((await partsIn(rows, 'csg')).left).toEqual([4]);
});

test('IMP-12 SUB-4 a second time below a subject and a remark at the end divide nothing', async () => {
  const rows = [['컴퓨터과학과'], LABELS, at('A1'), ['', '', '', '수3'], at('A2'), ['※ 변경될 수 있음']];
  expect(await partsIn(rows)).toEqual({ lines: {}, left: [], titles: [] });
});

test('IMP-12 a title between the rows may name another term', async () => {
  const { titles } = await partsIn([LABELS, at('A1'), ['2026학년도 겨울계절학기'], at('A2')]);
  const words = { titles: [titles], name: '', sheet: '' };
  expect(otherTimetable(chosen, words, [])?.term).toEqual({ year: 2026, semester: 'winter' });
});

test.each([
  ['Spring 2026 Course Schedule', 'Spring'],
  ['컴퓨터과학과 강의시간표 (2025년)', '2025'],
  ['Fall 2026', undefined],
  ['2026 시간표 (출력일 2025-12-20)', undefined],
  ['2025년 12월 20일 출력', undefined],
  ['Springfield University', undefined],
])('IMP-12 a timetable titled %j is asked about because of %s', (title, words) => {
  expect(otherTimetable(chosen, { titles: [[title]], name: '', sheet: '' }, [])?.words).toBe(words);
});

test.each([
  ['1학기 강의시간표', 'spring'],
  ['컴퓨터과학과 (제1학기)', 'spring'],
  ['하계 계절학기 시간표', 'summer'],
  ['시간표 (2)', undefined],
  ['1학년 시간표 2', undefined],
  ['2학기 시간표', undefined],
])('IMP-12 a timetable titled %j, without a year, is of the chosen year’s term %s', (title, semester) => {
  expect(otherTimetable(chosen, { titles: [[title]], name: '', sheet: '' }, [])?.term?.semester).toBe(
    semester,
  );
});

test.each([
  [['강의시간', '강의시간2'], ['월1', '수3'], ['강의시간2']],
  [['강의시간', '담당조교'], ['월1', '한가람'], []],
])(
  'IMP-7 SUB-4 of the columns %j those with times that are not read are told',
  async (labels, cells, told) => {
    const rows = [
      [...LABELS.slice(0, 3), ...labels],
      ['2', 'A1', '모형', ...cells],
    ];
    expect(unreadTimes(rows, findColumns(rows, timetableKind(false)))).toEqual(told);
  },
);
