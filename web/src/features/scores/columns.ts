/** Which column of a pasted table holds what. */
import { findColumns, hasContent, type PastedTable } from '../../lib/paste-table.ts';
import { readNumber } from './class-list.ts';

export const FIELDS = ['name', 'id', 'score', 'attendance', 'late', 'tieBreak'] as const;
export type Field = (typeof FIELDS)[number];

/** Columns from 0. `header` is the row that names them; rows before it are no students. Undefined: there is none. */
export type Mapping = { header: number | undefined; columns: Partial<Record<Field, number>> };

const NAMES = ['이름', '성명', '학생명', '학생이름', 'name', 'student name'];
const IDS = ['학번', '학생번호', '학번/직번', 'id', 'student id', 'student no', 'student number', 'sid'];

const labels = {
  name: NAMES,
  id: IDS,
  score: ['총점', '합계', '총계', '최종점수', '최종성적', '환산점수', 'total', 'total score', 'sum'],
  attendance: [
    '결석',
    '결석수',
    '결석횟수',
    '결석일수',
    '출석',
    '출석수',
    '출석횟수',
    '출석일수',
    '출석률',
    '출석율',
    'absence',
    'absences',
    'absent',
    'attendance',
    'attended',
  ],
  late: ['지각', '지각수', '지각횟수', 'late', 'lateness'],
  tieBreak: ['동점기준', '동점처리', 'tie break', 'tiebreak'],
} as const;

/** For a table whose score is called by nothing better. */
const secondLabels = { score: ['점수', '성적', 'score', 'scores', 'points'] };

/** A header stands within so many rows: spreadsheets begin with titles. */
const HEADER_WITHIN = 5;
/** By so many rows a column's content is judged. */
const SAMPLE_ROWS = 200;

/** Finds the columns by the words of a header row, and by their content what no word tells. */
export function detectColumns(table: PastedTable): Mapping {
  const named = table.slice(0, HEADER_WITHIN).map((row) => columnsByWords(row));
  const header = named.findIndex((columns) => Object.keys(columns).length > 0);
  if (header !== -1) {
    const columns = named[header] ?? {};
    return { header, columns: { ...columnsByContent(table.slice(header + 1), columns), ...columns } };
  }
  // A row of labels that say nothing: numbers below it, none in it.
  const [first = []] = table;
  const below = columnsByContent(table.slice(1), {});
  const isHeader =
    table.length > 1 && below.score !== undefined && !first.some((cell) => readNumber(cell) !== undefined);
  return isHeader
    ? { header: 0, columns: below }
    : { header: undefined, columns: columnsByContent(table, {}) };
}

function columnsByWords(row: readonly string[]): Mapping['columns'] {
  // The second labels are looked at first, so that the better ones overwrite them.
  return { ...findColumns(row, secondLabels), ...findColumns(row, labels) };
}

type Profile = {
  column: number;
  numbers: number[];
  distinct: number;
  isId: boolean;
  isName: boolean;
  isSerial: boolean;
  isPercent: boolean;
};

/** What the columns that no label has named look like. A score that a label has named is left alone, and so on. */
function columnsByContent(rows: PastedTable, known: Mapping['columns']): Mapping['columns'] {
  const taken = new Set(Object.values(known));
  const sample = rows.filter(hasContent).slice(0, SAMPLE_ROWS);
  const width = sample.reduce((most, row) => Math.max(most, row.length), 0);
  const profiles = Array.from({ length: width }, (_, column) => profileOf(sample, column)).filter(
    ({ column }) => !taken.has(column),
  );
  const id = mostDistinct(profiles.filter((each) => each.isId));
  const name = mostDistinct(profiles.filter((each) => each.isName));
  const numeric = profiles.filter(
    (each) => each !== id && !each.isSerial && each.numbers.length * 2 > sample.length,
  );
  const score = likeliestScore(numeric.filter((each) => !each.isPercent));
  const rest = numeric.filter((each) => each !== score);
  const attendance = rest.find((each) => each.isPercent) ?? (rest.length === 1 ? rest[0] : undefined);
  const isCount = attendance?.numbers.every((value) => Number.isInteger(value) && value >= 0) ?? false;
  return {
    ...(name && { name: name.column }),
    ...(id && { id: id.column }),
    ...(score && { score: score.column }),
    // With a header, attendance is only what is called so.
    ...(taken.size === 0 && attendance && isCount && { attendance: attendance.column }),
  };
}

function profileOf(sample: PastedTable, column: number): Profile {
  const cells = sample.map((row) => row[column] ?? '').filter((cell) => cell !== '');
  const most = (is: (cell: string) => boolean) =>
    cells.length > 0 && cells.filter(is).length * 10 >= cells.length * 8;
  const numbers = cells.flatMap((cell) => readNumber(cell) ?? []);
  return {
    column,
    numbers,
    distinct: new Set(cells).size,
    isId: most((cell) => /^[0-9A-Za-z-]{6,20}$/.test(cell) && /\d{4}/.test(cell)),
    isName: most((cell) => /^(\p{Script=Hangul}[\p{Script=Hangul} ]{1,9}|\p{L}[\p{L}'. -]+)$/u.test(cell)),
    isSerial: numbers.length > 1 && numbers.every((value, index) => value === index + 1),
    isPercent: most((cell) => cell.endsWith('%')),
  };
}

/** Departments and years repeat; names and numbers of students do not. */
function mostDistinct(profiles: readonly Profile[]): Profile | undefined {
  return profiles.reduce<Profile | undefined>(
    (best, each) => (best && best.distinct >= each.distinct ? best : each),
    undefined,
  );
}

/** The sum of the others, or the one that tells students apart best, or the one with the highest values. */
function likeliestScore(numeric: readonly Profile[]): Profile | undefined {
  const sum = numeric.find((each) => numeric.length > 2 && isSumOf(each, numeric));
  if (sum) return sum;
  const mean = ({ numbers }: Profile) => numbers.reduce((total, value) => total + value, 0) / numbers.length;
  return numeric.reduce<Profile | undefined>((best, each) => {
    if (!best) return each;
    const isClear = Math.abs(best.distinct - each.distinct) * 10 > Math.max(best.distinct, each.distinct);
    if (isClear) return best.distinct > each.distinct ? best : each;
    return mean(best) > mean(each) ? best : each;
  }, undefined);
}

function isSumOf(total: Profile, numeric: readonly Profile[]): boolean {
  const others = numeric.filter((each) => each !== total);
  if (others.some(({ numbers }) => numbers.length !== total.numbers.length)) return false;
  return total.numbers.every((value, row) => {
    const sum = others.reduce((all, { numbers }) => all + (numbers[row] ?? 0), 0);
    return Math.abs(sum - value) < 0.01;
  });
}

/** What a column is called on screen: its label, or its number. */
export function columnName(table: PastedTable, { header }: Mapping, column: number): string {
  const label = header === undefined ? '' : (table[header]?.[column] ?? '');
  return label === '' ? `${column + 1}번째 열` : label.replace(/\s+/g, ' ');
}
