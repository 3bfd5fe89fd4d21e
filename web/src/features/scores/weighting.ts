/**
 * The weighted total as a pure rule, exact in decimal. docs/grading.md has the formulas.
 */
import { compare, dividedBy, fractionOf, minus, NONE, plus, times, type Fraction } from './fraction.ts';
import { readDigits } from './read-number.ts';

/** What a part that a student has no score for counts as. */
export type Missing = 'zero' | 'left-out' | 'fail';

type PartColumn = { column: number; /** Full marks. */ full: number | undefined };

/** A column of scores, or several of which the best count. */
export type Part = {
  columns: readonly PartColumn[];
  /** Percentage of the total, to the tenth. A part without one does not count. */
  weight: number | undefined;
  missing: Missing;
  /** How many of the columns count, the best ones. */
  best: number;
};

/** Points taken off for each absence or late arrival. */
export type Deduction = {
  column: number;
  points: number;
  /** So many cost nothing. */
  free: number;
  /** At most so many points; undefined for no limit. */
  most: number | undefined;
};

export type Weighting = {
  parts: readonly Part[];
  deductions: readonly Deduction[];
  /** The weights may make more or less than 100, as with a bonus. */
  isSumFree: boolean;
};

/** A score in its column; undefined if there is none. */
type Counted = { column: number; full: number; score: string | undefined };

export type PartTotal = {
  part: Part;
  /** The scores that count, the best first. Empty if the part is left out. */
  counted: readonly Counted[];
  isMissing: boolean;
};

export type WeightedTotal = {
  /** Undefined if the student has no score at all. */
  total: Fraction | undefined;
  parts: readonly PartTotal[];
  /** The weights that count; less than all of them if a part is left out. */
  weight: Fraction;
  allWeight: Fraction;
  deductions: readonly { deduction: Deduction; count: Fraction; points: Fraction }[];
  /** The part without which there is no grade but a fail. */
  failedBy: Part | undefined;
};

export function activeParts({ parts }: Weighting): Part[] {
  return parts.filter(({ weight }) => weight !== undefined && weight > 0);
}

/** Sum of the weights in percent. */
export function weightSum(weighting: Weighting): number {
  return activeParts(weighting).reduce((sum, { weight = 0 }) => sum + Math.round(weight * 10), 0) / 10;
}

/** Whether enough is known to make a total. */
export function isWeightingReady(weighting: Weighting): boolean {
  const parts = activeParts(weighting);
  const areFull = parts.every(({ columns }) => columns.every(({ full }) => full !== undefined && full > 0));
  return parts.length > 0 && areFull && (weighting.isSumFree || weightSum(weighting) === 100);
}

/** @param cells a row of the table */
export function weightedTotal(cells: readonly string[], weighting: Weighting): WeightedTotal {
  const parts = activeParts(weighting);
  const totals = parts.map((part) => partTotal(part, cells));
  const weight = sumOf(totals.map((each) => (each.counted.length > 0 ? weightOf(each.part) : NONE)));
  const allWeight = sumOf(parts.map(weightOf));
  const deductions = weighting.deductions.flatMap((deduction) => {
    const count = countIn(cells[deduction.column] ?? '', deduction.free);
    return count.n > 0n ? [{ deduction, count, points: pointsOf(count, deduction) }] : [];
  });
  const hasScore = parts.some(({ columns }) =>
    columns.some(({ column }) => scoreIn(cells, column) !== undefined),
  );
  const reached = sumOf(totals.map((each) => times(ratioOf(each.counted), weightOf(each.part))));
  return {
    total:
      hasScore && weight.n > 0n
        ? atLeastNone(
            minus(
              times(reached, dividedBy(allWeight, weight)),
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

function partTotal(part: Part, cells: readonly string[]): PartTotal {
  const all = part.columns.map(({ column, full = 1 }): Counted => ({
    column,
    full,
    score: scoreIn(cells, column),
  }));
  const best = Math.max(1, Math.min(part.best, all.length));
  const given = all.filter(({ score }) => score !== undefined);
  const likely = part.missing === 'left-out' ? given : all;
  const counted = likely.toSorted((a, b) => compare(ratioOf([b]), ratioOf([a]))).slice(0, best);
  return { part, counted, isMissing: given.length < best };
}

/** Mean of what was reached of the full marks. */
function ratioOf(counted: readonly Counted[]): Fraction {
  if (counted.length === 0) return NONE;
  const ratios = counted.map(({ score, full }) =>
    score === undefined ? NONE : dividedBy(fractionOf(score), fractionOf(full)),
  );
  return dividedBy(sumOf(ratios), fractionOf(counted.length));
}

function scoreIn(cells: readonly string[], column: number): string | undefined {
  return readDigits(cells[column] ?? '');
}

function weightOf({ weight = 0 }: Part): Fraction {
  return fractionOf(weight);
}

function countIn(cell: string, free: number): Fraction {
  return atLeastNone(minus(fractionOf(readDigits(cell) ?? '0'), fractionOf(free)));
}

function pointsOf(count: Fraction, { points, most }: Deduction): Fraction {
  const all = times(count, fractionOf(points));
  if (most === undefined) return all;
  const limit = fractionOf(most);
  return compare(all, limit) > 0 ? limit : all;
}

function sumOf(fractions: readonly Fraction[]): Fraction {
  return fractions.reduce(plus, NONE);
}

function atLeastNone(fraction: Fraction): Fraction {
  return fraction.n < 0n ? NONE : fraction;
}
