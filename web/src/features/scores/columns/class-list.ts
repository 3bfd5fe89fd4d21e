/** Turns the rows of a pasted table into students. */
import { hasContent, labelKey, oneLine, type PastedTable } from '../../../lib/paste-table.ts';
import { bareStudentNumber, fullName } from '../../../lib/student-columns.ts';
import { isNoStudent, saysLeft, standingOf } from '../../../lib/student-standing.ts';
import { readNumber } from '../numbers.ts';
import { goneMark, rareMarks } from './cell-marks.ts';
import {
  findNonStudents,
  isRemarkLabel,
  fieldOfLabel,
  numberIn,
  type Identity,
  type NonStudent,
} from './non-students.ts';
import { isHeaderRow } from './score-candidates.ts';

export type ClassRow = {
  /** Row index in the pasted table; identifies the student in the user's changes. */
  row: number;
  name: string;
  id: string;
  scoreCell: string;
  score: number | undefined;
  attendanceCell: string;
  attendance: number | undefined;
  late: number | undefined;
  tieBreak: number | undefined;
  /** Why the row does not look like a student; such rows get no grade unless the user includes them. */
  nonStudent: NonStudent | undefined;
  /** Sentences about remarks in the table that may mean that the student gets no grade; empty without one. */
  remark: string;
};

/** Every non-empty row below the header, in the pasted order. */
export function readClass(table: PastedTable, { header, columns, familyName }: ColumnMapping): ClassRow[] {
  const start = header === undefined ? 0 : header + 1;
  const identities: Identity[] = [];
  const labels = header === undefined ? undefined : table[header];
  const read = new Set([...Object.values(columns), familyName]);
  const remarkColumns = (labels ?? []).flatMap((label, at) =>
    isRemarkLabel(label) && !read.has(at) ? at : [],
  );
  const known = new Map<number, NonStudent>();
  let isBelowOther = false;
  /** The text of a line such as `※ 수강철회자`: the students in the rows below have left the class. */
  let goneBelow: string | undefined;
  const rows = table.slice(start).flatMap((cells, index): ClassRow[] | ClassRow => {
    if (!hasContent(cells)) return [];
    const cell = (field: ClassField) => {
      const column = columns[field];
      return column === undefined ? '' : (cells[column] ?? '');
    };
    const family = familyName === undefined ? '' : (cells[familyName] ?? '');
    const name = oneLine(fullName(family, cell('name')));
    const id = oneLine(cell('id'));
    const first = oneLine(cells.find((each) => each !== '') ?? '');
    // Directly below the header (index 0), this row may be the second line of labels.
    if (index > 0 && isHeaderRow(cells)) {
      isBelowOther = !isSameHeader(cells, labels, columns);
      // The row above another header may be a title such as `2분반`.
      const title = (table[start + index - 1] ?? []).filter((each) => each !== '');
      if (title.length === 1)
        known.set(identities.length - 1, { kind: 'word', word: oneLine(title[0] ?? '') });
    } else if (isBelowOther) known.set(identities.length, { kind: 'below other header' });
    const figures = [cell('attendance'), cell('late'), cell('tieBreak')].filter(
      (text) => !isFigureText(text),
    );
    const remarks = [...remarkColumns.map((at) => oneLine(cells[at] ?? '')), ...figures];
    const left = cells.find(
      (text, at) =>
        !read.has(at) &&
        (isGoneText(text) || isNoStudent(labels?.[at] ?? '', text) || saysLeft(labels?.[at] ?? '', text)),
    );
    const gone = goneMark({ name, id }) ?? figures.find(isGoneText) ?? left;
    const unclear = remarks.find((remark) => standingOf(remark) === 'unclear');
    const [only = '', ...others] = new Set(cells.filter((text) => text !== ''));
    if (others.length === 0) {
      goneBelow = isFigureText(only) || !standingOf(only) ? undefined : only;
      if (goneBelow !== undefined) known.set(identities.length, { kind: 'word', word: oneLine(only) });
    } else if (goneBelow !== undefined && !known.has(identities.length))
      known.set(identities.length, { kind: 'gone', word: goneBelow });
    if (gone !== undefined && !known.has(identities.length))
      known.set(identities.length, { kind: 'gone', word: gone });
    identities.push({ name, id, first });
    return {
      row: start + index,
      name,
      id,
      scoreCell: oneLine(cell('score')),
      score: readNumber(cell('score')),
      attendanceCell: oneLine(cell('attendance')),
      attendance: readNumber(cell('attendance')),
      late: readNumber(cell('late')),
      tieBreak: readNumber(cell('tieBreak')),
      nonStudent: undefined,
      remark: unclear === undefined ? '' : `표에 ‘${unclear}’ 표시가 있습니다.`,
    };
  });
  for (const [index, nonStudent] of findNonStudents(identities).entries()) {
    const row = rows[index];
    const own = known.get(index);
    if (row) row.nonStudent = nonStudent?.kind === 'no number' ? (own ?? nonStudent) : (nonStudent ?? own);
  }
  const students = rows.filter(({ nonStudent }) => !nonStudent);
  for (const [index, mark] of rareMarks(students).entries()) {
    const row = students[index];
    if (row) row.remark = `${row.remark} ${mark}`.trim();
  }
  return rows;
}

/** Most cells are numbers, so numbers are skipped first, which saves time. */
const isFigureText = (text: string) => /^[\d.,%+-]*$/.test(text);
const isGoneText = (text: string) => !isFigureText(text) && standingOf(text) === 'gone';

/** Whether another header has the labels of the first header, or name and number in the detected columns. */
function isSameHeader(
  cells: readonly string[],
  labels: readonly string[] | undefined,
  columns: ColumnMapping['columns'],
): boolean {
  return cells.every((cell, at) => {
    if (labels) return cell === '' || labelKey(cell) === labelKey(labels[at] ?? '');
    const field = fieldOfLabel(cell);
    return (field !== 'name' && field !== 'id') || columns[field] === undefined || columns[field] === at;
  });
}

/** The numbers, or names without a number, that are in several rows, however they are written. */
export function repeatedIds(rows: readonly ClassRow[]): string[] {
  const [seen, repeated] = [new Map<string, string>(), new Set<string>()];
  for (const { id, name, nonStudent } of rows) {
    const who = id === '' ? name.replace(/\s/g, '') : bareStudentNumber(numberIn(id) || id);
    const first = seen.get(who);
    if (who === '' || nonStudent) continue;
    if (first === undefined) seen.set(who, id || name);
    else repeated.add(first);
  }
  return [...repeated];
}

/** The fields of a class that a column of the pasted table can have. */
export const CLASS_FIELDS = ['name', 'id', 'score', 'attendance', 'late', 'tieBreak'] as const;
export type ClassField = (typeof CLASS_FIELDS)[number];

/** Column indexes by field. `header`: row index of the labels; undefined if there are no labels. */
export type ColumnMapping = {
  header: number | undefined;
  columns: Partial<Record<ClassField, number>>;
  /** The column of the family name if names have two columns, as in Moodle's files. */
  familyName?: number | undefined;
};

/** A column's name on screen: its label, or its number. */
export function columnName(table: PastedTable, { header }: ColumnMapping, column: number): string {
  const label = header === undefined ? '' : (table[header]?.[column] ?? '');
  return label === '' ? `${column + 1}번째 열` : label.replace(/\s+/g, ' ');
}
