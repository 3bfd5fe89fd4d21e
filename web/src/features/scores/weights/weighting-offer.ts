/** Suggests initial weights from the table's labels. Everything else is left to the user. */
import { asciiText, type PastedTable, labelKey } from '../../../lib/paste-table.ts';
import { columnName, type ColumnMapping, readClass } from '../columns/class-list.ts';
import { numberColumns } from '../columns/columns.ts';
import { gradebookOf } from '../../../lib/gradebook.ts';
import { isTotalLabel } from '../columns/score-candidates.ts';
import { readNumber } from '../numbers.ts';
import { type WeightedPart, partName, type Weighting, withoutBrackets } from './weighting.ts';
import { groupBy } from '../../../lib/collections.ts';

const FULL_ROW = /만점|배점|full|perfect|possible/;
const WEIGHT_ROW = /비율|가중치|weight/;

/** Labels of columns in which a higher number is worse, so the numbers are not added as points. */
const COUNTS_AGAINST = /결석|결시|지각|조퇴|감점|벌점|absen|late|tard|penalt|deduct/i;

type FullMarks = (column: number) => number | undefined;

/** The full marks given in a column's label or in a row of the table. */
export function findFullMarks(table: PastedTable, mapping: ColumnMapping): FullMarks {
  const isTold = gradebookOf(table)?.system !== 'canvas';
  const fullRow = rowWith(FULL_ROW, table, mapping);
  return (column) =>
    positive(fullRow?.[column]) ?? (isTold ? toldBy(labelIn(table, mapping, column)).full : undefined);
}

const labelIn = (table: PastedTable, { header }: ColumnMapping, column: number) =>
  header === undefined ? '' : (table[header]?.[column] ?? '');

function rowWith(words: RegExp, table: PastedTable, mapping: ColumnMapping): readonly string[] | undefined {
  const found = readClass(table, mapping).find(
    ({ nonStudent }) => nonStudent?.kind === 'word' && words.test(labelKey(nonStudent.word)),
  );
  return found && table[found.row];
}

/** Suggests numbered columns such as quizzes as one part. Does not suggest columns labelled as a total. */
export function suggestedWeighting(table: PastedTable, mapping: ColumnMapping): Weighting {
  const nameOf = (column: number) => columnName(table, mapping, column);
  const labelOf = (column: number) => labelIn(table, mapping, column);
  const gradebook = gradebookOf(table);
  const offered = numberColumns(table, mapping).filter(
    ({ column }) => !isTotalLabel(labelOf(column)) && gradebook?.totals.includes(column) !== true,
  );
  const fullRow = rowWith(FULL_ROW, table, mapping);
  const weightRow = rowWith(WEIGHT_ROW, table, mapping);
  const names = offered.map(({ column }) => withoutBrackets(labelOf(column)));
  /** `과제(1)` and `과제(2)` are the first and second assignment; their brackets contain no full marks. */
  const isSingle = (column: number) =>
    names.filter((name) => name === withoutBrackets(labelOf(column))).length === 1;
  const parts = offered.map(({ column, highest = 0 }): WeightedPart => {
    const told = gradebook?.system === 'canvas' ? {} : toldBy(labelOf(column));
    const full = positive(fullRow?.[column]) ?? (isSingle(column) ? told.full : undefined);
    return {
      columns: [{ column, full: full !== undefined && highest <= full ? full : undefined }],
      weight: COUNTS_AGAINST.test(labelOf(column))
        ? undefined
        : inTenths(positive(weightRow?.[column]) ?? told.weight),
      missing: 'zero',
      best: 1,
    };
  });
  const byStem = groupBy(parts, (part) => stemOf(partName(part, nameOf)) ?? part);
  return {
    parts: [...byStem.values()].flatMap((group) => (areAlike(group) ? [mergeWeightedParts(group)] : group)),
    deductions: [],
    isSumFree: false,
  };
}

/** Parts are merged into their mean only if all have the same weight and the same full marks. */
const areAlike = (parts: readonly WeightedPart[]) =>
  new Set(parts.map(({ weight }) => weight)).size === 1 &&
  new Set(parts.flatMap(({ columns }) => columns.map(({ full }) => full))).size === 1;

/** Merges parts into one part that counts all columns; without a weight if one of the parts has none. */
export function mergeWeightedParts(parts: readonly WeightedPart[]): WeightedPart {
  const [first] = parts;
  if (!first || parts.length === 1)
    return first ?? { columns: [], weight: undefined, missing: 'zero', best: 1 };
  const weights = parts.flatMap(({ weight }) => weight ?? []);
  const columns = parts.flatMap((part) => part.columns);
  return {
    ...first,
    columns,
    weight: weights.length === parts.length ? inTenths(weights.reduce((sum, each) => sum + each)) : undefined,
    best: columns.length,
  };
}

/** `중간(40점)` gives full marks, `중간 40%` gives a weight. */
function toldBy(label: string): { full?: number | undefined; weight?: number | undefined } {
  const [, number, unit] =
    /[([/\s]\s*(\d+(?:\.\d+)?)\s*(점|%|만점|점\s*만점|pts?|points?)?\s*[)\]]?$/i.exec(asciiText(label)) ?? [];
  if (number === undefined) return {};
  if (unit === '%') return { weight: positive(number) };
  // `퀴즈 1` is the first quiz; in `중간(40)` and `중간/40` the number is the full marks.
  const isSetOff = /[)\]]$|\/\s*[\d.]+$/.test(asciiText(label)) && Number(number) >= 5;
  return unit !== undefined || isSetOff ? { full: positive(number) } : {};
}

/** `퀴즈` for `퀴즈 1`, `HW` for `HW#2`, `과제` for `3차 과제`; undefined for a name without a number. */
function stemOf(name: string): string | undefined {
  const stem = name.replace(/\s*#?\d+\s*(차|회|주차|번)?\s*/, ' ').trim();
  return stem === name.trim() || stem === '' ? undefined : labelKey(stem);
}

function positive(cell: string | undefined): number | undefined {
  const number = readNumber(cell ?? '');
  return number !== undefined && number > 0 ? number : undefined;
}

function inTenths(percent: number | undefined): number | undefined {
  return percent === undefined ? undefined : Math.round(percent * 10) / 10;
}
