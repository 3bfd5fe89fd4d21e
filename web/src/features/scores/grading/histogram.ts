/** Distribution of the scores, and the cut-offs within it. */
import { type Cutoffs, type Grade, type GradeSet, ladderOf } from './rules.ts';

/** Scores from `from` (inclusive) to `to` (exclusive). */
type Bin = { from: number; to: number; count: number };

export type Histogram = {
  /** The axis, in points. */
  from: number;
  to: number;
  bins: Bin[];
  highest: number;
  /** The smallest useful step of a cut-off: 1 if all scores are whole. */
  step: number;
};

/** Target number of bars. */
const BINS = 40;
const widths = [1, 2, 5, 10, 20, 50];

export function histogramOf(scores: readonly number[]): Histogram | undefined {
  if (scores.length === 0) return undefined;
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
  for (const score of scores) {
    const bin = bins[Math.min(bins.length - 1, Math.floor((score - from) / width))];
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
  return onStep(from + Math.min(1, Math.max(0, place)) * (to - from), histogram);
}

export function onStep(score: number, { step, from, to }: Histogram): number {
  const stepped = Math.round(Math.round(score / step) * step * 1e6) / 1e6;
  return Math.min(to, Math.max(from, stepped));
}

/** Moves one cut-off and takes others along if needed: better grades never have a lower cut-off. */
export function moveCutoff(cutoffs: Cutoffs, grade: Grade, at: number, set: GradeSet): Cutoffs {
  const ladder = ladderOf(set).slice(0, -1);
  const place = ladder.indexOf(grade);
  return Object.fromEntries(
    ladder.map((each, index) => {
      const old = cutoffs[each] ?? at;
      if (index === place) return [each, at];
      return [each, index < place ? Math.max(old, at) : Math.min(old, at)];
    }),
  );
}

/** A score to be read: two decimals at most. What is graded by stays exact. */
export const readable = (score: number): number => Math.round(score * 100) / 100;
