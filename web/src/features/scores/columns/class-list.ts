/** Turns the rows of a pasted table into students. */
import { hasContent, oneLine, type PastedTable } from '../../../lib/paste-table.ts';
import { readNumber } from '../numbers.ts';
import { findNonStudents, type Identity, type NonStudent } from './non-students.ts';

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
};

/** Every non-empty row below the header, in the pasted order. */
export function readClass(table: PastedTable, { header, columns, familyName }: ColumnMapping): ClassRow[] {
  const start = header === undefined ? 0 : header + 1;
  const identities: Identity[] = [];
  const rows = table.slice(start).flatMap((cells, index): ClassRow[] | ClassRow => {
    if (!hasContent(cells)) return [];
    const cell = (field: ClassField) => {
      const column = columns[field];
      return column === undefined ? '' : (cells[column] ?? '');
    };
    const family = familyName === undefined ? '' : (cells[familyName] ?? '');
    const name = oneLine(fullName(family, cell('name')));
    const id = oneLine(cell('id'));
    identities.push({ name, id, first: oneLine(cells.find((each) => each !== '') ?? '') });
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
    };
  });
  for (const [index, nonStudent] of findNonStudents(identities).entries()) {
    const row = rows[index];
    if (row) row.nonStudent = nonStudent;
  }
  return rows;
}

/** `김가람`, but `Anne Able`. */
function fullName(family: string, given: string): string {
  if (family === '' || given === '') return family + given;
  return /\p{Script=Hangul}/u.test(family) ? family + given : `${given} ${family}`;
}

export function repeatedIds(rows: readonly ClassRow[]): string[] {
  const [seen, repeated] = [new Set<string>(), new Set<string>()];
  for (const { id, nonStudent } of rows)
    if (id !== '' && !nonStudent) (seen.has(id) ? repeated : seen).add(id);
  return [...repeated];
}

/** Which column of a pasted table holds which field. */
export const CLASS_FIELDS = ['name', 'id', 'score', 'attendance', 'late', 'tieBreak'] as const;
export type ClassField = (typeof CLASS_FIELDS)[number];

/** Column indexes by field. `header` is the row index of the labels, undefined if none; no student is before it. */
export type ColumnMapping = {
  header: number | undefined;
  columns: Partial<Record<ClassField, number>>;
  /** Set if the name has two columns, as in Moodle's files. */
  familyName?: number | undefined;
};

/** A column's name on screen: its label, or its number. */
export function columnName(table: PastedTable, { header }: ColumnMapping, column: number): string {
  const label = header === undefined ? '' : (table[header]?.[column] ?? '');
  return label === '' ? `${column + 1}번째 열` : label.replace(/\s+/g, ' ');
}
