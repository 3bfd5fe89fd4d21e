/** The work in progress: the pasted text and all settings. Every change creates a new object. */
import type { ClassKey } from '#contract/students';
import type { PastedTable } from '../../lib/paste-table.ts';
import { columnName, type ColumnMapping, readClass } from './columns/class-list.ts';
import { type Grade, type GradeScale, type GradeNotation } from './grading/grades.ts';
import { DEFAULT_RULES, type GradingMethod, type Rules } from './grading/methods.ts';
import { isWeightingReady, type Weighting, weightingText } from './weights/weighting.ts';

/** One class: the pasted text and the user's decisions. */
export type ClassWork = {
  /** The typed or pasted text, which is stored. */
  text: string;
  /** The rows of the text, read once. */
  table: PastedTable;
  /** Indexes of rows with ambiguous quotation marks. */
  doubtful: readonly number[];
  mapping: ColumnMapping;
  rules: Rules;
  style: GradeNotation;
  byRow: RowDecisions;
  /** How the score is computed from several columns; undefined if the score is a single column. */
  weighting: Weighting | undefined;
  heading: SheetHeading;
  /** The roster's class that the scores belong to; undefined if none was chosen. */
  roster?: ClassKey | undefined;
};

/** The user's settings for a row. */
export type RowDecision = {
  /** The grade set by hand. */
  grade?: Grade | undefined;
  handReason?: string | undefined;
  /** Whether the row is excluded from grading; false for a suspicious row that the user included. */
  isExcluded?: boolean | undefined;
  /** Graded but not counted among the students. */
  isOutside?: true | undefined;
};

/** Decisions by row index of the pasted table. */
export type RowDecisions = Readonly<Record<number, RowDecision>>;

export type SheetHeading = { course: string; term: string; lecturer: string };

export type Work = ClassWork & {
  /** The previous table and its decisions, until the user says whether they apply to this table. */
  before: ClassWork | undefined;
};

/**
 * Changes the work as one undoable step.
 * @param name what the step does, in words
 * @param mergeKey successive changes with the same key form one step
 */
export type ChangeWork = (name: string, update: (work: Work) => Work, mergeKey?: string) => void;

export const EMPTY_WORK: Work = {
  text: '',
  table: [],
  doubtful: [],
  mapping: { header: undefined, columns: {} },
  rules: DEFAULT_RULES,
  style: { zero: 'A', fail: 'N' },
  byRow: {},
  weighting: undefined,
  heading: { course: '', term: '', lecturer: '' },
  before: undefined,
};

/** Makes the score a weighted total instead of one column; without weights, the score is undecided again. */
export function withWeighting(work: Work, weighting: Weighting | undefined): Work {
  const { score: _, ...columns } = work.mapping.columns;
  return { ...work, mapping: { ...work.mapping, columns }, weighting };
}

/** Whether it is decided how the score is obtained. */
export function hasScore({ mapping, weighting }: Pick<ClassWork, 'mapping' | 'weighting'>): boolean {
  return weighting ? isWeightingReady(weighting) : mapping.columns.score !== undefined;
}

/** Where the score comes from, in a few words: the column's name, or the weights. */
export function scoreOrigin({
  table,
  mapping,
  weighting,
}: Pick<ClassWork, 'table' | 'mapping' | 'weighting'>): string {
  if (weighting) return weightingText(weighting, (column) => columnName(table, mapping, column));
  return mapping.columns.score === undefined ? '' : columnName(table, mapping, mapping.columns.score);
}

export function withRules(work: Work, change: Partial<Rules>): Work {
  return { ...work, rules: { ...work.rules, ...change } };
}

/** A change of method removes the cut-offs. Grades set by hand stay; a method ignores grades it lacks. */
export function withMethod(work: Work, method: GradingMethod): Work {
  return method === work.rules.method ? work : withRules(work, { method, cutoffs: undefined });
}

/** Adding or removing minus grades moves every cut-off, so cut-offs set by hand are removed. */
export function withScale(work: Work, scale: GradeScale): Work {
  return scale === work.rules.scale ? work : withRules(work, { scale, cutoffs: undefined });
}

function withRow(work: Work, row: number, change: RowDecision): Work {
  const { [row]: before, ...others } = work.byRow;
  const decision = { ...before, ...change };
  const isNone = Object.values(decision).every((each) => each === undefined);
  return { ...work, byRow: isNone ? others : { ...others, [row]: decision } };
}

/** Marks a student who is graded by the others' cut-offs but not counted. */
export function withUncounted(work: Work, row: number, isOutside: boolean): Work {
  return withRow(work, row, { isOutside: isOutside || undefined });
}

export function withGradeByHand(work: Work, row: number, grade: Grade | undefined): Work {
  return withRow(work, row, grade === undefined ? { grade, handReason: undefined } : { grade });
}

export function withHandReason(work: Work, row: number, reason: string): Work {
  return withRow(work, row, { handReason: reason === '' ? undefined : reason });
}

export const withExclusion = (work: Work, row: number, isExcluded: boolean): Work =>
  withExclusions(work, [row], isExcluded);

export function withExclusions(work: Work, rows: readonly number[], isExcluded: boolean): Work {
  // A row that does not look like a student is excluded automatically.
  const usual = new Set(
    readClass(work.table, work.mapping).flatMap(({ row, nonStudent }) => (nonStudent ? [row] : [])),
  );
  return rows.reduce(
    (all, row) => withRow(all, row, { isExcluded: isExcluded === usual.has(row) ? undefined : isExcluded }),
    work,
  );
}
