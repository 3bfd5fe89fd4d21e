/**
 * The grading rule as pure functions: no React, clock or randomness. docs/grading.md has the formulas.
 *
 * The first of these that applies decides a grade: excluded, set by hand, no score, absent too often, below a
 * floor, then the user's cut-offs or else the seats (seats.ts).
 */
import { type Grade, gradeRank } from './grades.ts';
import {
  type AttendanceRule,
  type Cutoffs,
  failGrade,
  type FloorGrade,
  gradeFloors,
  assignableGrades,
  type Rounding,
  type Rules,
} from './methods.ts';
import { type BandCount, countSeats, type RankedStudent, type Seating, seatRanked } from './seats.ts';

/** One row of the class with the values that the rule needs. */
export type GradingEntry = {
  /** Undefined if missing or not a number. */
  score: number | undefined;
  /** Among equal scores, the higher value ranks first; a missing value ranks last. */
  tieBreak: number | undefined;
  attendance: number | undefined;
  late: number | undefined;
  isExcluded: boolean;
  /** Whether the student gets a grade but is not counted and takes no seat, as some regulations require. */
  isOutside?: boolean;
  /** The part without a score that makes the student fail. */
  missingPart?: string | undefined;
  byHand: Grade | undefined;
};

/** Why a student has a grade; graded-class.ts turns it into a sentence. */
type Why =
  | { kind: 'excluded' }
  | { kind: 'by-hand' }
  | { kind: 'no-score' }
  | { kind: 'missing-part'; part: string }
  | { kind: 'absent'; absences: number }
  | { kind: 'floor'; floor: FloorGrade; at: number }
  | ({ kind: 'cutoff' | 'outside' } & Reached)
  | ({ kind: 'seat' } & Seating);

/** The cut-off that a score reached, and the next better cut-off that it missed. */
type Reached = { at: number | undefined; missed: { grade: Grade; at: number } | undefined };

/** `grade` is undefined only for excluded students. */
export type GradingOutcome = { grade: Grade | undefined; why: Why };

export type Grading = {
  /** One outcome for each entry, in the order of the entries. */
  outcomes: GradingOutcome[];
  /** Number of students from whom the share of each grade is computed: neither excluded nor `isOutside`. */
  count: number;
  /** Number of counted students by grade. */
  counts: ReadonlyMap<Grade, number>;
  /** Number of graded students who are not counted (`isOutside`). */
  outside: number;
  bands: BandCount[];
  /** The caps that are exceeded. Only grades or cut-offs set by hand can exceed a cap. */
  excess: Excess[];
  /**
   * The lowest score of each grade except the last, set by hand or resulting from the seats. Equal scores
   * that a tie-break separates are below the cut-off. Grades better than the best grade in use have none.
   */
  cutoffs: Cutoffs;
};

/** `name` is the cap in words: `A`, `A·B`, `B` for a cap of B alone, `A+` for the share of the + grade. */
export type Excess = { name: string; used: number; cap: number };

/** Grades a class. The result does not depend on the order of the entries. */
export function gradeClass(entries: readonly GradingEntry[], rules: Rules): Grading {
  const counted = entries.filter((entry) => !entry.isExcluded && entry.isOutside !== true);
  const count = counted.length;
  const byHand = counted.flatMap((entry) => entry.byHand ?? []);
  const floors = gradeFloors(rules);
  const settled = entries.map((entry) => settle(entry, rules, floors));
  const ranked = settled.flatMap((outcome, index): RankedStudent[] => {
    const { score, tieBreak, isOutside = false } = entries[index] ?? {};
    if (outcome || score === undefined || isOutside) return [];
    return [{ index, score: roundScore(score, rules.rounding), tieBreak: tieBreak ?? -Infinity }];
  });
  const placed = rules.cutoffs
    ? byCutoffs(ranked, rules.cutoffs, rules)
    : bySeats(seatRanked(ranked, byHand, count, rules));
  const found = settled.map((outcome, index) => outcome ?? placed.get(index));
  const cutoffs = rules.cutoffs ?? cutoffsOf(ranked, found, rules);
  const outcomes = found.map((outcome, index): GradingOutcome => {
    if (outcome) return outcome;
    const score = roundScore(entries[index]?.score ?? 0, rules.rounding);
    const { grade, reached } = gradeAt(score, cutoffs, assignableGrades(rules));
    return { grade, why: { kind: 'outside', ...reached } };
  });
  const outside = outcomes.filter(({ grade }, index) => grade && entries[index]?.isOutside === true).length;
  const counts = countGrades(
    outside === 0 ? outcomes : outcomes.filter((_, index) => entries[index]?.isOutside !== true),
  );
  const bands = countSeats(counts, count, rules);
  return {
    outcomes,
    count,
    counts,
    outside,
    bands,
    excess: excessOf(bands),
    cutoffs,
  };
}

export function roundScore(score: number, rounding: Rounding): number {
  if (rounding === 'none') return score;
  return rounding === 'down' ? Math.floor(score) : Math.round(score);
}

/** The outcome of a student who needs no ranking; undefined for ranked students. */
function settle(
  entry: GradingEntry,
  rules: Rules,
  floors: ReturnType<typeof gradeFloors>,
): GradingOutcome | undefined {
  if (entry.isExcluded) return { grade: undefined, why: { kind: 'excluded' } };
  if (entry.byHand) return { grade: entry.byHand, why: { kind: 'by-hand' } };
  const fail = failGrade(rules.method);
  if (entry.missingPart !== undefined) {
    return { grade: fail, why: { kind: 'missing-part', part: entry.missingPart } };
  }
  if (entry.score === undefined) return { grade: fail, why: { kind: 'no-score' } };
  const absences = absencesOf(entry.attendance, entry.late, rules.attendance);
  if (absences !== undefined && isAbsentTooOften(absences, rules.attendance)) {
    return { grade: fail, why: { kind: 'absent', absences } };
  }
  const score = roundScore(entry.score, rules.rounding);
  // The worst floor that the score does not reach.
  const floor = floors.findLast(([, at]) => score < at);
  if (!floor) return undefined;
  const [grade, at] = floor;
  return { grade: grade === 'F' ? fail : grade, why: { kind: 'floor', floor: grade, at } };
}

function bySeats(seated: ReadonlyMap<number, Seating>): Map<number, GradingOutcome> {
  return new Map(
    [...seated].map(([index, seating]) => [
      index,
      { grade: seating.grade, why: { kind: 'seat', ...seating } },
    ]),
  );
}

function byCutoffs(
  ranked: readonly RankedStudent[],
  cutoffs: Cutoffs,
  rules: Rules,
): Map<number, GradingOutcome> {
  const ladder = assignableGrades(rules);
  return new Map(
    ranked.map(({ index, score }) => {
      const { grade, reached } = gradeAt(score, cutoffs, ladder);
      return [index, { grade, why: { kind: 'cutoff', ...reached } }];
    }),
  );
}

function gradeAt(
  score: number,
  cutoffs: Cutoffs,
  ladder: readonly Grade[],
): { grade: Grade; reached: Reached } {
  const place = ladder.findIndex((grade) => score >= (cutoffs[grade] ?? Infinity));
  const found = place === -1 ? ladder.length - 1 : place;
  const grade = ladder[found];
  if (!grade) throw new Error('a method without grades');
  const above = ladder[found - 1];
  const aboveAt = above && cutoffs[above];
  const missed = above && aboveAt !== undefined ? { grade: above, at: aboveAt } : undefined;
  return { grade, reached: { at: place === -1 ? undefined : cutoffs[grade], missed } };
}

function countGrades(outcomes: readonly GradingOutcome[]): Map<Grade, number> {
  const counts = new Map<Grade, number>();
  for (const { grade } of outcomes) {
    if (grade) counts.set(grade, (counts.get(grade) ?? 0) + 1);
  }
  return counts;
}

/** Names of all bands up to this band: `A·B`, `A+·A`. A + would be unclear, because + is part of a grade. */
export const namesUpTo = (bands: readonly Pick<BandCount, 'name'>[], index: number) =>
  bands
    .slice(0, index + 1)
    .map(({ name }) => name)
    .join('·');

function excessOf(bands: readonly BandCount[]): Excess[] {
  return bands.slice(0, -1).flatMap((band, index) => {
    const excess: Excess[] = [];
    if (band.usedUpTo > band.cap) {
      excess.push({ name: namesUpTo(bands, index), used: band.usedUpTo, cap: band.cap });
    }
    if (band.used > band.ownCap) excess.push({ name: band.name, used: band.used, cap: band.ownCap });
    for (const { name, used, seats } of band.steps) if (used > seats) excess.push({ name, used, cap: seats });
    return excess;
  });
}

/**
 * The cut-offs that result from the seats. Equal scores that the tie-break separated are below the cut-off.
 * Grades better than the best grade in use have no cut-off; any other unused grade has the cut-off of the
 * next better grade.
 */
function cutoffsOf(
  ranked: readonly RankedStudent[],
  found: readonly (GradingOutcome | undefined)[],
  rules: Rules,
): Cutoffs {
  const ladder = assignableGrades(rules);
  const cutoffs: Cutoffs = {};
  let above = Infinity;
  for (const grade of ladder.slice(0, -1)) {
    let best = -Infinity;
    for (const { index, score } of ranked) {
      const own = found[index]?.grade;
      if (own && gradeRank(own) > gradeRank(grade)) best = Math.max(best, score);
    }
    let lowest = above;
    for (const { score } of ranked) if (score > best) lowest = Math.min(lowest, score);
    if (lowest !== Infinity) cutoffs[grade] = lowest;
    above = lowest;
  }
  return cutoffs;
}

/** A student's absences in sessions, including lateness; undefined if the cell is unreadable. */
function absencesOf(
  attendance: number | undefined,
  late: number | undefined,
  { meaning, sessions, latesPerAbsence }: AttendanceRule,
): number | undefined {
  if (meaning === 'off' || attendance === undefined) return undefined;
  const fromLate = Math.floor((late ?? 0) / latesPerAbsence);
  if (meaning === 'absences') return attendance + fromLate;
  if (meaning === 'attended') return sessions - attendance + fromLate;
  return (sessions * (100 - attendance)) / 100 + fromLate;
}

function isAbsentTooOften(absences: number, { sessions, threshold }: AttendanceRule): boolean {
  // Integers (hundredths of a percent) avoid rounding errors: 7.5 of 30 sessions are exactly a quarter.
  return Math.round(absences * 10_000) >= Math.round(threshold * 100) * sessions;
}
