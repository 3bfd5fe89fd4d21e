import { toTsv } from '../../../lib/csv.ts';
import { parsePastedRows, type PastedTable } from '../../../lib/paste-table.ts';
import { bareStudentNumber } from '../../../lib/student-columns.ts';
import { isOtherName } from '../classes/roster-match.ts';
import type { GradedRow } from '../grading/graded-class.ts';
import { scoreForGrade, gradeText, type GradeNotation } from '../grading/grades.ts';
import { groupBy } from '../../../lib/collections.ts';

export type CopiedColumn = 'grades' | 'scores';

type Row = Pick<GradedRow, 'row' | 'id' | 'name' | 'grade'>;

function cellOf({ grade }: Pick<Row, 'grade'>, column: CopiedColumn, style: GradeNotation): string | number {
  if (grade === undefined) return '';
  return column === 'grades' ? gradeText(grade, style) : scoreForGrade(grade);
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
  /** Numbers beside which the list has the name of another student of the class. */
  misnamed: string[];
  /** Graded students who are not in the list: their numbers or, without a number, their rows. */
  left: string[];
};

/** The grades in the order of a university's own list of student numbers. */
export function filledForm(
  list: string,
  rows: readonly Row[],
  copied: CopiedColumn,
  style: GradeNotation,
): FilledForm {
  const graded = rows.filter(({ grade }) => grade !== undefined);
  const byId = groupBy(graded, ({ id }) => bareStudentNumber(id));
  const table = parsePastedRows(list, { keepEmptyRows: true });
  const column = idColumn(table, byId);
  const ids = table.map((cells) => cells[column] ?? '');
  const names = new Set(rows.map(({ name }) => name));
  const wanted = groupBy(ids, bareStudentNumber);
  const isRepeated = (id: string) => [byId, wanted].some((each) => (each.get(id)?.length ?? 0) > 1);
  const lines = ids.map((id) => {
    const [row] = byId.get(bareStudentNumber(id)) ?? [];
    return row && id !== '' && !isRepeated(bareStudentNumber(id)) ? [cellOf(row, copied, style)] : [''];
  });
  const isId = (id: string) => /\d/.test(id);
  return {
    text: toTsv(lines),
    filled: lines.filter(([line]) => line !== '').length,
    unknown: ids.filter((id) => isId(id) && !byId.has(bareStudentNumber(id))),
    repeated: [
      ...new Set(
        ids.filter((id) => isId(id) && byId.has(bareStudentNumber(id)) && isRepeated(bareStudentNumber(id))),
      ),
    ],
    misnamed: table.flatMap((cells, at) => {
      const id = ids[at] ?? '';
      const [row] = byId.get(bareStudentNumber(id)) ?? [];
      const said = cells.find((cell, each) => each !== column && names.has(cell));
      return row && said !== undefined && isOtherName(said, row.name) ? [`${id} ${said}`] : [];
    }),
    left: graded.flatMap(({ id, row }) =>
      id !== '' && wanted.has(bareStudentNumber(id)) ? [] : id || `${row + 1}행`,
    ),
  };
}

/** Index of the column with most of the class's numbers. */
function idColumn(rows: PastedTable, byId: ReadonlyMap<string, unknown>): number {
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  const known = (at: number) =>
    rows.filter((row) => row[at] !== undefined && byId.has(bareStudentNumber(row[at]))).length;
  return Array.from({ length: width }, (_, at) => at).reduce(
    (best, at) => (known(at) > known(best) ? at : best),
    0,
  );
}
