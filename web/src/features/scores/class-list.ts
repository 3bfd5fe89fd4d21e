/** The rows of a pasted table as students. */
import { hasContent, oneLine, type PastedTable } from '../../lib/paste-table.ts';
import type { Field, Mapping } from './columns.ts';
import { readNumber } from './read-number.ts';

/** One pasted row. */
export type ClassRow = {
  /** In the pasted table, from 0: it names the row in what the user changes. */
  row: number;
  name: string;
  id: string;
  scoreCell: string;
  score: number | undefined;
  attendanceCell: string;
  attendance: number | undefined;
  late: number | undefined;
  tieBreak: number | undefined;
};

/** Every row with content below the header, in the pasted order. */
export function readClass(table: PastedTable, { header, columns }: Mapping): ClassRow[] {
  const start = header === undefined ? 0 : header + 1;
  return table.slice(start).flatMap((cells, index): ClassRow[] | ClassRow => {
    if (!hasContent(cells)) return [];
    const cell = (field: Field) => {
      const column = columns[field];
      return column === undefined ? '' : (cells[column] ?? '');
    };
    return {
      row: start + index,
      name: oneLine(cell('name')),
      id: oneLine(cell('id')),
      scoreCell: oneLine(cell('score')),
      score: readNumber(cell('score')),
      attendanceCell: oneLine(cell('attendance')),
      attendance: readNumber(cell('attendance')),
      late: readNumber(cell('late')),
      tieBreak: readNumber(cell('tieBreak')),
    };
  });
}

/** Ids that more than one row has. */
export function repeatedIds(rows: readonly ClassRow[]): string[] {
  const byId = Map.groupBy(
    rows.filter(({ id }) => id !== ''),
    ({ id }) => id,
  );
  return [...byId].flatMap(([id, same]) => (same.length > 1 ? [id] : []));
}
