/**
 * Classes as this browser keeps them: drafts, each under a name given by the user, or the open one that has none. They
 * are never sent anywhere.
 */
import { runningTerm, termOrder } from '#contract/terms';
import { courseName, rememberedClass } from '../../../lib/chosen-class.ts';
import { type Draft, draftNames, isLike } from '../../../lib/drafts.ts';
import { oneLine } from '../../../lib/paste-table.ts';
import { serverNow } from '../../../lib/server-time.ts';
import { privateKey, readStoredText, writeStoredText } from '../../../lib/stored-text.ts';
import { classOf, tableOf } from '../columns/columns.ts';
import { EMPTY_WORK, type Work } from '../work.ts';

/** A class with the draft that this tab last read or wrote of it. */
export type ClassDraft = { draft: Draft; work: Work };
export type NamedClass = ClassDraft & { name: string };

export type SavedState = {
  /** The name of the class in hand; undefined if it has none. */
  name: string | undefined;
  /** The class that stays as kept, because what was pasted over it looked different. */
  left: NamedClass | undefined;
  /** Another tab has written something else to its place, which is not overwritten when it has a name. */
  isElsewhere: boolean;
  names: readonly string[];
};

export type SavedActions = {
  /** Starts keeping the class under a new name; a name that is taken is reported instead of overwritten. */
  keepAs: (name?: string) => void;
  /** The paste belongs to the previous class after all. */
  keepOn: () => void;
  /** Renames the class; false if the name is taken. */
  rename: (name: string) => boolean;
  /** Overwrites what another tab has kept. */
  overwrite: () => void;
  /** Stops keeping the work under its name; what is kept stays. */
  leave: () => void;
  /** Continues with a kept class. */
  resume: (name: string) => void;
  forget: (name: string) => void;
};

const NAMED = 'scores/kept/';

/** Where a class is kept as a draft. */
export const placeOf = (name: string | undefined) => (name === undefined ? 'scores/open' : NAMED + name);

export function savedNames(userId: number): string[] {
  return draftNames(userId, NAMED).sort((a, b) => a.localeCompare(b, 'ko'));
}

/** The class that this tab restores after a reload. */
const openKey = (userId: number) => privateKey(userId, 'scores-open');

export function openName(userId: number): string | undefined {
  return readStoredText(openKey(userId), 'sessionStorage') ?? undefined;
}

export function setOpenName(userId: number, name: string | undefined): void {
  writeStoredText(openKey(userId), name ?? null, 'sessionStorage');
}

/** Nothing yet, of the class that was chosen last in this term, here or among the students. */
export function emptyWork(userId: number): Work {
  const { term, chosen } = rememberedClass(userId) ?? {};
  const isOfNow = term === termOrder(runningTerm(serverNow()));
  return isOfNow && typeof chosen === 'object' ? { ...EMPTY_WORK, roster: chosen } : EMPTY_WORK;
}

/** A class that was chosen is remembered for itself; there is nothing to keep until something is pasted. */
export function draftOf(work: Work): Draft {
  const { roster } = work.text === '' ? work : EMPTY_WORK;
  return { start: keptOf({ ...EMPTY_WORK, roster }), value: keptOf(work) };
}

/** The table is read from its text again; the question of a table that was pasted over is not kept. */
function keptOf(work: Work): Omit<Work, 'table' | 'doubtful'> {
  const { table: _, doubtful: __, ...kept } = work;
  return { ...kept, before: undefined };
}

/** Undefined if there is none. Of a class that another version has kept, its text remains. */
export function workOf(draft: Draft | undefined): Work | undefined {
  const value = draft?.value;
  if (isKept(value)) return { ...value, ...tableOf(value.text), before: undefined };
  return isLike(value, { text: '' }) ? { ...EMPTY_WORK, ...classOf(value.text) } : undefined;
}

function isKept(value: unknown): value is ReturnType<typeof keptOf> {
  const parts = ['mapping', 'rules', 'style', 'heading'] as const;
  return isLike(value, keptOf(EMPTY_WORK)) && parts.every((part) => isLike(value[part], EMPTY_WORK[part]));
}

export const NAME_LENGTH = 60;

/** What stands above the header. */
export function titleOf({ table, mapping }: Pick<Work, 'table' | 'mapping'>): string | undefined {
  const above = table.slice(0, mapping.header ?? 0).flat();
  const title = above.find((cell) => cell !== '');
  return title === undefined ? undefined : oneLine(title).slice(0, NAME_LENGTH);
}

/** Default name of a class: the title above its header, its name on the roster, or the next number. */
export function firstName(work: Work, taken: readonly string[]): string {
  const title = titleOf(work) ?? (work.roster && courseName(work.roster).slice(0, NAME_LENGTH));
  if (title !== undefined) return title;
  let number = 1;
  while (taken.includes(`강의 ${number}`)) number += 1;
  return `강의 ${number}`;
}
