import { phoneText } from '#contract/phone';
import { ROSTER_ROWS_MAX, rosterRowSchema, type RosterRow } from '#contract/students';
import type { RowFlag, ImportField, ImportKind, ReadRow } from '../../../components/import/import-kind.ts';
import { gradebookOf, isTestStudent } from '../../../lib/gradebook.ts';
import { isEmail } from '../../../lib/form-problems.ts';
import { subjectParticle } from '../../../lib/hangul.ts';
import { findColumns, type ColumnChoices } from '../../../components/import/columns.ts';
import {
  asciiText,
  fieldOfLabels,
  firstColumns,
  labelKey,
  type PastedTable,
  type Synonyms,
} from '../../../lib/paste-table.ts';
import {
  familyNameColumns,
  fullName,
  isOfOtherPerson,
  studentColumns,
} from '../../../lib/student-columns.ts';

export type RosterField = keyof RosterRow | 'family';

const fields: readonly Omit<ImportField<RosterField>, 'names'>[] = [
  { name: 'no', label: '순번', presence: 'expected', align: 'end', width: '5%' },
  { name: 'id', label: '학번', presence: 'required', width: '10%', maxLength: 20 },
  { name: 'family', label: '성', presence: 'optional', width: '4%', maxLength: 50 },
  { name: 'name', label: '이름', presence: 'required', isRowHeader: true, width: '9%', maxLength: 100 },
  {
    name: 'department',
    label: '학과',
    presence: 'expected',
    width: '10%',
    maxLength: 100,
    areValuesShown: true,
  },
  { name: 'year', label: '학년', presence: 'expected', align: 'end', width: '5%', areValuesShown: true },
  { name: 'type', label: '학적상태', presence: 'expected', width: '7%', maxLength: 50, areValuesShown: true },
  { name: 'tel', label: '연락처', presence: 'expected', width: '10%', maxLength: 50 },
  { name: 'email', label: '이메일', presence: 'expected', width: '12%', maxLength: 200 },
];

const fieldNames: Synonyms<RosterField> = { ...studentColumns, family: familyNameColumns };

export const rosterKind: ImportKind<RosterField, RosterRow> = {
  columnCount: 8,
  rowsMax: ROSTER_ROWS_MAX,
  unit: '명',
  fields: fields.map((field) => ({ ...field, names: fieldNames[field.name] })),
  readRow,
  once: { keyOf: ({ id }) => id, field: 'id', reason: (first) => `${first}행과 학번이 같습니다` },
};

/**
 * The columns of a Canvas gradebook, where the column ID is not a student number; undefined for other tables.
 */
export function gradebookColumns(table: PastedTable): ColumnChoices<RosterField> | undefined {
  const gradebook = gradebookOf(table);
  if (gradebook?.system !== 'canvas') return undefined;
  const labels = table[gradebook.header] ?? [];
  const fieldOf = (column: number): RosterField | null => {
    if (column === gradebook.name) return 'name';
    return column === gradebook.id && labelKey(labels[column] ?? '') !== 'id' ? 'id' : null;
  };
  return { fields: new Map(labels.map((_, column) => [column, fieldOf(column)])), isHeaderless: false };
}

/** Whether a column beside the names is no column of family names: it says the sex, or has signs alone. */
const isNoFamilyName = (cells: readonly string[]) =>
  cells.every((cell) => /^(?:[^\p{L}]*|남자?|여자?|[mf]|male|female)$/iu.test(cell)) &&
  new Set(cells).size < 4;

/**
 * The columns of a gradebook, or of a table that has columns of another person, such as a parent, which no
 * field takes; undefined for other tables.
 */
export function firstRosterColumns(table: PastedTable): ColumnChoices<RosterField> | undefined {
  const gradebook = gradebookColumns(table);
  const { headerAt, columns } = findColumns(table, rosterKind);
  const labels = columns.map(({ label }) => label);
  const fieldOf = fieldOfLabels(fieldNames);
  const isOther = (label: string, at: number) =>
    isOfOtherPerson(label) ||
    (fieldOf(label) === 'family' && isNoFamilyName(table.slice(headerAt + 1).map((row) => row[at] ?? '')));
  if (gradebook || !labels.some(isOther)) return gradebook;
  const found = labels.map((label, at) => (isOther(label, at) ? undefined : fieldOf(label)));
  const first = firstColumns(labels, found, fieldNames, table.slice(headerAt + 1));
  const fields = new Map<number, RosterField | null>();
  for (const [at, label] of labels.entries()) {
    const field = found[at];
    if (isOther(label, at)) fields.set(at, null);
    else if (field !== undefined && first[field] === at) fields.set(at, field);
  }
  return { fields, isHeaderless: false };
}

/** The label of a field; for an unknown name, the name itself. */
export const rosterFieldLabel = (field: string): string =>
  fields.find(({ name }) => name === field)?.label ?? field;

function readRow(cell: (field: RosterField) => string): ReadRow<RosterField, RosterRow> {
  if (isTestStudent(cell('name')))
    return { errors: [{ field: 'name', reason: 'Canvas의 시험용 학생이라 제외합니다' }] };
  const parsed = rosterRowSchema.safeParse({
    no: numberOf(asciiText(cell('no'))),
    id: cleanStudentNumber(asciiText(cell('id'))),
    name: cell('name') && fullName(cell('family'), cell('name')),
    department: cell('department'),
    year: numberOf(asciiText(cell('year')).replace(/\s*학년(?:\s*\(.*\))?$/, '')),
    type: cell('type'),
    tel: phoneText(asciiText(cell('tel'))),
    email: asciiText(cell('email')),
  });
  if (parsed.success) {
    const { id, tel, email, year } = parsed.data;
    const isLogin =
      LOGIN.test(id) || (/[a-z]/i.test(id) && id.toLowerCase() === email.split('@')[0]?.toLowerCase());
    const doubts: RowFlag<RosterField>[] = [
      ...(isLogin ? [{ field: 'id', reason: '학번이 아닌 아이디로 보입니다' } as const] : []),
      ...(year > YEAR_MAX ? [{ field: 'year', reason: `학년이 ${YEAR_MAX}보다 큽니다` } as const] : []),
      ...nameDoubts(parsed.data.name),
      ...suspiciousContacts(parsed.data),
    ];
    return { row: parsed.data, cells: { id, tel, email }, doubts };
  }
  const errors = parsed.error.issues.map(({ path: [name] }): RowFlag<RosterField> => {
    const field = fields.find((each) => each.name === name)?.name;
    return field === undefined
      ? { reason: '올바르지 않은 행입니다' }
      : { field, reason: reasonOf(field, cell(field)) };
  });
  const [first = { reason: '올바르지 않은 행입니다' }, ...others] = errors;
  return { errors: [first, ...others] };
}

function reasonOf(field: RosterField, text: string): string {
  const label = rosterFieldLabel(field);
  if (text === '') return `${label}${subjectParticle(label)} 비어 있습니다`;
  if (field === 'id' && isShortened(text))
    return `지수 표기로 바뀐 학번입니다: ${text}. 학번 열을 텍스트로 바꿔 다시 복사하거나, 엑셀 파일을 그대로 선택하세요`;
  if (field === 'id') return `학번이 올바르지 않습니다: ${text}`;
  if (field === 'no' || field === 'year') return `${label} 값이 숫자가 아니거나 너무 큽니다: ${text}`;
  return `${label} 값이 너무 깁니다`;
}

/**
 * A student number without the spaces and the `.0` that spreadsheets add (`20201002.0`). Two numbers in one cell
 * stay apart, so that they are refused.
 */
export const cleanStudentNumber = (id: string): string =>
  /\d{5,}\s+\d{5,}/.test(id) ? id : id.replace(/\s/g, '').replace(/^(\d+)\.0+$/, '$1');

/** The number in a cell: 0 for an empty cell, NaN for text other than digits. */
function numberOf(text: string): number {
  return /^\d*$/.test(text) ? Number(text) : Number.NaN;
}

/** A value that can be stored but looks wrong. */
export type SuspiciousContact = { field: 'name' | 'tel' | 'email'; reason: string; repair?: string };

/** Phone numbers as written by phoneText(), numbers without an area code, and foreign numbers. */
const PHONE =
  /^(?:010-\d|(?:02|0(?!10)\d\d)-\d?)\d{3}-\d{4}$|^1[568]\d\d-?\d{4}$|^(?:\+|00)[1-9][\d\s().-]{6,20}$/;
/** 010-1234-5678 or 02-123-4567 after a spreadsheet has removed the leading zero. */
const WITHOUT_ZERO = /^(?:1[016-9]|70|[3-6]\d)\d{7,8}$|^2\d{7,8}$/;
const SHORTENED = /^\d+(?:\.\d+)?e[+-]\d+$/i;

/** Whether a spreadsheet has shortened a long number to exponent notation, which loses its last digits. */
const isShortened = (text: string) => SHORTENED.test(text);

/** The suspicious contacts of a row. An empty cell is not suspicious. */
export function suspiciousContacts({ tel, email }: Pick<RosterRow, 'tel' | 'email'>): SuspiciousContact[] {
  const doubts: SuspiciousContact[] = [];
  if (tel !== '' && !PHONE.test(tel)) doubts.push({ field: 'tel', ...phoneDoubt(tel) });
  if (email !== '' && !isEmail(email)) {
    doubts.push({ field: 'email', reason: '이메일 주소가 아닙니다', ...emailRepair(email) });
  }
  return doubts;
}

/** Signs of Markdown around a name: `**김가람**`. */
const MARKUP = /^[*_~`#]+|[*_~`#]+$/g;

/** Anything but letters, digits and the signs that names have, such as the star in `김*람`. */
const NO_NAME = /[^\p{L}\p{M}\p{N}\s.,'’·ㆍ-]/u;

/** A letter in the place of a syllable, as in `김O람`, a comma at the end, or a name that stands twice. */
const MASKED = /\p{Script=Hangul}[A-Za-z]\p{Script=Hangul}|,$|^(\p{Script=Hangul}{2,4})\1$/u;

/** Programs write `?` for letters that the file's encoding lacks: `M?ller`, and NaN for an empty cell. */
function nameDoubts(name: string): SuspiciousContact[] {
  const field = 'name';
  if (name.includes('?')) return [{ field, reason: '저장하면서 깨진 글자로 보입니다' }];
  if (/^\P{L}+$/u.test(name)) return [{ field, reason: '이름에 글자가 없습니다' }];
  if (/^(?:nan|null|none|nil)$/i.test(name)) return [{ field, reason: '빈 칸을 뜻하는 말로 보입니다' }];
  if (/^(?:\p{Script=Hangul}{1,2} ){1,3}\p{Script=Hangul}{1,2}$/u.test(name))
    return [{ field, reason: '이름의 글자 사이에 빈칸이 있습니다', repair: name.replaceAll(' ', '') }];
  const repair = name.replace(MARKUP, '').trim();
  const reason = '이름에 쓰이지 않는 글자가 있습니다';
  if (repair !== name) return [{ field, reason, repair }];
  return NO_NAME.test(name) || MASKED.test(name) ? [{ field, reason }] : [];
}

/** The last year of the longest course. */
const YEAR_MAX = 6;

/** A login instead of a student number, which has at most a letter or two before its digits. */
const LOGIN = /^[a-z]{3}/i;

function phoneDoubt(tel: string): Pick<SuspiciousContact, 'reason' | 'repair'> {
  if (isShortened(tel)) return { reason: '지수 표기로 바뀐 전화번호입니다' };
  const digits = tel.replace(/[\s().-]/g, '');
  const repair = WITHOUT_ZERO.test(digits) ? phoneText(`0${digits}`) : '';
  if (PHONE.test(repair)) return { reason: '맨 앞의 0이 없습니다', repair };
  return { reason: '전화번호가 아닙니다' };
}

/** Suggests a repair for addresses such as `mailto:a@b.kr`, `홍길동 <a@b.kr>`, `a@b,kr`, `a @b.kr` */
function emailRepair(email: string): Pick<SuspiciousContact, 'repair'> {
  const bracketed = /<([^<>]*)>/.exec(email)?.[1] ?? email;
  const repair = bracketed
    .replace(/^mailto:/i, '')
    .replace(/\s/g, '')
    .replaceAll(',', '.')
    .replace(/^[.;:"']+|[.;:"']+$/g, '');
  return isEmail(repair) ? { repair } : {};
}
