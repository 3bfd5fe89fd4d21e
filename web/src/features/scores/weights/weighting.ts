/** Computes the weighted total, exact in decimal. docs/grading.md has the formulas. */
import {
  compareFractions,
  divideFractions,
  type Fraction,
  fractionOf,
  subtractFractions,
  ZERO_FRACTION,
  addFractions,
  readPoints,
  readDigits,
  fractionText,
  multiplyFractions,
} from '../numbers.ts';

/** How a part counts for a student who has no score in this part. */
export type MissingScoreRule = 'zero' | 'left-out' | 'fail';

type PartColumn = { column: number; /** Full marks. */ full: number | undefined };

/** A column of scores, or several columns of which the best count. */
export type WeightedPart = {
  columns: readonly PartColumn[];
  /** Percentage of the total, with one decimal. A part without a weight does not count. */
  weight: number | undefined;
  missing: MissingScoreRule;
  /** How many columns count, best first. */
  best: number;
};

/** Points taken off for each absence or late arrival. */
export type Deduction = {
  column: number;
  points: number;
  /** Number of absences or late arrivals without a deduction. */
  free: number;
  /** Maximum number of points deducted; undefined for no limit. */
  most: number | undefined;
};

export type Weighting = {
  parts: readonly WeightedPart[];
  deductions: readonly Deduction[];
  /** Whether the weights may sum to more or less than 100, as with a bonus. */
  isSumFree: boolean;
};

/** A column with a student's score; undefined if the score is missing. */
type Counted = { column: number; full: number; score: string | undefined };

type PartTotal = {
  part: WeightedPart;
  /** The scores that count, best first. Empty if the part is left out. */
  counted: readonly Counted[];
  isMissing: boolean;
};

export type WeightedTotal = {
  /** Undefined if the student has no score at all. */
  total: Fraction | undefined;
  parts: readonly PartTotal[];
  /** Sum of the weights that count; less than `allWeight` if a part is left out. */
  weight: Fraction;
  allWeight: Fraction;
  deductions: readonly { deduction: Deduction; count: Fraction; points: Fraction }[];
  /** The part without a score that makes the student fail. */
  failedBy: WeightedPart | undefined;
};

export function partsWithWeight({ parts }: Weighting): WeightedPart[] {
  return parts.filter(({ weight }) => weight !== undefined && weight > 0);
}

/** Sum of the weights in percent. */
export function weightSum(weighting: Weighting): number {
  return partsWithWeight(weighting).reduce((sum, { weight = 0 }) => sum + Math.round(weight * 10), 0) / 10;
}

/** Whether everything needed for a total is known. */
export function isWeightingReady(weighting: Weighting): boolean {
  const parts = partsWithWeight(weighting);
  const areFull = parts.every(({ columns }) => columns.every(({ full }) => full !== undefined && full > 0));
  return parts.length > 0 && areFull && (weighting.isSumFree || weightSum(weighting) === 100);
}

/** @param cells a row of the table */
export function weightedTotal(cells: readonly string[], weighting: Weighting): WeightedTotal {
  const parts = partsWithWeight(weighting);
  const totals = parts.map((part) => partTotal(part, cells));
  const weight = sumOf(totals.map((each) => (each.counted.length > 0 ? weightOf(each.part) : ZERO_FRACTION)));
  const allWeight = sumOf(parts.map(weightOf));
  const deductions = weighting.deductions.flatMap((deduction) => {
    const count = countIn(cells[deduction.column] ?? '', deduction.free);
    return count.n > 0n ? [{ deduction, count, points: pointsOf(count, deduction) }] : [];
  });
  const hasScore = parts.some(({ columns }) => columns.some((each) => scoreIn(cells, each) !== undefined));
  const reached = sumOf(totals.map((each) => multiplyFractions(ratioOf(each.counted), weightOf(each.part))));
  return {
    total:
      hasScore && weight.n > 0n
        ? atLeastNone(
            subtractFractions(
              multiplyFractions(reached, divideFractions(allWeight, weight)),
              sumOf(deductions.map(({ points }) => points)),
            ),
          )
        : undefined,
    parts: totals,
    weight,
    allWeight,
    deductions,
    failedBy: totals.find(({ part, isMissing }) => isMissing && part.missing === 'fail')?.part,
  };
}

function partTotal(part: WeightedPart, cells: readonly string[]): PartTotal {
  const all = part.columns.map(({ column, full = 1 }): Counted => ({
    column,
    full,
    score: scoreIn(cells, { column, full }),
  }));
  const best = Math.max(1, Math.min(part.best, all.length));
  const given = all.filter(({ score }) => score !== undefined);
  const likely = part.missing === 'left-out' ? given : all;
  const counted = likely.toSorted((a, b) => compareFractions(ratioOf([b]), ratioOf([a]))).slice(0, best);
  return { part, counted, isMissing: given.length < best };
}

/** The mean over the columns of score divided by full marks; a missing score counts as zero. */
function ratioOf(counted: readonly Counted[]): Fraction {
  if (counted.length === 0) return ZERO_FRACTION;
  const ratios = counted.map(({ score, full }) =>
    score === undefined ? ZERO_FRACTION : divideFractions(fractionOf(score), fractionOf(full)),
  );
  return divideFractions(sumOf(ratios), fractionOf(counted.length));
}

const scoreIn = (cells: readonly string[], { column, full }: PartColumn) =>
  readPoints(cells[column] ?? '', full);

function weightOf({ weight = 0 }: WeightedPart): Fraction {
  return fractionOf(weight);
}

function countIn(cell: string, free: number): Fraction {
  return atLeastNone(subtractFractions(fractionOf(readDigits(cell) ?? '0'), fractionOf(free)));
}

function pointsOf(count: Fraction, { points, most }: Deduction): Fraction {
  const all = multiplyFractions(count, fractionOf(points));
  if (most === undefined) return all;
  const limit = fractionOf(most);
  return compareFractions(all, limit) > 0 ? limit : all;
}

function sumOf(fractions: readonly Fraction[]): Fraction {
  return fractions.reduce(addFractions, ZERO_FRACTION);
}

function atLeastNone(fraction: Fraction): Fraction {
  return fraction.n < 0n ? ZERO_FRACTION : fraction;
}

export type ColumnNameOf = (column: number) => string;

/** `중간` for a column headed `중간(40점)`; `퀴즈` for `퀴즈1` to `퀴즈5`. */
export function partName({ columns }: Pick<WeightedPart, 'columns'>, nameOf: ColumnNameOf): string {
  const names = columns.map(({ column }) => withoutBrackets(nameOf(column)));
  const [first = ''] = names;
  if (names.length === 1) return first;
  let length = first.length;
  for (const name of names) while (!name.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length).replace(/[\s\d_#-]+$/, '') || names.join('·');
}

/** `중간 40% + 기말 60% − 지각 1회당 0.5점` */
export function weightingText(weighting: Weighting, nameOf: ColumnNameOf): string {
  const parts = partsWithWeight(weighting).map((part) => {
    const { columns, best, weight = 0 } = part;
    const which = columns.length > 1 && best < columns.length ? ` 상위 ${best}개` : '';
    return `${partName(part, nameOf)}${which} ${weight}%`;
  });
  const deductions = weighting.deductions.map(
    ({ column, points }) => ` − ${withoutBrackets(nameOf(column))} 1회당 ${points}점`,
  );
  return parts.join(' + ') + deductions.join('');
}

/** Weighted totals for display: the parts, and a function that describes a total. */
export type Formula = {
  parts: readonly {
    name: string;
    weight: number;
    /** Full marks of a part of one column. */
    full: number | undefined;
  }[];
  textOf: (total: WeightedTotal) => string;
};

export const formulaOf = (weighting: Weighting, nameOf: ColumnNameOf): Formula => ({
  parts: partsWithWeight(weighting).map((part) => ({
    name: partName(part, nameOf),
    weight: part.weight ?? 0,
    full: part.columns.length === 1 ? part.columns[0]?.full : undefined,
  })),
  textOf: (total) => (total.total ? totalText(total, nameOf) : ''),
});

/** `중간 32/40 × 40% + 기말 45/50 × 60%` */
export function totalText(
  { parts, deductions, weight, allWeight }: WeightedTotal,
  nameOf: ColumnNameOf,
): string {
  const sum = parts
    .flatMap((each) => (each.counted.length === 0 ? [] : [termText(each, nameOf)]))
    .join(' + ');
  const leftOut = parts.filter(({ counted }) => counted.length === 0);
  const scaled =
    leftOut.length === 0
      ? sum
      : `(${sum}) × ${fractionText(allWeight)}/${fractionText(weight)}, ${leftOut.map(({ part }) => partName(part, nameOf)).join('·')} 제외`;
  return scaled + deductions.map((each) => deductionText(each, nameOf)).join('');
}

function termText({ part, counted }: PartTotal, nameOf: ColumnNameOf): string {
  return `${partName(part, nameOf)} ${pointsText({ counted })} × ${part.weight ?? 0}%`;
}

/** `32/40`; for the best of several columns `(9/10 + 8/10)/2`. Empty if the part is left out. */
export function pointsText({ counted }: Pick<PartTotal, 'counted'>): string {
  const scores = counted.map(({ score, full }) => `${score ?? '없음'}/${full}`);
  return scores.length > 1 ? `(${scores.join(' + ')})/${scores.length}` : scores.join('');
}

/** Whether the total is only the sum of its parts: nothing is deducted, and no part is left out. */
export const isPlainTotal = ({ parts, deductions }: WeightedTotal) =>
  deductions.length === 0 && parts.every(({ counted }) => counted.length > 0);

function deductionText(
  { deduction, count, points }: WeightedTotal['deductions'][number],
  nameOf: ColumnNameOf,
): string {
  return ` − ${withoutBrackets(nameOf(deduction.column))} ${timesText(count, deduction)}${fractionText(points)}점`;
}

function timesText(count: WeightedTotal['deductions'][number]['count'], { free }: Deduction): string {
  return free > 0 ? `${fractionText(count)}회(${free}회 넘은 것) ` : `${fractionText(count)}회 `;
}

/** `중간` for `중간(40점)` and `중간/40`. */
export function withoutBrackets(name: string): string {
  return name.replace(/\s*[([/].*$/, '') || name;
}
