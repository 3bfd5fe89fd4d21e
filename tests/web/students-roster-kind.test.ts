import type { RosterPreview, RosterRow } from '#contract/students';
import type { Term } from '#contract/terms';
import { phoneText } from '#contract/phone';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type StudentColumn, studentColumns } from '../../web/src/lib/student-columns.ts';
import {
  firstRosterColumns,
  rosterKind,
  suspiciousContacts,
} from '../../web/src/features/students/import/roster-kind.ts';
import { countRowKinds, previewImport } from '../../web/src/features/students/import/roster-preview.ts';
import { propertyRuns } from '../support/counts.ts';
import {
  isEnrolledAgain,
  replacesContactByInvalid,
} from '../../web/src/features/students/import/same-student.ts';
import { readImport } from '../support/read-import.ts';

const options = propertyRuns(100, 2000);

const header = '순번\t학번\t성명\t학과\t학년\t학적상태\t연락처\t이메일';
const row: RosterRow = {
  no: 1,
  id: '0202100001',
  name: '홍길동',
  department: '컴퓨터공학과',
  year: 3,
  type: '재학',
  tel: '010-1234-5678',
  email: 'gildong@univ.test',
};

const rowFields = ['no', 'id', 'name', 'department', 'year', 'type', 'tel', 'email'] as const;
const rowText = rowFields.map((field) => row[field]).join('\t');

const read = async (text: string) => {
  const { good, bad } = await readImport(rosterKind, text);
  return { good, bad };
};
const whole = { good: [row], bad: [] };

test('STU-5 the eight columns are understood in any order and under their other names', async () => {
  const text =
    'E-mail\t휴대폰\t구분\t학년\t소속\t이름\t학번\tNo\t\t\r\ngildong@univ.test\t010-1234-5678\t재학\t3학년\t컴퓨터공학과\t홍길동\t０２０２１００００１\t１\t\t\r\n';
  expect(await read(text)).toEqual(whole);
});

test.each([
  ['merged over its columns', '\t\t연락처\t\t', '학번\t성명\t집\t휴대폰\tE-mail'],
  ['with the upper cell alone', '학번\t성명\t연락처\t\t이메일', '\t\t집\t휴대폰\t'],
  ['repeated', '학번\t성명\t연락처\t연락처\t이메일', '학번\t성명\t자택\t본인\t이메일'],
])('STU-5 a header of two rows, %s, is read', async (kind, above, below) => {
  const person = '202600001\t김가람\t02-123-4567\t010-1234-5678\tgaram@univ.test';
  const { good, bad } = await read(`${above}\n${below}\n${person}`);
  expect(bad).toEqual([]);
  const tel = '010-1234-5678';
  expect(good, kind).toMatchObject([{ id: '202600001', name: '김가람', tel, email: 'garam@univ.test' }]);
});

test.each([
  ['a mobile number before that of a house', '전화번호', '휴대폰', 'tel', '010-1234-5678'],
  ['a filled name before an empty one', '이름', '성명', 'name', '010-1234-5678'],
] as const)('STU-5 of two columns for one field %s counts', async (_, one, other, field, value) => {
  const first = field === 'tel' ? '02-123-4567' : '';
  const name = field === 'tel' ? '\t성명' : '';
  const { columns } = await readImport(
    rosterKind,
    `학번\t${one}\t${other}${name}\n202600001\t${first}\t${value}\t김가람`,
  );
  expect(columns.columns.find((each) => each.field === field)?.label).toBe(other);
});

test('STU-5 of the telephones and emails of a student and another person, the student’s own are read, the other’s never', async () => {
  const read = async (...labels: string[]) => {
    const rows = [
      ['학번', '이름', '학과(부)', ...labels],
      ['202600001', '김가람', '모형학과', ...labels.map((_, at) => `010-1234-000${at}`)],
    ];
    const { good, bad } = await readImport(rosterKind, { rows, doubtful: [] }, firstRosterColumns(rows));
    expect(bad).toEqual([]);
    expect(good).toMatchObject([{ name: '김가람', department: '모형학과' }]);
    return good[0]?.tel;
  };
  const contacts = ['휴대폰', '연락처', '전화번호', 'Phone', 'mobile phone'];
  const others = [
    '보호자',
    '학부모',
    '부모님',
    '비상',
    '비상연락처',
    '부',
    '모',
    '가족',
    'parent',
    'emergency',
  ];
  for (const contact of contacts)
    for (const other of others) {
      const parents = [`${contact}(${other})`, `${other} ${contact}`, `${contact} (${other})`];
      expect(await read(...parents), other).toBe('');
      for (const own of [
        contact,
        `${contact}(본인)`,
        `본인 ${contact}`,
        `학생${contact}`,
        `${contact} (학생)`,
      ]) {
        expect(await read(...parents, own), `${other} ${own}`).toBe('010-1234-0003');
        expect(await read(own, ...parents), `${own} ${other}`).toBe('010-1234-0000');
      }
      // One that says whose it is comes before one that does not, such as a landline.
      expect(await read('휴대폰', `${contact}(본인)`, ...parents)).toBe('010-1234-0001');
    }
});

test.each([
  ['tel', '010-123-4567', '전화번호가 아닙니다', undefined],
  ['name', '**김가람**', '이름에 쓰이지 않는 글자가 있습니다', '김가람'],
  ['name', '김*람', '이름에 쓰이지 않는 글자가 있습니다', undefined],
  ['name', '김가람/컴공', '이름에 쓰이지 않는 글자가 있습니다', undefined],
  ['name', '김가람(대표)', '이름에 쓰이지 않는 글자가 있습니다', undefined],
  ['name', '김 가 람', '이름의 글자 사이에 빈칸이 있습니다', '김가람'],
  ['name', '남궁 가람', '이름의 글자 사이에 빈칸이 있습니다', '남궁가람'],
  ['name', '김O람', '이름에 쓰이지 않는 글자가 있습니다', undefined],
  ['name', '김가람김가람', '이름에 쓰이지 않는 글자가 있습니다', undefined],
  ['year', '9', '학년이 6보다 큽니다', undefined],
  ['name', 'NaN', '빈 칸을 뜻하는 말로 보입니다', undefined],
] as const)('IMP-3 the %s %s is flagged', (field, value, reason, repair) => {
  const cells = new Map<string, string>([
    ['id', row.id],
    ['name', row.name],
    ['no', '1'],
    ['year', '1'],
    [field, value],
  ]);
  const read = rosterKind.readRow((each) => cells.get(each) ?? '');
  expect('row' in read && read.doubts).toEqual([{ field, reason, ...(repair && { repair }) }]);
});

test('IMP-1 a column of full names beside the family names is not joined with them', async () => {
  const read = async (...rows: string[][]) =>
    (
      await readImport(
        rosterKind,
        [['학번', '성', '이름'], ...rows].map((cells) => cells.join('\t')).join('\n'),
      )
    ).good.map(({ name }) => name);
  expect(
    await read(
      ['202600001', '김', '김가람'],
      ['202600002', '이', '이나'],
      ['202600003', '남궁', '남궁다온'],
      ['202600004', 'Able', 'Anne Able'],
      ['202600005', 'Able', 'Anne Marie'],
    ),
  ).toEqual(['김가람', '이이나', '남궁다온', 'Anne Able', 'Anne Marie Able']);
});

test('IMP-1 a column 성 of men and women, or of signs, is no column of family names', async () => {
  for (const [first = '', second = ''] of [
    ['남', '여'],
    ['-', '-'],
    ['M', 'F'],
  ]) {
    const rows = [
      ['학번', '성', '성명'],
      ['202600001', first, '김가람'],
      ['202600002', second, '이나래'],
    ];
    const { good } = await readImport(rosterKind, { rows, doubtful: [] }, firstRosterColumns(rows));
    expect(good.map(({ name }) => name)).toEqual(['김가람', '이나래']);
  }
});

test('STU-6 a header of two rows keeps whose telephone each is', async () => {
  const rows = [
    ['학생정보', '학생정보', '보호자', '본인'],
    ['학번', '이름', '연락처', '연락처'],
    ['202600001', '김가람', '010-1234-0001', '010-1234-0002'],
  ];
  const { good } = await readImport(rosterKind, { rows, doubtful: [] }, firstRosterColumns(rows));
  expect(good[0]?.tel).toBe('010-1234-0002');
});

test('IMP-1 the numbered questions of a form are labels, and a number that is the login of the address is flagged', async () => {
  const { rows } = await readImport(
    rosterKind,
    '1. 학번을 적어주세요 (예: 202600001)\t2. 성함\t3) 이메일\nS2026001\t김가온\ts2026001@univ.test\n202600002\t이나래\t202600002@univ.test',
  );
  expect(rows.map(({ row, doubts }) => [row?.name, doubts.map(({ field }) => field)])).toEqual([
    ['김가온', ['id']],
    ['이나래', []],
  ]);
});

test('IMP-3 a login in the place of a student number is flagged', async () => {
  const { rows } = await readImport(rosterKind, 'No.\tID\t이름\n1\tgaon123\t김가온\n2\tB202601\t이나래');
  expect(rows.map(({ doubts }) => doubts.map(({ field }) => field))).toEqual([['id'], []]);
});

test('STU-5 of a list without labels the first row is data, and the columns are asked', async () => {
  const { columns } = await readImport(rosterKind, '202380301\t김가온\t2\n202380302\t이나래\t3');
  expect(columns.headerAt).toBe(-1);
  expect(columns.missing.map(({ name }) => name)).toContain('id');
});

test('STU-5 a year with its standing, given names beside family names and an ID number are read', async () => {
  const text = 'ID 번호\tFirst name\tLast name\t학년\n202600001\t가람\t김\t4학년(졸업예정)';
  expect((await read(text)).good).toMatchObject([{ id: '202600001', name: '김가람', year: 4 }]);
});

const columnsOf = async (text: string) => {
  const { columns } = await readImport(rosterKind, text);
  return {
    problem: columns.problem,
    notes: columns.notes,
    missing: columns.missing.filter(({ presence }) => presence !== 'optional').length,
  };
};

test('STU-5 IMP-2 another number of columns and a label that is missing are named', async () => {
  expect(await columnsOf('순번\t학번\t성명\n1\t202600001\t홍길동')).toEqual({
    problem: '열 개수가 맞지 않습니다 (8)',
    notes: ['찾지 못한 열: 학과, 학년, 학적상태, 연락처, 이메일', '열이 3개입니다: 순번, 학번, 성명'],
    missing: 5,
  });
  const withoutType = await columnsOf(`${header.replace('\t학적상태', '')}\n1\t202600001\t홍길동`);
  expect(withoutType).toEqual({
    problem: '열 개수가 맞지 않습니다 (8)',
    notes: [
      '찾지 못한 열: 학적상태',
      `열이 7개입니다: ${header.replace('\t학적상태', '').replaceAll('\t', ', ')}`,
    ],
    missing: 1,
  });
  expect(await columnsOf(`${header}\t비고\n`)).toEqual({
    problem: '열 개수가 맞지 않습니다 (8)',
    notes: [
      `열이 9개입니다: ${header.replaceAll('\t', ', ')}, 비고`,
      '알 수 없는 열: 비고',
      '필요한 열은 모두 있어 나머지 열을 제외하고 그대로 저장할 수 있습니다',
    ],
    missing: 0,
  });
  expect(await columnsOf(`${header.replace('성명', '별명')}\n`)).toMatchObject({
    problem: '열 이름이 맞지 않습니다',
    notes: ['찾지 못한 열: 이름', '알 수 없는 열: 별명'],
  });
  expect(await columnsOf(`${header.replace('연락처', '소속')}\n`)).toMatchObject({
    problem: '열 이름이 맞지 않습니다',
    notes: ['찾지 못한 열: 연락처', '뜻이 같은 열: 학과, 소속'],
  });
});

test('IMP-2 a column more is left out, or read as what it was chosen to be', async () => {
  const text = `${header.replace('연락처', '비상용')}\t연락할 번호\n${rowText}\t010-9999-9999`;
  const at = (column: number, field: StudentColumn) => ({
    fields: new Map([[column, field]]),
    isHeaderless: false,
  });
  const { columns } = await readImport(rosterKind, text);
  expect(columns.columns.map(({ field }) => field)).toEqual([
    ...rowFields.slice(0, 6),
    undefined,
    'email',
    undefined,
  ]);
  expect((await readImport(rosterKind, text, at(8, 'tel'))).good).toEqual([{ ...row, tel: '010-9999-9999' }]);
  expect((await readImport(rosterKind, text, at(6, 'tel'))).good).toEqual([row]);
});

test('IMP-2 the header is found under title rows, and a table without one can be mapped', async () => {
  const titles = ['2026년 1학기 운영체제 수강생 명단', '학과: 컴퓨터공학과', '', '출력일 2026-03-02'];
  expect(await read([...titles, header, rowText].join('\n'))).toEqual(whole);
  expect(await read([...titles, header, rowText, rowText].join('\n').replaceAll('\t', ','))).toEqual({
    good: [row],
    bad: ['2 1행과 학번이 같습니다'],
  });
  const { columns } = await readImport(rosterKind, rowText);
  expect(columns).toMatchObject({ headerAt: -1, problem: '열 이름이 맞지 않습니다' });
  const fields = new Map(rowFields.map((field, at) => [at, field]));
  expect(await readImport(rosterKind, rowText, { fields, isHeaderless: true })).toMatchObject(whole);
});

test('STU-5 every usual name of a column is understood, whatever its case, spaces and brackets', async () => {
  expect(await read(`일련번호\t학번\t성명\t학과명\t학년\t신분\t휴대폰 번호\tE-Mail\n${rowText}`)).toEqual(
    whole,
  );
  const label = (field: StudentColumn) =>
    fc
      .tuple(
        fc.constantFrom(...studentColumns[field]),
        fc.constantFrom(
          (text: string) => text,
          (text: string) => text.toUpperCase(),
          (text: string) => text.split('').join(' '),
          (text: string) => `${text}(필수)`,
          (text: string) => `[필수] ${text}`,
          (text: string) => `*${text}*`,
          (text: string) => `"${text}\n(한글)"`,
        ),
      )
      .map(([text, written]) => written(text));
  const labels = fc.tuple(...rowFields.map((field) => label(field))).map((each) => each.join('\t'));
  await fc.assert(
    fc.asyncProperty(labels, async (line) => {
      expect(await read(`${line}\n${rowText}`)).toEqual(whole);
    }),
    options,
  );
});

test('STU-5 STU-11 one number has one form, however it was written', async () => {
  for (const tel of [
    '+82 10-1234-5678',
    '01012345678',
    '010 1234 5678',
    "'+82 10-1234-5678",
    '＋82-10-1234-5678',
  ]) {
    expect(await read(`${header}\n${rowText.replace('010-1234-5678', tel)}`), tel).toEqual(whole);
  }
});

test('STU-6 rows that cannot be imported are told with their number and reason', async () => {
  const good = '1\t202600001\t홍길동\t컴퓨터공학과\t3\t재학\t\t';
  const lines = [
    good,
    '둘\t202600002\t김하늘',
    '3\t12',
    good,
    '5\t202600005\t\t',
    '6\t202600006\t이별\t\t삼',
  ];
  const told = await read([header, ...lines].join('\n'));
  expect(told.good).toMatchObject([{ no: 1, id: '202600001', tel: '' }]);
  expect(told.bad).toEqual([
    '2 순번 값이 숫자가 아니거나 너무 큽니다: 둘',
    '3 학번이 올바르지 않습니다: 12',
    '3 이름이 비어 있습니다',
    '4 1행과 학번이 같습니다',
    '5 이름이 비어 있습니다',
    '6 학년 값이 숫자가 아니거나 너무 큽니다: 삼',
  ]);
});

test('IMP-3 a row of totals and a number that a spreadsheet has shortened are told as such', async () => {
  const lines = ['\t합계\t2명', '총원\t\t\t\t\t\t\t', '3\t2.02511E+08\t홍길동', '4\t202600001\t계\t\t3'];
  const told = await read([header, ...lines].join('\n'));
  expect(told.good).toMatchObject([{ id: '202600001', name: '계' }]);
  expect(told.bad).toEqual([
    '1 합계 행입니다',
    '2 합계 행입니다',
    '3 지수 표기로 바뀐 학번입니다: 2.02511E+08. 학번 열을 텍스트로 바꿔 다시 복사하거나, 엑셀 파일을 그대로 선택하세요',
  ]);
});

const doubtsAbout = (changes: Partial<RosterRow>) =>
  suspiciousContacts({ ...row, ...changes }).map(({ field, reason, repair }) => [field, reason, repair]);

test.each([
  { tel: '' },
  { tel: '010-1234-5678' },
  { tel: '02-123-4567' },
  { tel: '070-1234-5678' },
  { tel: '1577-1577' },
  { tel: '+1 212 555 0100' },
  { tel: '+82-31-123-4567' },
  { email: '' },
  { email: 'a.b+c@cs.univ.ac.kr' },
  { email: 'o’neil@univ.test' },
  { id: '2025E0001' },
  { id: 'A-0003' },
])('IMP-3 %j is nothing to ask about', (changes) => {
  expect(doubtsAbout({ ...changes, ...(changes.tel && { tel: phoneText(changes.tel) }) })).toEqual([]);
});

test.each([
  [{ tel: 'abc' }, 'tel', '전화번호가 아닙니다', undefined],
  [{ tel: '12' }, 'tel', '전화번호가 아닙니다', undefined],
  [{ tel: 'a@univ.test' }, 'tel', '전화번호가 아닙니다', undefined],
  [{ tel: '1012345678' }, 'tel', '맨 앞의 0이 없습니다', '010-1234-5678'],
  [{ tel: '10-1234-5678' }, 'tel', '맨 앞의 0이 없습니다', '010-1234-5678'],
  [{ tel: '21234567' }, 'tel', '맨 앞의 0이 없습니다', '02-123-4567'],
  [{ tel: '1.01235E+09' }, 'tel', '지수 표기로 바뀐 전화번호입니다', undefined],
  [{ email: 'bad' }, 'email', '이메일 주소가 아닙니다', undefined],
  [{ email: 'a@b' }, 'email', '이메일 주소가 아닙니다', undefined],
  [{ email: '010-1234-5678' }, 'email', '이메일 주소가 아닙니다', undefined],
  [{ email: 'mailto:a@univ.test' }, 'email', '이메일 주소가 아닙니다', 'a@univ.test'],
  [{ email: '홍길동 <a@univ.test>' }, 'email', '이메일 주소가 아닙니다', 'a@univ.test'],
  [{ email: 'a@univ,test' }, 'email', '이메일 주소가 아닙니다', 'a@univ.test'],
  [{ email: 'a @univ.test;' }, 'email', '이메일 주소가 아닙니다', 'a@univ.test'],
])('IMP-3 %j is asked about', (changes, ...told) => {
  expect(doubtsAbout(changes)).toEqual([told]);
});

test('IMP-3 every number that lost its zero is repaired, and a repair leaves nothing to ask about', () => {
  const numbers = fc
    .tuple(
      fc.constantFrom('02', '010', '011', '016', '019', '070', '031', '043', '055', '064'),
      fc.integer({ min: 200, max: 9999 }),
      fc.integer({ min: 1000, max: 9999 }),
    )
    // A number with 010 has four digits in the middle.
    .map(
      ([area, middle, last]) => `${area}${area === '010' ? String(middle).padStart(4, '2') : middle}${last}`,
    );
  fc.assert(
    fc.property(numbers, (digits) => {
      expect(doubtsAbout({ tel: phoneText(digits) })).toEqual([]);
      const [doubt] = doubtsAbout({ tel: phoneText(digits.slice(1)) });
      expect(doubt).toEqual(['tel', '맨 앞의 0이 없습니다', phoneText(digits)]);
    }),
    options,
  );
  const letters = fc.string({ unit: fc.constantFrom('a', '@', '.', ',', ' ', '<', '>', ':', '1', '-', 'é') });
  fc.assert(
    fc.property(letters, letters, (tel, email) => {
      const repaired = suspiciousContacts({ ...row, tel, email }).filter(
        ({ repair }) => repair !== undefined,
      );
      for (const { field, repair } of repaired) expect(doubtsAbout({ [field]: repair })).toEqual([]);
    }),
    options,
  );
});

const person = ({ name, department, tel, email }: RosterRow) => ({ name, department, tel, email });
const enrolmentOf = ({ no, year, type }: RosterRow) => ({ no, year, type });
/** What the server says of a row that is stored as `stored` and would be as `after`. */
const outcome = (
  stored: RosterRow,
  after: RosterRow,
  enrolment: RosterRow | null,
  newer: Term | null = null,
) => ({
  id: stored.id,
  before: person(stored),
  after: person(after),
  enrolment: enrolment && enrolmentOf(enrolment),
  by_hand: [],
  dropped: false,
  newer,
});

test('STU-6 the preview tells new, changed and unchanged apart', () => {
  const known = { ...row, id: '202600002' };
  const moved = { ...row, id: '202600003', year: 4 };
  const elsewhere = { ...row, id: '202600004' };
  const answer: Pick<RosterPreview, 'rows'> = {
    rows: [
      outcome(elsewhere, elsewhere, null),
      outcome(moved, moved, { ...moved, year: 3 }),
      outcome(known, known, known),
      {
        id: row.id,
        before: null,
        after: person(row),
        enrolment: null,
        by_hand: [],
        dropped: false,
        newer: null,
      },
    ],
  };
  const rows = [row, known, moved, elsewhere];
  const preview = previewImport(rows, answer);
  expect(countRowKinds(preview, rows)).toEqual({ new: 1, changed: 2, unchanged: 1 });
  expect([...preview.values()].map(({ kind, changes }) => [kind, changes])).toEqual([
    ['new', []],
    ['unchanged', []],
    ['changed', [{ field: '학년', from: '3', to: '4' }]],
    ['changed', [{ field: '수강', from: '', to: '추가' }]],
  ]);
});

test('STU-6 the preview names what is not taken of a person, and by which term', () => {
  const stored = { ...row, tel: '' };
  const pasted = { ...row, tel: '010-9999-9999', email: 'old@univ.test', department: '' };
  const newer: Term = { year: 2027, semester: 2 };
  const answer = { rows: [outcome(stored, { ...row, tel: pasted.tel }, row, newer)], alike: [], missing: [] };
  const told = previewImport([pasted], answer).get(pasted.id);
  expect(told).toMatchObject({
    kind: 'changed',
    newer,
    changes: [{ field: '연락처', from: '', to: '010-9999-9999' }],
    kept: [
      { field: '학과', pasted: '', stored: row.department },
      { field: '이메일', pasted: 'old@univ.test', stored: row.email },
    ],
  });
});

test('STU-6 a roster that was imported as it is comes back unchanged when it is pasted again', async () => {
  const word = fc.string({ unit: fc.constantFrom('가', '나', 'a', ' ', '"', '1'), maxLength: 12 });
  const name = word.map((rest) => `김${rest}`);
  const line = fc.record({
    name,
    department: word,
    type: word,
    tel: word,
    email: word,
    no: fc.nat(9),
    year: fc.nat(6),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), async (lines) => {
      const text = lines.map(({ no, name, department, year, type, tel, email }, index) =>
        [no, 202600000 + index, name, department, year, type, tel, email]
          .map((cell) => (String(cell).includes('"') ? `"${String(cell).replaceAll('"', '""')}"` : cell))
          .join('\t'),
      );
      const { good, bad } = await read([header, ...text].join('\r\n'));
      expect(bad).toEqual([]);
      const preview = previewImport(good, { rows: good.map((each) => outcome(each, each, each)) });
      expect(countRowKinds(preview, good)).toEqual({ new: 0, changed: 0, unchanged: lines.length });
    }),
    options,
  );
});

test('IMP-3 who was taken out of the class is told as such, and so is a contact that would be spoilt', async () => {
  const stored = { ...row, tel: '010-2222-3333' };
  const told = async (tel: string, dropped = false) => {
    const { rows } = await readImport(rosterKind, `${header}\n${rowText.replace('010-1234-5678', tel)}`);
    const [{ row: read = row, doubts } = { doubts: [] }] = rows;
    const answer = { ...outcome(stored, read, dropped ? null : stored), dropped };
    const preview = previewImport([read], { rows: [answer] }).get(read.id);
    if (!preview) throw new Error('the row is not compared');
    return [isEnrolledAgain(preview), replacesContactByInvalid(preview, doubts)];
  };
  for (const tel of ['1022223333', '1.022223e+09', 'NaN'])
    expect(await told(tel), tel).toEqual([false, true]);
  expect(await told('010-7777-8888')).toEqual([false, false]);
  expect(await told('010-2222-3333', true)).toEqual([true, false]);
});

test('IMP-3 a change of what somebody has typed is told as such, another is not', () => {
  const typed = { ...row, tel: '010-8888-8888', department: '옛 학과' };
  const answer = { ...outcome(typed, row, row), by_hand: ['tel' as const] };
  expect(previewImport([row], { rows: [answer] }).get(row.id)?.changes).toEqual([
    { field: '학과', from: '옛 학과', to: row.department, isTyped: false },
    { field: '연락처', from: typed.tel, to: row.tel, isTyped: true },
  ]);
});

test('STU-5 a family name in a column of its own is joined, and a column of its own label counts first', async () => {
  const joined = (family: string, given: string, labels = '성\t이름') =>
    read(`순번\t학번\t${labels}\n1\t202600001\t${family}\t${given}`);
  expect((await joined('가', '람솔')).good[0]?.name).toBe('가람솔');
  expect((await joined('Able', 'Anne', 'Last name\tName')).good[0]?.name).toBe('Anne Able');
  expect((await joined('가', '')).bad).toEqual(['1 이름이 비어 있습니다']);
  const { good } = await read(
    '학번\t성명\t이름\t소속\t학과\t상태\t학적상태\n1234\t가\t나\t공학부\t모형학과\t수강\t재학',
  );
  expect(good[0]).toMatchObject({ name: '나', department: '모형학과', type: '재학' });
  expect((await columnsOf('학번\t이름\t소속\t학과')).notes).toContain('뜻이 같은 열: 학과, 소속');
});
