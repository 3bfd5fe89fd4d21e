import { rosterRowSchema, ROSTER_ROWS, type RosterRow } from '#contract/students';
import { phoneText } from '#contract/phone';
import { subjectParticle } from '../../../lib/hangul.ts';
import { asciiText, fieldOfLabels, oneLine, parsePaste, plainLabel } from '../../../lib/paste-table.ts';
import { studentColumns } from '../../../lib/student-columns.ts';
import { isShortened } from './doubtful-contacts.ts';

/** A row that cannot be imported; `row` counts from 1 below the header. */
export type BadRow = { row: number; cells: string[]; reason: string };

type PastedRoster =
  /** `message` says what is wrong with the header, `notes` which columns are concerned. */
  | { problem: 'columns'; message: string; notes: string[] }
  | { problem: 'no-data' }
  | { problem: 'too-many' }
  | { problem?: never; rows: RosterRow[]; bad: BadRow[] };

type Field = keyof RosterRow;

const COLUMNS = 8;
const SLICE_MS = 12;
const TOTALS = /^(?:합계|총계|소계|누계|계|총원|총인원|인원수?|평균|total|subtotal|sum|average)(?:\d+명?)?$/;

/** Names of the fields in error messages. */
export const fieldNames: Record<Field, string> = {
  no: '순번',
  id: '학번',
  name: '이름',
  department: '학과',
  year: '학년',
  type: '학적상태',
  tel: '연락처',
  email: '이메일',
};

const fields = Object.keys(fieldNames).filter((key): key is Field => key in fieldNames);

/** Parses a pasted roster in slices, so that the page stays responsive. */
export async function readRoster(text: string): Promise<PastedRoster> {
  const [header, ...data] = parsePaste(text);
  if (!header) return { problem: 'no-data' };
  const { columns, problem } = readHeader(header.slice(0, header.findLastIndex((cell) => cell !== '') + 1));
  if (problem) return problem;
  if (data.length === 0) return { problem: 'no-data' };
  if (data.length > ROSTER_ROWS) return { problem: 'too-many' };

  const rows: RosterRow[] = [];
  const bad: BadRow[] = [];
  const firstRowOf = new Map<string, number>();
  let sliceEnd = performance.now() + SLICE_MS;
  for (const [index, cells] of data.entries()) {
    if (performance.now() > sliceEnd) {
      await nextTask();
      sliceEnd = performance.now() + SLICE_MS;
    }
    const row = index + 1;
    const read = readRow(cells, columns);
    const first = typeof read === 'string' ? undefined : firstRowOf.get(read.id);
    if (typeof read === 'string') bad.push({ row, cells, reason: read });
    else if (first !== undefined) bad.push({ row, cells, reason: `${first}행과 학번이 같습니다` });
    else {
      firstRowOf.set(read.id, row);
      rows.push(read);
    }
  }
  return { rows, bad };
}

const fieldOf = fieldOfLabels(studentColumns);

/** Column of each field, or what is wrong: the number of columns, or unknown, missing or duplicate ones. */
function readHeader(header: readonly string[]) {
  const labels = header.map((label) => oneLine(label) || '(이름 없음)');
  const columns: Partial<Record<Field, number>> = {};
  const unknown: string[] = [];
  const again: string[] = [];
  for (const [column, label] of labels.entries()) {
    const field = fieldOf(label);
    const first = field && columns[field];
    if (field === undefined) unknown.push(label);
    else if (first === undefined) columns[field] = column;
    else again.push(`${labels[first]}, ${label}`);
  }
  const missing = fields.filter((field) => columns[field] === undefined).map((field) => fieldNames[field]);
  const isRightCount = labels.length === COLUMNS;
  if (isRightCount && missing.length === 0) return { columns };
  const notes = [
    ...(isRightCount ? [] : [`열이 ${labels.length}개입니다: ${labels.join(', ')}`]),
    ...(unknown.length > 0 ? [`알 수 없는 열: ${unknown.join(', ')}`] : []),
    ...(missing.length > 0 ? [`찾지 못한 열: ${missing.join(', ')}`] : []),
    ...again.map((pair) => `뜻이 같은 열: ${pair}`),
  ];
  const message = isRightCount ? '열 이름이 맞지 않습니다' : `열 개수가 맞지 않습니다 (${COLUMNS})`;
  return { columns, problem: { problem: 'columns', message, notes } as const };
}

/** A row in the contract's shape, or its error. */
function readRow(cells: string[], columns: Partial<Record<Field, number>>): RosterRow | string {
  const cell = (field: Field) => oneLine(cells[columns[field] ?? -1] ?? '');
  if (cells.slice(COLUMNS).some((extra) => extra !== '')) return '열이 8개보다 많습니다';
  const parsed = rosterRowSchema.safeParse({
    no: numberOf(asciiText(cell('no'))),
    id: asciiText(cell('id')),
    name: cell('name'),
    department: cell('department'),
    year: numberOf(asciiText(cell('year')).replace(/학년$/, '')),
    type: cell('type'),
    tel: phoneText(asciiText(cell('tel'))),
    email: asciiText(cell('email')),
  });
  if (parsed.success) return parsed.data;
  if (isTotals(cells, cell('id'))) return '합계 행입니다';
  const [issue] = parsed.error.issues;
  const field = fields.find((name) => name === issue?.path[0]);
  return field === undefined ? '올바르지 않은 행입니다' : reasonOf(field, cell(field));
}

function reasonOf(field: Field, text: string): string {
  if (text === '') return `${fieldNames[field]}${subjectParticle(fieldNames[field])} 비어 있습니다`;
  if (field === 'id' && isShortened(text))
    return `지수로 줄어든 학번입니다: ${text}. 학번 열을 텍스트로 바꾼 뒤 다시 복사하세요`;
  if (field === 'id') return `학번이 올바르지 않습니다: ${text}`;
  if (field === 'no' || field === 'year')
    return `${fieldNames[field]} 값이 숫자가 아니거나 너무 큽니다: ${text}`;
  return `${fieldNames[field]} 값이 너무 깁니다`;
}

/** A totals row contains a word for it and no student number. */
function isTotals(cells: readonly string[], id: string): boolean {
  if (/\d{4}/.test(id)) return false;
  return cells.some((cell) => TOTALS.test(plainLabel(cell)));
}

/** An empty cell is 0; anything but digits is NaN. */
function numberOf(text: string): number {
  return /^\d*$/.test(text) ? Number(text) : Number.NaN;
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}
