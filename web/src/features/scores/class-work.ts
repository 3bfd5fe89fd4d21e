/** What the user has in hand: the pasted text and everything chosen for it. Every change makes a new one. */
import { parsePaste } from '../../lib/paste-table.ts';
import { readClass } from './class-list.ts';
import { columnsBelow, detectColumns, withAttendance } from './columns.ts';
import { FIELDS, type Field, type Mapping } from './mapping.ts';
import { DEFAULT_RULES, type Method, type Rules } from './rules.ts';
import type { Grade, Style } from './scale.ts';

/** One class: what was pasted, and what was said about it. */
export type ClassWork = {
  text: string;
  mapping: Mapping;
  rules: Rules;
  style: Style;
  /** Grades set by hand, by the row of the pasted table. */
  byHand: Readonly<Record<number, Grade>>;
  /** Rows that get no grade because the user says so. */
  excluded: readonly number[];
  /** Rows that look like no student's, and that the user has taken in. */
  included: readonly number[];
};

export type Work = ClassWork & {
  /** What was pasted before with something set by hand, as long as nobody has said whether that goes on (carry.ts). */
  before: ClassWork | undefined;
};

export const EMPTY_WORK: Work = {
  text: '',
  mapping: { header: undefined, columns: {} },
  rules: DEFAULT_RULES,
  style: { zero: 'A', fail: 'N' },
  byHand: {},
  excluded: [],
  included: [],
  before: undefined,
};

/** Rows keep their numbers, so that a column copied back fits the spreadsheet it came from. */
export function tableOf(text: string) {
  return parsePaste(text, { keepEmptyRows: true });
}

/**
 * Another table under the same method and notation. Its columns are found anew, and what was said about the last one's
 * rows and scores does not count here, however alike the two are: the page asks whether it goes on.
 */
export function pasted(work: Work, text: string): Work {
  if (text === work.text) return work;
  const { before, ...last } = work;
  const { attendance, floors, cutoffs } = DEFAULT_RULES;
  return {
    ...last,
    text,
    mapping: detectColumns(tableOf(text)),
    rules: { ...last.rules, attendance, floors, cutoffs },
    byHand: {},
    excluded: [],
    included: [],
    before: isTouched(last) ? last : before,
  };
}

/** Whether anything that belongs to this class alone was set by hand. */
function isTouched({ text, mapping, rules, byHand, excluded, included }: ClassWork): boolean {
  const { attendance, floors, cutoffs } = rules;
  return (
    Object.keys(byHand).length > 0 ||
    excluded.length > 0 ||
    included.length > 0 ||
    cutoffs !== undefined ||
    Object.keys(floors).length > 0 ||
    attendance.meaning !== 'off' ||
    !isSameMapping(mapping, detectColumns(tableOf(text)))
  );
}

export function isSameMapping(one: Mapping, other: Mapping): boolean {
  return one.header === other.header && FIELDS.every((field) => one.columns[field] === other.columns[field]);
}

/** A column holds one field: another field that had it goes without. */
export function remapped(work: Work, field: Field, column: number | undefined): Work {
  const columns: Mapping['columns'] = {};
  for (const each of FIELDS) {
    const kept = each === field ? column : work.mapping.columns[each];
    if (kept !== undefined && (each === field || kept !== column)) columns[each] = kept;
  }
  const mapping = { ...work.mapping, columns };
  return { ...work, mapping: field === 'score' ? withAttendance(tableOf(work.text), mapping) : mapping };
}

/** Another row names the columns: they are found anew. */
export function withHeader(work: Work, header: number | undefined): Work {
  return { ...work, mapping: columnsBelow(tableOf(work.text), header) };
}

export function withRules(work: Work, change: Partial<Rules>): Work {
  return { ...work, rules: { ...work.rules, ...change } };
}

/** Cut-offs are of one method and go with it; grades set by hand stay and count again when their method comes back. */
export function withMethod(work: Work, method: Method): Work {
  return method === work.rules.method ? work : withRules(work, { method, cutoffs: undefined });
}

export function withGradeByHand(work: Work, row: number, grade: Grade | undefined): Work {
  const { [row]: _, ...others } = work.byHand;
  return { ...work, byHand: grade === undefined ? others : { ...others, [row]: grade } };
}

export function withExclusion(work: Work, row: number, isExcluded: boolean): Work {
  const looks = readClass(tableOf(work.text), work.mapping).find((each) => each.row === row);
  const excluded = work.excluded.filter((each) => each !== row);
  const included = work.included.filter((each) => each !== row);
  // A row that looks like no student's is left out by itself.
  if (looks?.nonStudent) return { ...work, excluded, included: isExcluded ? included : [...included, row] };
  return { ...work, excluded: isExcluded ? [...excluded, row] : excluded, included };
}
