/** Assigns seats: the ranking part of the grading rule. docs/grading.md has the formulas. */
import { type Grade, gradeRank } from './grades.ts';
import { bandsOf, bandCaps, type Rules, seatCaps, seatSteps, effectiveShares } from './methods.ts';

/** A ranked student; `index` is the position among the entries. */
export type RankedStudent = { index: number; score: number; tieBreak: number };

/** A student's rank, and the seats that determined the grade. */
export type Seating = {
  grade: Grade;
  /** The rank, from 1; equal scores have the same rank. */
  rank: number;
  /** Number of ranked students. */
  of: number;
  /** Seats of this and better grades together; `byHand` of them were given by hand. */
  seats: number;
  byHand: number;
  /** The next better grade, and the seats of all grades down to it; undefined for the best grade. */
  missed: { grade: Grade; seats: number } | undefined;
  /** Set if equal scores did not fit into the remaining seats, so that all of them moved down. */
  tie: { grade: Grade; left: number; size: number } | undefined;
};

/** How many students one band of grades (such as A+ and A) may hold, and how many are in it. */
export type BandCount = {
  name: string;
  grades: readonly Grade[];
  /** The band's share in percent; undefined for the last band, which takes all remaining students. */
  share: number | undefined;
  /** Seats of this and better bands together. */
  cap: number;
  /** Maximum number of seats of this band alone, however few the better bands use; Infinity for most. */
  ownCap: number;
  usedUpTo: number;
  /** Seats of this band, including the seats that better bands left free. */
  seats: number;
  used: number;
  /** Seats of the + grade and, with minus grades, of the + and 0 grades together. */
  steps: readonly { name: string; seats: number; used: number }[];
};

/**
 * Assigns seats grade by grade, best first. Equal scores stay together: if they do not all fit, all move
 * down. Nobody gets a better grade than a higher-ranked student.
 * @param byHand grades set by hand, which already use seats
 * @param count number of students who are counted
 */
export function seatRanked(
  ranked: readonly RankedStudent[],
  byHand: readonly Grade[],
  count: number,
  rules: Rules,
): Map<number, Seating> {
  const groups = groupEquals(ranked.toSorted(byRank));
  const seated = new Map<number, Seating>();
  const bands = bandsOf(rules);
  const caps = seatCaps(effectiveShares(rules), count);
  const alone = bandCaps(rules, count);
  const takenDownTo = (lowest: Grade) =>
    byHand.filter((grade) => gradeRank(grade) <= gradeRank(lowest)).length;
  const rooms = roomsDownTo(
    caps,
    bands.map(({ grades }) => takenDownTo(lastOf(grades))),
  );
  let next = 0;
  let missed: Seating['missed'];
  let tie: Seating['tie'];
  /** Assigns groups to one grade while they fit into `room`. `seats`: seats of this and better grades. */
  const fill = (grade: Grade, room: number, seats: number) => {
    let left = room;
    for (let group = groups[next]; group && group.length <= left; group = groups[next]) {
      const rank = seated.size + 1;
      const seating = { grade, rank, of: ranked.length, seats, byHand: takenDownTo(grade), missed, tie };
      for (const { index } of group) seated.set(index, seating);
      left -= group.length;
      next += 1;
      tie = undefined;
    }
    const size = groups[next]?.length ?? 0;
    if (left > 0 && size > left) tie ??= { grade, left, size };
    missed = { grade, seats };
  };
  for (const [band, { grades }] of bands.entries()) {
    const takenWithin = (upTo: number) =>
      byHand.filter((grade) => grades.slice(0, upTo + 1).includes(grade)).length;
    const seatedAbove = seated.size;
    const usedAbove = seatedAbove + takenDownTo(lastOf(grades)) - takenWithin(grades.length - 1);
    const own = alone[band] ?? Infinity;
    const cap = Math.min(caps[band] ?? count, usedAbove + own);
    const room = Math.min(rooms[band] ?? 0, seatedAbove + own - takenWithin(grades.length - 1));
    const steps = seatSteps(Math.max(0, cap - usedAbove), grades, rules);
    for (const [place, grade] of grades.entries()) {
      const step = steps[place];
      if (step === undefined) fill(grade, room - seated.size, cap);
      else {
        const left = step - takenWithin(place) - (seated.size - seatedAbove);
        fill(grade, Math.min(room - seated.size, left), usedAbove + step);
      }
    }
  }
  return seated;
}

function lastOf(grades: readonly Grade[]): Grade {
  const last = grades.at(-1);
  if (!last) throw new Error('a band without grades');
  return last;
}

/**
 * For each band, how many seats the rule may assign in this and all better bands together; no limit for the
 * last band. A grade set by hand reduces the cap of its band and of every worse band.
 */
function roomsDownTo(caps: readonly number[], taken: readonly number[]): number[] {
  const rooms = caps.map(() => Infinity);
  let room = Infinity;
  for (let band = caps.length - 2; band >= 0; band -= 1) {
    room = Math.min(room, (caps[band] ?? 0) - (taken[band] ?? 0));
    rooms[band] = room;
  }
  return rooms;
}

/** The method's bands with their seats. Counts the used seats from the number of students per grade. */
export function countSeats(counts: ReadonlyMap<Grade, number>, count: number, rules: Rules): BandCount[] {
  const shares = effectiveShares(rules);
  const caps = seatCaps(shares, count);
  const alone = bandCaps(rules, count);
  let usedUpTo = 0;
  return bandsOf(rules).map(({ name, grades }, band) => {
    const cap = caps[band] ?? count;
    const ownCap = alone[band] ?? Infinity;
    const seats = Math.min(ownCap, Math.max(0, cap - usedUpTo));
    const used = grades.reduce((sum, grade) => sum + (counts.get(grade) ?? 0), 0);
    usedUpTo += used;
    const limits = seatSteps(seats, grades, rules);
    let usedWithin = 0;
    return {
      name,
      grades,
      share: shares[band],
      cap,
      ownCap,
      usedUpTo,
      seats,
      used,
      steps: limits.map((limit, place) => {
        usedWithin += counts.get(grades[place] ?? lastOf(grades)) ?? 0;
        return { name: place === 0 ? `${name}+` : `${name}+와 ${name}0`, seats: limit, used: usedWithin };
      }),
    };
  });
}

function groupEquals(ordered: readonly RankedStudent[]): RankedStudent[][] {
  const groups: RankedStudent[][] = [];
  for (const each of ordered) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    if (group && first?.score === each.score && first.tieBreak === each.tieBreak) group.push(each);
    else groups.push([each]);
  }
  return groups;
}

/** Compares by higher score, then by higher tie-break. */
function byRank(a: RankedStudent, b: RankedStudent): number {
  if (a.score !== b.score) return b.score - a.score;
  return a.tieBreak === b.tieBreak ? 0 : b.tieBreak - a.tieBreak;
}
