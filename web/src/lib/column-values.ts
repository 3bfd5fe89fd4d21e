/** Counts the values of columns that no field reads, so that the user sees what such a column says. */
import { oneLine, type PastedTable } from './paste-table.ts';

export type ColumnValues = {
  at: number;
  label: string;
  /** The different texts of the column, the most frequent first, each with the lines that have it. */
  values: readonly { text: string; lines: readonly number[] }[];
};

/** A column of more different values is a list of names, amounts or addresses, unless most cells are empty. */
const VALUES_MAX = 6;

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
    const cellOf = (line: number) => table[offset + line]?.[at] ?? '';
    const filled = lines.filter((line) => cellOf(line) !== '').length;
    if (filled === 0) return [];
    const isRemarks = filled * 2 <= lines.length;
    const linesOf = new Map<string, number[]>();
    for (const line of lines) {
      const text = cellOf(line);
      const known = linesOf.get(text);
      if (known) known.push(line);
      else linesOf.set(text, [line]);
      if (!isRemarks && linesOf.size > VALUES_MAX) return [];
    }
    if (!isRemarks && isList(linesOf.size, lines.length)) return [];
    const values = [...linesOf]
      .map(([text, own]) => ({ text: oneLine(text), lines: own }))
      .toSorted((a, b) => b.lines.length - a.lines.length);
    return [{ at, label, values }];
  });
}

/** Whether so few rows have a value in common that the values tell the rows apart, as list numbers do. */
const isList = (values: number, rows: number) =>
  (values > 3 && values * 2 > rows) || (values > 2 && values === rows);
