/** Counts the values of columns that no field reads, so that the user sees what such a column says. */
import { oneLine, type PastedTable } from './paste-table.ts';

export type ColumnValues = {
  at: number;
  label: string;
  /** The different texts of the column, the most frequent first, each with the lines that have it. */
  values: readonly { text: string; lines: readonly number[] }[];
};

/** A column of more different values is a list of names, amounts or addresses. */
const VALUES_MAX = 6;
/** A column that is mostly empty, such as remarks, may have more. */
const REMARKS_MAX = 12;
/** So few different values are shown although most of them stand in a single row. */
const ALWAYS_SHOWN = 3;

/**
 * The columns with few different values.
 * @param lines the rows that count; a line's cells are `table[offset + line]`
 */
export function columnValues(
  table: PastedTable,
  columns: readonly { at: number; label: string }[],
  lines: readonly number[],
  offset = 0,
): ColumnValues[] {
  return columns.flatMap(({ at, label }) => {
    const linesOf = new Map<string, number[]>();
    for (const line of lines) {
      const text = oneLine(table[offset + line]?.[at] ?? '');
      const known = linesOf.get(text);
      if (known) known.push(line);
      else linesOf.set(text, [line]);
      if (linesOf.size > REMARKS_MAX) return [];
    }
    const empty = linesOf.get('')?.length ?? 0;
    const isMostlyEmpty = empty * 2 >= lines.length;
    const isList = linesOf.size > ALWAYS_SHOWN && linesOf.size * 2 > lines.length;
    if (empty === lines.length || isList || (!isMostlyEmpty && linesOf.size > VALUES_MAX)) return [];
    const values = [...linesOf]
      .map(([text, own]) => ({ text, lines: own }))
      .toSorted((a, b) => b.lines.length - a.lines.length);
    return [{ at, label, values }];
  });
}
