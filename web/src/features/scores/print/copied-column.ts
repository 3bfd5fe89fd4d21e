import { toTsv } from '../../../lib/csv.ts';
import { asciiText, parsePaste } from '../../../lib/paste-table.ts';
import type { GradedRow } from '../grading/graded-class.ts';
import { generatedScore, gradeText, type GradeNotation } from '../grading/grades.ts';
import { groupBy } from '../../../lib/collections.ts';

export type CopiedColumn = 'grades' | 'scores';

type Row = Pick<GradedRow, 'row' | 'id' | 'grade'>;

function cellOf({ grade }: Pick<Row, 'grade'>, column: CopiedColumn, style: GradeNotation): string | number {
  if (grade === undefined) return '';
  return column === 'grades' ? gradeText(grade, style) : generatedScore(grade);
}

/**
 * One column for the spreadsheet, from the first student to the last pasted row, in the pasted order.
 * Excluded and empty rows give empty lines, so that every line matches its student.
 */
export function columnInPastedOrder(
  column: CopiedColumn,
  rows: readonly Row[],
  style: GradeNotation,
): string {
  const lines: (string | number)[] = [];
  for (const each of rows) {
    const first = rows[0]?.row ?? 0;
    while (lines.length < each.row - first) lines.push('');
    lines.push(cellOf(each, column, style));
  }
  return toTsv(lines.map((line) => [line]));
}

/** One column with a line for each row of the table, in the displayed order. */
export function columnInShownOrder(column: CopiedColumn, rows: readonly Row[], style: GradeNotation): string {
  return toTsv(rows.map((row) => [cellOf(row, column, style)]));
}

/** Two columns: student numbers and grades. */
export function idsAndGrades(rows: readonly Row[], style: GradeNotation): string {
  return toTsv(
    rows.flatMap((row) => (row.grade === undefined ? [] : [[row.id, cellOf(row, 'grades', style)]])),
  );
}

export type FilledForm = {
  /** One column with a line for each line of the list. */
  text: string;
  /** How many numbers of the list got a grade. */
  filled: number;
  /** Numbers in the list that no graded student has. */
  unknown: string[];
  /** Numbers that several lines or several students have; their lines stay empty. */
  repeated: string[];
  /** Graded students who are not in the list: their numbers or, without a number, their rows. */
  left: string[];
};

/** The grades in the order of a university's own list of student numbers. */
export function filledForm(
  list: string,
  rows: readonly Row[],
  column: CopiedColumn,
  style: GradeNotation,
): FilledForm {
  const graded = rows.filter(({ grade }) => grade !== undefined);
  const byId = groupBy(graded, ({ id }) => plainId(id));
  const ids = idsIn(list, byId);
  const wanted = groupBy(ids, plainId);
  const isRepeated = (id: string) => [byId, wanted].some((each) => (each.get(id)?.length ?? 0) > 1);
  const lines = ids.map((id) => {
    const [row] = byId.get(plainId(id)) ?? [];
    return row && id !== '' && !isRepeated(plainId(id)) ? [cellOf(row, column, style)] : [''];
  });
  const isId = (id: string) => /\d/.test(id);
  return {
    text: toTsv(lines),
    filled: lines.filter(([line]) => line !== '').length,
    unknown: ids.filter((id) => isId(id) && !byId.has(plainId(id))),
    repeated: [...new Set(ids.filter((id) => isId(id) && byId.has(plainId(id)) && isRepeated(plainId(id))))],
    left: graded.flatMap(({ id, row }) => (id !== '' && wanted.has(plainId(id)) ? [] : id || `${row + 1}행`)),
  };
}

/** The column with most of the class's numbers, line by line. */
function idsIn(list: string, byId: ReadonlyMap<string, unknown>): string[] {
  const rows = parsePaste(list, { keepEmptyRows: true });
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  const columns = Array.from({ length: width }, (_, at) => rows.map((row) => row[at] ?? ''));
  const known = (cells: readonly string[]) =>
    cells.filter((cell) => cell !== '' && byId.has(plainId(cell))).length;
  return columns.reduce((best, each) => (known(each) > known(best) ? each : best), columns[0] ?? []);
}

/** A number normalised, because programs change it: `２０２２-１９７７`, `20221977.0`, missing leading zeros. */
function plainId(id: string): string {
  return asciiText(id)
    .replace(/[\s-]/g, '')
    .replace(/^0+(?=\d)/, '')
    .toUpperCase();
}
