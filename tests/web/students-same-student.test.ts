import { expect, test } from 'vitest';
import { readImport } from '../support/read-import.ts';
import { checkRow } from '../../web/src/components/import/checked-rows.ts';
import { findColumns } from '../../web/src/components/import/columns.ts';
import type { OutOfClass } from '../../web/src/features/students/import/other-class.ts';
import { gradebookColumns, rosterKind } from '../../web/src/features/students/import/roster-kind.ts';
import {
  flagBlanksBelow,
  flagOddRows,
  missingListNumbers,
} from '../../web/src/features/students/import/odd-rows.ts';
import { absentStudents, flagSimilarIds } from '../../web/src/features/students/import/same-student.ts';

const checked = (id: string, fields: Record<string, string> = {}, line = 1) =>
  checkRow(rosterKind, line, { no: '1', id, name: '이나래', ...fields });
const person = { name: '이나래', department: '', tel: '', email: 'narae@univ.test' };
const narae = { ...person, id: '00201002', no: 1, year: 1, type: '' };
const compared = { before: null, after: person, by_hand: [], dropped: false, newer: null };
const nobodyOut = new Map<number, OutOfClass>();
const idsOf = (students: readonly { id: string }[]) => students.map(({ id }) => id);

test.each([
  ['20201002.0', '20201002'],
  ['2020 1002', '20201002'],
  ['20201002 ', '20201002'],
  ['2020-1002', '2020-1002'],
])('IMP-3 a number written as %j is read as %s', (written, id) => {
  expect(checked(written).row?.id).toBe(id);
});

test('IMP-3 a row whose number is spelt otherwise is flagged, with the stored number as what was meant', () => {
  const other = checked('20201003');
  const alike = { id: '201002', stored: narae.id, name: narae.name, corrected: false };
  const [flagged, same] = flagSimilarIds([checked('201002'), other], [alike]);
  expect(flagged?.doubts).toEqual([
    { field: 'id', reason: '저장된 이나래 00201002 학생과 같은 사람으로 보입니다', repair: '00201002' },
  ]);
  expect(same).toBe(other);
  const [renumbered] = flagSimilarIds([checked('201002')], [{ ...alike, corrected: true }]);
  expect(renumbered?.doubts[0]?.reason).toBe('정정하기 전의 학번입니다. 지금은 이나래 00201002입니다');
});

test.each([
  ['00201020', '00201002', '저장된 이나래 00201002 학생과 같은 사람으로 보입니다'],
  ['202611002', undefined, '이름과 연락처가 같은 학생이 학번 00201002로 저장되어 있습니다'],
])(
  'IMP-3 of a known person with the number %s the stored one is suggested if few digits differ',
  (id, repair, reason) => {
    const alike = [{ id, stored: narae.id, name: narae.name, corrected: false }];
    const [flagged] = flagSimilarIds([checked(id)], alike);
    expect(flagged?.doubts).toEqual([{ field: 'id', reason, ...(repair && { repair }) }]);
    // Only who is probably the same student is not missing.
    const answer = { rows: [], missing: [narae], alike };
    expect(idsOf(absentStudents(answer, [checked(id)], nobodyOut))).toEqual(repair ? [] : [narae.id]);
  },
);

test('IMP-7 a blank below a filled cell of a paste is flagged with the value above; a column that is empty or absent is not', () => {
  const rows = [
    checked('20201001', { department: '', year: '' }),
    checked('20201002', { department: '컴퓨터공학과', year: '' }),
    checked('20201003', { department: '', year: '' }),
    checked('20201004'),
  ];
  expect(
    flagBlanksBelow(rows).map(({ doubts }) => doubts.map(({ field, repair }) => [field, repair])),
  ).toEqual([[], [], [['department', '컴퓨터공학과']], []]);
});

test('IMP-3 STU-6 nobody is missing whose row is in error or spells the number otherwise', () => {
  const nobody = { ...narae, id: '20209999', name: '남궁마루', email: '' };
  const missing = [narae, nobody];
  const left = (row: ReturnType<typeof checked>) =>
    idsOf(absentStudents({ rows: [], missing, alike: [] }, [row], nobodyOut));
  expect(left(checked('2.0201E+07'))).toEqual([nobody.id]);
  expect(left(checked('201002', { name: '', no: '둘' }))).toEqual([nobody.id]);
  expect(left(checked('', { name: '', email: 'Narae@univ.test' }))).toEqual([nobody.id]);
  expect(left(checked('20201003', { name: '', email: '' }))).toEqual([narae.id, nobody.id]);
  const alike = [{ id: '201002', stored: narae.id, name: narae.name, corrected: false }];
  const answer = { rows: [], missing, alike };
  expect(idsOf(absentStudents(answer, [checked('201002')], nobodyOut))).toEqual([nobody.id]);
});

test('IMP-12 STU-6 who is enrolled and stands in a row that is not of the class is offered with the words of the file', () => {
  const answer = {
    rows: [
      { ...compared, id: '20201001', enrolment: { no: 1, year: 1, type: '' } },
      { ...compared, id: '20201002', enrolment: { no: 2, year: 1, type: '' } },
      { ...compared, id: '20201003', enrolment: null },
      { ...compared, id: '201002', enrolment: null },
    ],
    missing: [narae],
    alike: [{ id: '201002', stored: narae.id, name: narae.name, corrected: false }],
  };
  const ids = ['20201001', '20201002', '20201003', '201002'];
  const rows = ids.map((id, at) => checked(id, {}, at + 1));
  const out = (...lines: number[]) => new Map(lines.map((line) => [line, { word: '휴학', reason: '' }]));
  expect(absentStudents(answer, rows, out())).toEqual([]);
  // A new student is in no list, and a number that is written in another way is the stored one.
  expect(absentStudents(answer, rows, out(1, 3, 4))).toEqual([
    { id: '20201001', name: '이나래', word: '휴학' },
    { id: narae.id, name: '이나래', word: '휴학' },
  ]);
  const twice = checked('20201001', { name: '' }, 5);
  expect(idsOf(absentStudents(answer, [...rows, twice], out(1, 2)))).toEqual(['20201002']);
});

test('IMP-2 of a Canvas gradebook the SIS User ID is the student number, and its own ID none', () => {
  const table = (labels: string[]) => [
    labels,
    ['    Points Possible', '', '', '', '', '100'],
    ['김가람', '5001', '00201234', 'garam', '2026-2 운영체제 01분반', '48'],
  ];
  const fieldsOf = (labels: string[]) => {
    const rows = table(labels);
    const { headerAt, columns } = findColumns(rows, rosterKind, gradebookColumns(rows));
    return [headerAt, columns.flatMap(({ label, field }) => (field ? [[label, field]] : []))];
  };
  const labels = ['Student', 'ID', 'SIS User ID', 'SIS Login ID', 'Section', '중간 (101)'];
  expect(fieldsOf(labels)).toEqual([
    0,
    [
      ['Student', 'name'],
      ['SIS User ID', 'id'],
    ],
  ]);
  expect(fieldsOf(['Student', 'ID', 'Section', '중간 (101)'])).toEqual([0, [['Student', 'name']]]);
  expect(gradebookColumns([['이름', '학번']])).toBeUndefined();
});

test('IMP-2 Canvas’s test student is left out, and said', () => {
  const { row, errors } = checked('20209998', { name: 'Student, Test' });
  expect(row).toBeUndefined();
  expect(errors).toEqual([{ field: 'name', reason: 'Canvas의 시험용 학생이라 제외합니다' }]);
});

test('IMP-3 a number shorter than most others and cells that changed places are flagged', async () => {
  const { rows } = await readImport(rosterKind, {
    rows: [
      ['학번', '이름', '학과'],
      ['202600001', '가람솔', '모형학과'],
      ['202600002', '모형학과', '나람솔'],
      ['2026003', '다람솔', '모형학과'],
      ['202600004', '라람솔', ''],
      ['a1cd', '202600005', '모형학과'],
    ],
    doubtful: [],
  });
  const swapped = '이름과 학과가 바뀐 것으로 보입니다';
  const short = { field: 'id', reason: '다른 학번(9자)보다 짧습니다' };
  expect(flagOddRows(rows).map(({ doubts }) => doubts)).toEqual([
    [],
    [
      { field: 'name', reason: swapped, repair: '나람솔' },
      { field: 'department', reason: swapped, repair: '모형학과' },
    ],
    [short],
    [],
    [{ field: 'name', reason: '이름에 글자가 없습니다' }, short],
  ]);
});

test('IMP-3 a name that is the department of another row is flagged, whatever the department is called', () => {
  const list = (...rows: [name: string, department: string][]) =>
    flagOddRows(
      rows.map(([name, department], at) => checked(`2026000${at}`, { name, department, email: '' }, at + 1)),
    ).map(({ doubts }) => doubts.map(({ field, repair }) => `${field} ${repair}`));
  const swapped = ['name 나람솔', 'department 컴공'];
  for (const others of [1, 2, 5]) {
    const rest = Array.from({ length: others }, (_, at): [string, string] => [`다람솔${at}`, '컴공']);
    const none = rest.map(() => []);
    expect(list(...rest, ['컴공', '나람솔'])).toEqual([...none, swapped]);
    expect(list(['컴공', '나람솔'], ...rest, ['컴공', '라람솔'])[0]).toEqual(swapped);
    expect(list(...rest, ['마람솔', '물리'], ['컴공', '나람솔'])).toEqual([...none, [], swapped]);
    // Without another value in the row there is nothing to change places with.
    expect(list(...rest, ['컴공', ''])).toEqual([...none, ['name undefined']]);
    expect(list(...rest, ['바람솔', ''], ['사람솔', ''])).toEqual([...none, [], []]);
  }
  // The namesake of a swapped row has a department that others have.
  const [, , namesake, other] = list(
    ['가람솔', '컴공'],
    ['다람솔', '컴공'],
    ['나람솔', '컴공'],
    ['컴공', '나람솔'],
  );
  expect([namesake, other]).toEqual([[], swapped]);
  expect(list(['컴공', '컴공'], ['가람솔', '컴공'])).toEqual([[], []]);
});

test('IMP-3 a telephone or an email of two students is flagged', () => {
  const rows = [
    checked('202600001', { tel: '010-1234-5678', email: 'ga@univ.test' }),
    checked('202600002', { tel: '01012345678', email: 'na@univ.test' }),
    checked('202600003', { tel: '', email: 'GA@univ.test' }),
    checked('202600004', { tel: '', email: '' }),
  ];
  const fields = flagOddRows(rows).map(({ doubts }) => doubts.map(({ field }) => field));
  expect(fields).toEqual([['tel', 'email'], ['tel'], ['email'], []]);
});

test('IMP-3 letters among the digits of a number, and an address as department, are flagged', () => {
  const ids = ['202341070', '2O2341071', '20234107S', '202341072', '202341073'];
  const rows = ids.map((id, at) => checked(id, { department: at === 3 ? 'gaon@univ.test' : '' }, at + 1));
  expect(flagOddRows(rows).map(({ doubts }) => doubts)).toEqual([
    [],
    [{ field: 'id', reason: '숫자 대신 글자가 있습니다', repair: '202341071' }],
    [{ field: 'id', reason: '숫자 대신 글자가 있습니다', repair: '202341075' }],
    [{ field: 'department', reason: '학과에 주소가 있습니다' }],
    [],
  ]);
  // Where numbers begin with a letter, a letter says nothing.
  expect(
    flagOddRows(['B20234107', 'B20234108'].map((id) => checked(id))).flatMap(({ doubts }) => doubts),
  ).toEqual([]);
});

test('IMP-3 missing list numbers are found in a list that counts its rows', () => {
  const missing = (...numbers: number[]) =>
    missingListNumbers(numbers.map((no, at) => checked(`20260000${at}`, { no: String(no) }, at + 1)));
  expect(missing(1, 2, 3, 6, 7, 8, 9)).toEqual([4, 5]);
  expect(missing(1, 2, 3)).toEqual([]);
  expect(missing(3, 1, 2, 9)).toEqual([]);
  expect(missing(101, 230, 412)).toEqual([]);
  expect(missing()).toEqual([]);
});

test('IMP-3 telephones that rise by one in five rows or more are flagged', () => {
  const flagged = (...tels: string[]) =>
    flagOddRows(tels.map((tel, at) => checked(`20260000${at}`, { tel }, at + 1))).map(
      ({ doubts }) => doubts.filter(({ field }) => field === 'tel').length,
    );
  const dragged = Array.from({ length: 5 }, (_, at) => `010-1234-567${at}`);
  expect(flagged('010-9999-1234', ...dragged)).toEqual([0, 1, 1, 1, 1, 1]);
  expect(flagged(...dragged.slice(1))).toEqual([0, 0, 0, 0]);
  expect(flagged('', '', '', '', '', '')).toEqual([0, 0, 0, 0, 0, 0]);
});

test('IMP-3 a number of another year and an address with the number of another student are flagged', () => {
  const flagged = (people: readonly (readonly [id: string, email: string])[]) =>
    flagOddRows(people.map(([id, email], at) => checked(id, { email }, at + 1))).map(({ doubts }) =>
      doubts.map(({ field }) => field),
    );
  const ids = ['202310001', '202310002', '202310003', '203210004', '220310005'];
  expect(flagged(ids.map((id) => [id, '']))).toEqual([[], [], [], ['id'], ['id']]);
  // Numbers that begin with no year, and addresses that have no number, say nothing.
  expect(flagged(ids.map((id, at) => [`7${at}10000`, `${id.slice(5)}gaon@univ.test`]))).toEqual(
    ids.map(() => []),
  );
  const own = ids.slice(0, 3).map((id) => [id, `${id}@univ.test`] as const);
  expect(flagged(own)).toEqual([[], [], []]);
  expect(flagged([...own, ['202310009', '202310008@univ.test']]).at(-1)).toEqual(['email']);
  const shifted = own.map(([id], at) => [id, `${own[(at + 1) % own.length]?.[0]}@univ.test`] as const);
  expect(flagged(shifted)).toEqual([['email'], ['email'], ['email']]);
});
