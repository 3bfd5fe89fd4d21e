import { toTsv } from '../../../lib/csv.ts';
import type { ClassRow } from '../columns/class-list.ts';
import type { Graded } from '../grading/grading.ts';
import { generatedScore, type Grade, gradeText, type Style } from '../grading/rules.ts';

export type CopiedColumn = 'grades' | 'scores';

/**
 * One column for the spreadsheet, from the first student to the last pasted row, in the pasted order. Excluded and
 * empty rows are empty lines, so that every line matches its student.
 */
export function copiedColumn(
  column: CopiedColumn,
  rows: readonly ClassRow[],
  { outcomes }: Pick<Graded, 'outcomes'>,
  style: Style,
): string {
  const cellOf = (grade: Grade) => (column === 'grades' ? gradeText(grade, style) : generatedScore(grade));
  const lines: (string | number)[] = [];
  for (const [index, { row }] of rows.entries()) {
    const grade = outcomes[index]?.grade;
    const first = rows[0]?.row ?? 0;
    while (lines.length < row - first) lines.push('');
    lines.push(grade === undefined ? '' : cellOf(grade));
  }
  return toTsv(lines.map((line) => [line]));
}
