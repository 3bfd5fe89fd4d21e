/** The work in progress: the pasted text and all settings. Every change creates a new object. */
import type { CourseKey } from '#contract/students';
import type { PastedTable } from '../../lib/paste-table.ts';
import { columnName, type Mapping, readClass } from './columns/class-list.ts';
import {
  DEFAULT_RULES,
  type Grade,
  type Method,
  type Rules,
  type Scale,
  type Style,
} from './grading/methods.ts';
import { isWeightingReady, type Weighting, weightingText } from './weights/weighting.ts';

/** One class: what was pasted and the decisions about it. */
export type ClassWork = {
  /** As it was typed or pasted; this is what is kept. */
  text: string;
  /** The rows of that text, read once. */
  table: PastedTable;
  /** Indexes of rows whose quotation marks can be read in two ways. */
  doubtful: readonly number[];
  mapping: Mapping;
  rules: Rules;
  style: Style;
  byRow: ByRow;
  /** The score is a total of several columns; undefined if it is one column. */
  weighting: Weighting | undefined;
  /** What stands above the printed sheet. */
  heading: Heading;
  /** The class of the roster whose scores these are; undefined if it was not chosen. */
  roster?: CourseKey | undefined;
};

/** What the user has set for a row. */
export type RowDecision = {
  /** The grade given by hand. */
  grade?: Grade | undefined;
  /** Why it was given. */
  handReason?: string | undefined;
  /** Excluded from grading; or false for one that does not look like a student and was included. */
  isExcluded?: boolean | undefined;
  /** Graded but not counted. */
  isOutside?: true | undefined;
};

/** By row of the pasted table. */
export type ByRow = Readonly<Record<number, RowDecision>>;

export type Heading = { course: string; term: string; lecturer: string };

export type Work = ClassWork & {
  /** Decisions about the previously pasted table, until the user has said whether they apply to this one (pasted-again.ts). */
  before: ClassWork | undefined;
};

/**
 * Changes the work as one undoable step.
 * @param name what is done, in words
 * @param mergeKey successive changes with the same key form one step
 */
export type Change = (name: string, update: (work: Work) => Work, mergeKey?: string) => void;

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

/** A total of several columns instead of one that is the score; without it, the question is open again. */
export function withWeighting(work: Work, weighting: Weighting | undefined): Work {
  const { score: _, ...columns } = work.mapping.columns;
  return { ...work, mapping: { ...work.mapping, columns }, weighting };
}

/** Whether it is known what the score is. */
export function hasScore({ mapping, weighting }: Pick<ClassWork, 'mapping' | 'weighting'>): boolean {
  return weighting ? isWeightingReady(weighting) : mapping.columns.score !== undefined;
}

/** The score's origin in a few words: the column's name, or the weights. */
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

/** Cut-offs belong to a method and go with it; grades set by hand remain and apply again when their method returns. */
export function withMethod(work: Work, method: Method): Work {
  return method === work.rules.method ? work : withRules(work, { method, cutoffs: undefined });
}

/** Minus grades move every cut-off. */
export function withScale(work: Work, scale: Scale): Work {
  return scale === work.rules.scale ? work : withRules(work, { scale, cutoffs: undefined });
}

function withRow(work: Work, row: number, change: RowDecision): Work {
  const { [row]: before, ...others } = work.byRow;
  const decision = { ...before, ...change };
  const isNone = Object.values(decision).every((each) => each === undefined);
  return { ...work, byRow: isNone ? others : { ...others, [row]: decision } };
}

/** A student who is graded by the others' cut-offs, but not counted. */
export function withOutside(work: Work, row: number, isOutside: boolean): Work {
  return withRow(work, row, { isOutside: isOutside || undefined });
}

export function withGradeByHand(work: Work, row: number, grade: Grade | undefined): Work {
  return withRow(work, row, grade === undefined ? { grade, handReason: undefined } : { grade });
}

export function withHandReason(work: Work, row: number, reason: string): Work {
  return withRow(work, row, { handReason: reason === '' ? undefined : reason });
}

export function withExclusion(work: Work, row: number, isExcluded: boolean): Work {
  const looks = readClass(work.table, work.mapping).find((each) => each.row === row);
  // A row that does not look like a student is excluded automatically.
  const isUsual = isExcluded === (looks?.nonStudent !== undefined);
  return withRow(work, row, { isExcluded: isUsual ? undefined : isExcluded });
}
