/** Applies a regulation to a class. */
import { type CourseKind, type Regulation, REGULATIONS } from './university-regulations.ts';
import { type GradeScale } from './grades.ts';
import { type Cutoffs, DEFAULT_RULES, type Rules } from './methods.ts';

export function regulationOf({ regulation }: Pick<Rules, 'regulation'>): Regulation | undefined {
  return REGULATIONS.find(({ id }) => id === regulation?.id);
}

/** The kind of course with size limits that fit the class, or else the first kind without size limits. */
export function courseKindForSize({ kinds }: Regulation, count: number): number {
  const fitting = kinds.filter((kind) => isForSize(kind, count));
  const sized = fitting.find(({ atLeast, atMost }) => atLeast !== undefined || atMost !== undefined);
  const found = sized ?? fitting[0];
  return found ? kinds.indexOf(found) : 0;
}

export function isForSize({ atLeast = 0, atMost = Infinity }: CourseKind, count: number): boolean {
  return count >= atLeast && count <= atMost;
}

/** The rules of a regulation; what the regulation does not say stays unchanged. */
export function regulatedRules(rules: Rules, regulation: Regulation, kind: number): Rules {
  const { id, scale, kinds, absences } = regulation;
  const caps = kinds[kind]?.caps ?? 'absolute';
  const chosen: Rules = {
    ...rules,
    method: 'relative',
    scale,
    regulation: { id, kind },
    attendance: absences === undefined ? rules.attendance : { ...rules.attendance, threshold: absences },
  };
  if (caps === 'absolute')
    return { ...chosen, mostB: undefined, ...absoluteCutoffs[scale], isUncapped: true };
  return {
    ...chosen,
    mostB: caps.b,
    shares: { ...rules.shares, relative: [caps.a, (caps.upToB ?? 100) - caps.a] },
    plusShare: caps.plus ?? DEFAULT_RULES.plusShare,
    cutoffs: undefined,
    // A class graded only by score got its floors together with its cut-offs, so both are removed.
    floors: rules.isUncapped ? {} : rules.floors,
    isUncapped: false,
  };
}

/** Removes the regulation; a class that was graded by score has seats again. */
export function unregulatedRules(rules: Rules): Rules {
  const own = { ...rules, regulation: undefined, isUncapped: false };
  return rules.isUncapped ? { ...own, cutoffs: undefined, floors: {} } : own;
}

/** The cut-offs before the user moved any: undefined if seats decide, or the cut-offs of the regulation. */
export function resetCutoffs({ isUncapped, scale }: Rules): Pick<Rules, 'cutoffs'> {
  return { cutoffs: isUncapped ? absoluteCutoffs[scale].cutoffs : undefined };
}

/** Whether the rules are unchanged since the regulation was applied. */
export function isAsRegulated(rules: Rules): boolean {
  const regulation = regulationOf(rules);
  if (!regulation || !rules.regulation) return false;
  const { method, scale, shares, mostB, plusShare, isUncapped } = regulatedRules(
    rules,
    regulation,
    rules.regulation.kind,
  );
  return (
    rules.method === method &&
    rules.scale === scale &&
    rules.isUncapped === isUncapped &&
    (isUncapped ? rules.cutoffs !== undefined : rules.plusShare === plusShare && rules.mostB === mostB) &&
    rules.shares.relative.every((share, band) => share === shares.relative[band])
  );
}

/** Each grade's lowest score as the sources print it: in steps of five, or of three with minus grades. */
const absoluteCutoffs: Record<GradeScale, { cutoffs: Cutoffs; floors: Rules['floors'] }> = {
  plus: {
    cutoffs: { 'A+': 95, A: 90, 'B+': 85, B: 80, 'C+': 75 },
    floors: { 'D+': 70, D: 65, F: 60 },
  },
  minus: {
    cutoffs: { 'A+': 97, A: 94, 'A-': 90, 'B+': 87, B: 84, 'B-': 80, 'C+': 77, C: 74 },
    floors: { 'D+': 70, D: 67, 'D-': 64, F: 60 },
  },
};
