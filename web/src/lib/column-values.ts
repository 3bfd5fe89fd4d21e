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
/** A column of statuses is told with up to this many values, even if every row has a different value. */
const STATUSES_MAX = 12;
/** A value of at most this share of the rows may say something about these rows alone. */
const RARE = 0.2;
/** So many columns whose labels differ by a number are told last. */
const FAMILY_MIN = 4;
const NUMBER = /^[+-]?[\d.,]+%?$/;
export const isNumber = (text: string): boolean => NUMBER.test(text);
const NUMBERS = '숫자';
const FILLED = '적힌 칸';
const isAddress = (text: string) => /@|:\/\//.test(text);
/** Text of several words, such as a remark: `기말 재시험으로 정정`. */
export const isProse = (text: string): boolean => text.length > 7 && /\p{L}[.,]?\s.*\p{L}/u.test(text);

/**
 * The columns with few different values, or with remarks. Columns with remarks come first, then columns with a
 * rare value. If the texts of a column differ by their numbers alone, all numbers count as one value. In any
 * other list, all filled cells count as one value.
 * @param lines the rows that count; a line's cells are `table[offset + line]`
 */
export function columnValues(
  table: PastedTable,
  columns: readonly { at: number; label: string; isStatus?: boolean }[],
  lines: readonly number[],
  offset = 0,
): ColumnValues[] {
  const told = columns.flatMap(({ at, label, isStatus = false }) => {
    const cells = lines.map((line) => table[offset + line]?.[at] ?? '');
    if (isCounter(cells)) return [];
    const asWritten = linesOfTexts(cells, lines, isStatus);
    const withNumbers = asWritten ?? linesOfTexts(cells.map(withoutNumbers), lines, isStatus);
    const hasTexts = [...(withNumbers?.keys() ?? [])].some((text) => text !== NUMBERS && /\p{L}/u.test(text));
    const found =
      asWritten ??
      (hasTexts ? withNumbers : undefined) ??
      linesOfTexts(cells.map(filledText), lines, isStatus);
    if (!found || (asWritten ? found.size === 1 && found.has('') : found.size === 1)) return [];
    const values = [...found]
      .map(([text, own]) => ({ text: oneLine(text), lines: own }))
      .toSorted((a, b) => b.lines.length - a.lines.length);
    return [{ at, label, values }];
  });
  const rankOf = ({ label, values }: ColumnValues) => {
    const isOfFamily = told.filter((each) => familyOf(each.label) === familyOf(label)).length >= FAMILY_MIN;
    const isRare = values.some(
      ({ text, lines: own }) => own.length <= lines.length * RARE && !isNumber(text),
    );
    const hasRemarks = values.length > VALUES_MAX || values.some(({ text }) => isProse(text));
    return isOfFamily ? 3 : hasRemarks ? 0 : isRare ? 1 : 2;
  };
  return told.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Columns of one kind, such as `1주` to `15주`. */
const familyOf = (label: string) => label.replace(/\d+/g, '#');

/** `승인 88007` becomes `승인 #`. */
const withoutNumbers = (text: string) => (isNumber(text) ? NUMBERS : text.replace(/\d[\d.,:]*/g, '#'));

/** Whether the cells count the rows, as 0, 1, 2 of pandas. */
const isCounter = (cells: readonly string[]) =>
  cells.every((text, at) => Number(text) === Number(cells[0]) + at);

/** Of a list, only empty cells and zeros are told. */
const filledText = (text: string) => (text === '' || text === '0' || text === '-' ? text : FILLED);

/** The lines of each text; undefined for a list, in which nearly every line has its own text. */
function linesOfTexts(
  cells: readonly string[],
  lines: readonly number[],
  isStatus: boolean,
): Map<string, number[]> | undefined {
  const filled = cells.filter((text) => text !== '').length;
  // Remarks leave cells empty, as lists of names or addresses seldom do.
  const isRemarks =
    filled * 2 <= lines.length ||
    cells.some(isProse) ||
    (filled < lines.length && cells.some((text) => /\p{L}/u.test(text)) && !cells.some(isAddress));
  const most = isStatus ? STATUSES_MAX : VALUES_MAX;
  const linesOf = new Map<string, number[]>();
  for (const [index, text] of cells.entries()) {
    const line = lines[index] ?? 0;
    const known = linesOf.get(text);
    if (known) known.push(line);
    else linesOf.set(text, [line]);
    if (!isRemarks && linesOf.size > most) return undefined;
  }
  // In a list, such as one of numbers, all texts differ; the words of a few rows are told all the same.
  const isList =
    linesOf.size > 2 && linesOf.size === lines.length && !cells.some((text) => /\p{L}/u.test(text));
  return isRemarks || isStatus || !isList ? linesOf : undefined;
}
