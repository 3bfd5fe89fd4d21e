/** Who gets which seat: the part of the grading rule that ranks. docs/grading.md has its formulas. */
import { bandsOf, plusSeats, seatCaps, type Rules } from './rules.ts';
import { placeOf, type Grade } from './scale.ts';

/** Somebody who is graded by rank; `index` is the place among the entries. */
export type Ranked = { index: number; score: number; tieBreak: number };

/** How somebody came by a seat. */
export type Seating = {
  grade: Grade;
  /** From 1; the same for equals. */
  rank: number;
  /** How many were ranked. */
  of: number;
  /** Seats of this grade and the better ones, and how many of them went by hand. */
  seats: number;
  byHand: number;
  /** The next better grade and the seats down to it; undefined on the best. */
  missed: { grade: Grade; seats: number } | undefined;
  /** Set when equals stood together before too few seats, and all of them went lower. */
  tie: { grade: Grade; left: number; size: number } | undefined;
};

/** A band as it is filled. */
export type BandCount = {
  name: string;
  /** Undefined for the band that takes the rest. */
  share: number | undefined;
  /** Seats of this band and the better ones together. */
  cap: number;
  usedUpTo: number;
  /** Seats of this band, those included that the better bands left. */
  seats: number;
  used: number;
  /** Its + half, where it has one. */
  plus: { grade: Grade; seats: number; used: number } | undefined;
};

/**
 * Gives everybody a seat, grade by grade from the best. Equals go together: where they do not all fit, all of them go
 * lower. Nobody gets a better grade than somebody ahead.
 * @param byHand grades that took their seats before
 * @param count everyone not excluded
 */
export function seatRanked(
  ranked: readonly Ranked[],
  byHand: readonly Grade[],
  count: number,
  rules: Rules,
): Map<number, Seating> {
  const groups = groupEquals(ranked.toSorted(byRank));
  const seated = new Map<number, Seating>();
  const bands = bandsOf(rules.method);
  const caps = seatCaps(rules.shares[rules.method], count);
  const takenDownTo = (lowest: Grade) => byHand.filter((grade) => placeOf(grade) <= placeOf(lowest)).length;
  const rooms = roomsDownTo(
    caps,
    bands.map(({ grades }) => takenDownTo(lastOf(grades))),
  );
  let next = 0;
  let missed: Seating['missed'];
  let tie: Seating['tie'];
  /** Seats groups on one grade as long as they fit into `room`; `seats` are those of it and the better ones. */
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
    const [first, second] = grades;
    const cap = caps[band] ?? count;
    const room = rooms[band] ?? 0;
    if (second !== undefined) {
      const taken = byHand.filter((grade) => grade === first).length;
      const usedAbove = seated.size + takenDownTo(first) - taken;
      const half = plusSeats(Math.max(0, cap - usedAbove), rules.plusShare);
      fill(first, Math.min(room - seated.size, half - taken), usedAbove + half);
    }
    fill(second ?? first, room - seated.size, cap);
  }
  return seated;
}

function lastOf(grades: readonly [Grade] | readonly [Grade, Grade]): Grade {
  return grades[1] ?? grades[0];
}

/**
 * How many the rule may give a seat in the first bands together, for each band; everybody in the last. A seat taken by
 * hand in a lower band is missing in every cap that reaches down to it.
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

/** The bands of the method as these grades fill them. */
export function countSeats(counts: ReadonlyMap<Grade, number>, count: number, rules: Rules): BandCount[] {
  const shares = rules.shares[rules.method];
  const caps = seatCaps(shares, count);
  let usedUpTo = 0;
  return bandsOf(rules.method).map(({ name, grades }, band) => {
    const cap = caps[band] ?? count;
    const seats = Math.max(0, cap - usedUpTo);
    const used = grades.reduce((sum, grade) => sum + (counts.get(grade) ?? 0), 0);
    usedUpTo += used;
    const [first, second] = grades;
    return {
      name,
      share: shares[band],
      cap,
      usedUpTo,
      seats,
      used,
      plus:
        second === undefined
          ? undefined
          : { grade: first, seats: plusSeats(seats, rules.plusShare), used: counts.get(first) ?? 0 },
    };
  });
}

function groupEquals(ordered: readonly Ranked[]): Ranked[][] {
  const groups: Ranked[][] = [];
  for (const each of ordered) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    if (group && first?.score === each.score && first.tieBreak === each.tieBreak) group.push(each);
    else groups.push([each]);
  }
  return groups;
}

/** The higher score first, then the higher tie-break. */
function byRank(a: Ranked, b: Ranked): number {
  if (a.score !== b.score) return b.score - a.score;
  return a.tieBreak === b.tieBreak ? 0 : b.tieBreak - a.tieBreak;
}
