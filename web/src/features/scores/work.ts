/** What the user has in hand: the pasted text and everything chosen for it. Every change makes a new one. */
import { parsePaste } from '../../lib/paste-table.ts';
import { readClass } from './class-list.ts';
import { detectColumns, FIELDS, type Field, type Mapping } from './columns.ts';
import { DEFAULT_RULES, type Method, type Rules } from './rules.ts';
import type { Grade, Style } from './scale.ts';

export type Work = {
  text: string;
  mapping: Mapping;
  rules: Rules;
  style: Style;
  /** Grades set by hand, by the row of the pasted table. */
  byHand: Readonly<Record<number, Grade>>;
  /** Rows that get no grade. */
  excluded: readonly number[];
};

export const EMPTY_WORK: Work = {
  text: '',
  mapping: { header: undefined, columns: {} },
  rules: DEFAULT_RULES,
  style: { zero: 'A', fail: 'N' },
  byHand: {},
  excluded: [],
};

/** Rows keep their numbers, so that a column copied back fits the spreadsheet it came from. */
export function tableOf(text: string) {
  return parsePaste(text, { keepEmptyRows: true });
}

/**
 * Another class under the same rules: what was said about rows and cut-offs of the last one is forgotten. The same
 * students with a score put right are no other class.
 */
export function pasted(work: Work, text: string): Work {
  if (text === work.text) return work;
  const { mapping } = work;
  const now = readClass(tableOf(text), mapping);
  const before = readClass(tableOf(work.text), mapping);
  const isSameClass =
    before.length > 0 &&
    before.length === now.length &&
    before.every(({ row, name, id }, at) => {
      const other = now[at];
      return name + id !== '' && row === other?.row && name === other.name && id === other.id;
    });
  if (isSameClass) return { ...work, text };
  return {
    ...work,
    text,
    mapping: detectColumns(tableOf(text)),
    rules: { ...work.rules, cutoffs: undefined },
    byHand: {},
    excluded: [],
  };
}

/** A column holds one field: another field that had it goes without. */
export function remapped(work: Work, field: Field, column: number | undefined): Work {
  const columns: Mapping['columns'] = {};
  for (const each of FIELDS) {
    const kept = each === field ? column : work.mapping.columns[each];
    if (kept !== undefined && (each === field || kept !== column)) columns[each] = kept;
  }
  return { ...work, mapping: { ...work.mapping, columns } };
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
  const others = work.excluded.filter((each) => each !== row);
  return { ...work, excluded: isExcluded ? [...others, row] : others };
}
