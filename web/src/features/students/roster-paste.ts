import { rosterRowSchema, ROSTER_ROWS, type RosterRow } from '#contract/students';
import { asciiText, findColumns, oneLine, parsePaste, type Synonyms } from '../../lib/paste-table.ts';

/** A row that cannot be imported; `row` counts from 1 below the header. */
export type BadRow = { row: number; cells: string[]; reason: string };

export type PastedRoster =
  | { problem: 'columns'; missing: string[] }
  | { problem: 'no-data' }
  | { problem: 'too-many' }
  | { problem?: never; rows: RosterRow[]; bad: BadRow[] };

type Field = keyof RosterRow;

const COLUMNS = 8;
const SLICE_MS = 12;

const synonyms: Synonyms<Field> = {
  no: ['순번', 'No', '번호', '연번'],
  id: ['학번'],
  name: ['성명', '이름', '학생명'],
  department: ['학과', '전공', '소속', '학부', '학과/전공'],
  year: ['학년'],
  type: ['학적상태', '구분', '학적', '상태', '학적구분'],
  tel: ['연락처', '전화번호', '휴대폰', '전화', '휴대전화', '핸드폰'],
  email: ['이메일', 'E-mail', '메일', '이메일주소'],
};

/** What each field is called in a reason. */
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

/** A pasted roster, read in slices so that the page answers meanwhile. */
export async function readRoster(text: string): Promise<PastedRoster> {
  const [header, ...data] = parsePaste(text);
  if (!header) return { problem: 'no-data' };
  const columns = findColumns(header, synonyms);
  const missing = fields.filter((field) => columns[field] === undefined).map((field) => fieldNames[field]);
  const width = header.findLastIndex((cell) => cell !== '') + 1;
  if (width !== COLUMNS || missing.length > 0) return { problem: 'columns', missing };
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

/** A row in the contract's shape, or what is wrong with it. */
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
    tel: asciiText(cell('tel')),
    email: asciiText(cell('email')),
  });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = fields.find((name) => name === issue?.path[0]);
  return field === undefined ? '올바르지 않은 행입니다' : reasonOf(field, cell(field));
}

function reasonOf(field: Field, text: string): string {
  if (text === '') return `${fieldNames[field]}이 비어 있습니다`;
  if (field === 'id') return `학번이 올바르지 않습니다: ${text}`;
  if (field === 'no' || field === 'year')
    return `${fieldNames[field]} 값이 숫자가 아니거나 너무 큽니다: ${text}`;
  return `${fieldNames[field]} 값이 너무 깁니다`;
}

/** An empty cell is 0, anything but digits is not a number. */
function numberOf(text: string): number {
  return /^\d*$/.test(text) ? Number(text) : Number.NaN;
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}
