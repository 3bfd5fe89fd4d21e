/** Computes the distribution of the scores and positions of the cut-offs. */
import { type Grade } from './grades.ts';
import { type Cutoffs, type GradeSet, assignableGrades } from './methods.ts';
import { groupBy } from '../../../lib/collections.ts';

/** Scores from `from` (inclusive) to `to` (exclusive). */
type Bin = { from: number; to: number; count: number };

export type Histogram = {
  /** The range of the axis, in points. */
  from: number;
  to: number;
  bins: Bin[];
  highest: number;
  /** The smallest useful step of a cut-off: 1 if all scores are whole. */
  step: number;
};

/** About the maximum number of bars. The bars have the smallest of `widths` that needs no more bars. */
const BINS = 20;
const widths = [1, 5, 10, 20, 50];

/** @param shown scores that determine the axis; all others are counted in its first or last bar */
export function histogramOf(all: readonly number[], shown = all): Histogram | undefined {
  if (all.length === 0) return undefined;
  const scores = shown.length === 0 ? all : shown;
  const least = scores.reduce((low, score) => Math.min(low, score), Infinity);
  const most = scores.reduce((high, score) => Math.max(high, score), -Infinity);
  const width = widths.find((each) => (most - least) / each <= BINS) ?? Math.ceil((most - least) / BINS);
  const from = Math.floor(least / width) * width;
  const to = (Math.floor(most / width) + 1) * width;
  const bins = Array.from({ length: Math.round((to - from) / width) }, (_, place) => ({
    from: from + place * width,
    to: from + (place + 1) * width,
    count: 0,
  }));
  for (const score of all) {
    const bin = bins[Math.min(bins.length - 1, Math.max(0, Math.floor((score - from) / width)))];
    if (bin) bin.count += 1;
  }
  const highest = bins.reduce((top, { count }) => Math.max(top, count), 0);
  return { from, to, bins, highest, step: scores.every(Number.isInteger) ? 1 : 0.1 };
}

/** Position on the axis, 0..1. */
export function placeOnAxis(score: number, { from, to }: Histogram): number {
  return Math.min(1, Math.max(0, (score - from) / (to - from)));
}

/** The score at a position on the axis, rounded to a step. */
export function scoreAt(place: number, histogram: Histogram): number {
  const { from, to } = histogram;
  return roundToStep(from + Math.min(1, Math.max(0, place)) * (to - from), histogram);
}

export function roundToStep(score: number, { step, from, to }: Histogram): number {
  const stepped = Math.round(Math.round(score / step) * step * 1e6) / 1e6;
  return Math.min(to, Math.max(from, stepped));
}

/** Moves one cut-off. Moves others as well if a better grade would have a lower cut-off. */
export function moveCutoff(cutoffs: Cutoffs, grade: Grade, at: number, set: GradeSet): Cutoffs {
  const ladder = assignableGrades(set).slice(0, -1);
  const place = ladder.indexOf(grade);
  return Object.fromEntries(
    ladder.flatMap((each, index) => {
      const old = index === place ? at : cutoffs[each];
      if (old === undefined) return [];
      return [[each, index < place ? Math.max(old, at) : Math.min(old, at)]];
    }),
  );
}

/** The cut-offs before the user began to type. `own`: set by hand. `cutoffs`: used for grading. */
export type CutoffStart = { own: Cutoffs | undefined; cutoffs: Cutoffs };

/** Applies a typed number to the cut-offs before typing began. Typing the shown number changes nothing. */
export function applyTypedCutoff(
  { own, cutoffs }: CutoffStart,
  grade: Grade,
  at: number,
  set: GradeSet,
  scores: readonly number[],
): Cutoffs | undefined {
  const old = cutoffs[grade];
  const isAsShown = old !== undefined && shownCutoff(old, scores) === at;
  return isAsShown ? own : moveCutoff(cutoffs, grade, at, set);
}

const MOST_PLACES = 15;

/**
 * Rounds a cut-off down for display, so that every student with the grade reaches the shown number: to two
 * decimals, or to more in order to stay above the next lower score. Grading uses the exact cut-off.
 */
export function shownCutoff(at: number, scores: readonly number[]): number {
  const below = scores.reduce((best, score) => (score < at ? Math.max(best, score) : best), -Infinity);
  for (let places = 2; places <= MOST_PLACES; places += 1) {
    const nearest = Number(at.toFixed(places));
    const shown = nearest > at ? Number((nearest - 10 ** -places).toFixed(places)) : nearest;
    if (shown > below && shown <= at) return shown;
  }
  return at;
}

type Tied = { score: number | undefined; tieBreak: number | undefined; isExcluded: boolean };

/** A text about the effect of moved cut-offs on equal scores; undefined if no scores are equal. */
export function tieText(rows: readonly Tied[], isMoved: boolean): string | undefined {
  const ranked = rows.filter(({ score, isExcluded }) => score !== undefined && !isExcluded);
  const groups = [...groupBy(ranked, ({ score }) => score).values()].filter(({ length }) => length > 1);
  if (groups.length === 0) return undefined;
  const parted = groups.filter((group) => new Set(group.map(({ tieBreak }) => tieBreak)).size > 1);
  const howMany = parted.reduce((sum, { length }) => sum + length, 0);
  const start = isMoved ? '컷으로 매기는 동안' : '컷을 옮기면';
  const breaks = howMany > 0 ? ` 동점자 우선 기준으로 나눈 ${howMany}명도 같습니다.` : '';
  return `${start} 점수가 같은 학생은 모두 같은 학점을 받습니다.${breaks} 그래서 한도를 넘을 수 있습니다.`;
}
