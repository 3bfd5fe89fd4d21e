/** Counts the values of columns that no field reads, so that the user sees what such a column says. */
import { oneLine, type PastedTable } from './paste-table.ts';

export type ColumnValue = { text: string; lines: readonly number[] };
export type ColumnValues = {
  at: number;
  label: string;
  /** The different texts of the column, the most frequent first, each with the lines that have it. */
  values: readonly ColumnValue[];
};

/** A column of more different values is a list of names, amounts or addresses, unless it holds remarks. */
const VALUES_MAX = 6;
/** A value of at most this share of the rows may say something about these rows alone. */
const RARE = 0.2;
const NUMBER = /^[+-]?[\d.,]+%?$/;
export const isNumber = (text: string): boolean => NUMBER.test(text);
const NUMBERS = '숫자';
/** Text of several words, such as a remark: `기말 재시험으로 정정`. */
export const isProse = (text: string): boolean => text.length > 7 && /\p{L}\s.*\p{L}/u.test(text);

/**
 * The columns with few different values, or with remarks; columns with a rare value first. Numbers count as
 * one value if a column has other texts among its numbers.
 * @param lines the rows that count; a line's cells are `table[offset + line]`
 */
export function columnValues(
  table: PastedTable,
  columns: readonly { at: number; label: string }[],
  lines: readonly number[],
  offset = 0,
): ColumnValues[] {
  const told = columns.flatMap(({ at, label }) => {
    const cells = lines.map((line) => table[offset + line]?.[at] ?? '');
    const found = linesOfTexts(cells, lines) ?? linesOfTexts(cells.map(withoutNumber), lines);
    if (!found || [...found.keys()].every((text) => text === '' || text === NUMBERS)) return [];
    const values = [...found]
      .map(([text, own]) => ({ text: oneLine(text), lines: own }))
      .toSorted((a, b) => b.lines.length - a.lines.length);
    return [{ at, label, values }];
  });
  const isRare = ({ values }: ColumnValues) =>
    values.some((each) => each.lines.length <= lines.length * RARE && !isNumber(each.text));
  return told.toSorted((a, b) => Number(isRare(b)) - Number(isRare(a)));
}

const withoutNumber = (text: string) => (isNumber(text) ? NUMBERS : text);

/** The lines of each text; undefined for a list, in which nearly every line has its own text. */
function linesOfTexts(cells: readonly string[], lines: readonly number[]): Map<string, number[]> | undefined {
  const filled = cells.filter((text) => text !== '').length;
  const isRemarks = filled * 2 <= lines.length || cells.some(isProse);
  const linesOf = new Map<string, number[]>();
  for (const [index, text] of cells.entries()) {
    const line = lines[index] ?? 0;
    const known = linesOf.get(text);
    if (known) known.push(line);
    else linesOf.set(text, [line]);
    if (!isRemarks && linesOf.size > VALUES_MAX) return undefined;
  }
  return isRemarks || !isList(linesOf.size, lines.length) ? linesOf : undefined;
}

/** Whether so few rows have a value in common that the values tell the rows apart, as list numbers do. */
const isList = (values: number, rows: number) =>
  (values > 3 && values * 2 > rows) || (values > 2 && values === rows);
