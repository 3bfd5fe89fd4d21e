/** The rows of a pasted table as students. */
import { asciiText, hasContent, oneLine, type PastedTable } from '../../lib/paste-table.ts';
import type { Field, Mapping } from './columns.ts';

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

/** So many students are graded at once. */
export const ROWS_MAX = 5000;

/**
 * The number that a cell holds: `85`, `85.5`, `1,000`, `８５`, `85점`, `93%`. Undefined for anything else, also for what
 * JavaScript would take (`1e3`, `0x10`, `Infinity`).
 */
export function readNumber(cell: string): number | undefined {
  const text = asciiText(cell).replace(/\s*(점|회|%)$/, '');
  return /^[+-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(text) || /^[+-]?\.\d+$/.test(text)
    ? Number(text.replaceAll(',', ''))
    : undefined;
}

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
