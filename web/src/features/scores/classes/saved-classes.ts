/**
 * Classes stored only in this browser and never sent to the server: drafts with a name from the user, and one
 * open class without a name.
 */
import { currentTerm, termSortKey } from '#contract/terms';
import { courseName, rememberedClass } from '../../../lib/chosen-class.ts';
import { type Draft, draftPlacesUnder, hasShapeOf } from '../../../lib/drafts.ts';
import { oneLine } from '../../../lib/paste-table.ts';
import { serverNow } from '../../../lib/server-time.ts';
import { privateStorageKey, readStoredText, writeStoredText } from '../../../lib/stored-text.ts';
import { readPastedClass, readPasted } from '../columns/columns.ts';
import { type ClassWork, EMPTY_WORK, type Work } from '../work.ts';

/** A class, and the draft of the class that this tab last read or wrote. */
export type ClassDraft = { draft: Draft; work: Work };
export type NamedClass = ClassDraft & { name: string };

export type SavedState = {
  /** The name of the open class; undefined if it has none. */
  name: string | undefined;
  /** The named class that was open until the user pasted a table of a different class. */
  left: NamedClass | undefined;
  /** Whether another tab has stored a different draft in the same place. A named draft is not overwritten. */
  isElsewhere: boolean;
  names: readonly string[];
};

export type SavedActions = {
  /** Starts storing the class under a new name. A name that is taken is reported and not overwritten. */
  keepAs: (name?: string) => void;
  /** Stores the pasted table under the name of the previous class, although the tables differ. */
  keepOn: () => void;
  /** Renames the class; false if the name is taken. */
  rename: (name: string) => boolean;
  /** Overwrites the draft that another tab has stored. */
  overwrite: () => void;
  /** Stops storing the class under its name; the stored draft stays. */
  leave: () => void;
  /** Continues with a stored class. */
  resume: (name: string) => void;
  forget: (name: string) => void;
};

const NAMED = 'scores/kept/';

export const draftPlace = (name: string | undefined) => (name === undefined ? 'scores/open' : NAMED + name);

export function savedClassNames(userId: number): string[] {
  return draftPlacesUnder(userId, NAMED).sort((a, b) => a.localeCompare(b, 'ko'));
}

/** Key for the name of the class that this tab restores after a reload. */
const openKey = (userId: number) => privateStorageKey(userId, 'scores-open');

export function readOpenClassName(userId: number): string | undefined {
  return readStoredText(openKey(userId), 'sessionStorage') ?? undefined;
}

export function storeOpenClassName(userId: number, name: string | undefined): void {
  writeStoredText(openKey(userId), name ?? null, 'sessionStorage');
}

/** An empty class. Its course is the course last chosen in this term, here or on the students screen. */
export function emptyWork(userId: number): Work {
  const { term, chosen } = rememberedClass(userId) ?? {};
  const isOfNow = term === termSortKey(currentTerm(serverNow()));
  return isOfNow && typeof chosen === 'object' ? { ...EMPTY_WORK, roster: chosen } : EMPTY_WORK;
}

/** The draft of the work. A chosen course counts as a change only once a table is pasted. */
export function draftOfWork(work: Work): Draft {
  const { roster } = work.text === '' ? work : EMPTY_WORK;
  return { start: keptOf({ ...EMPTY_WORK, roster }), value: keptOf(work) };
}

/** Leaves out what is read again from the text. */
function withoutTable(work: ClassWork) {
  const { table: _, doubtful: __, ...kept } = work;
  return kept;
}

/** The previous table is stored until the user has said whether its decisions apply. */
function keptOf({ before, ...work }: Work) {
  return { ...withoutTable(work), before: before && withoutTable(before) };
}

/** Undefined without a draft. If another version of the portal stored the draft, only its text is used. */
export function workFromDraft(draft: Draft | undefined): Work | undefined {
  const value = draft?.value;
  if (!isKept(value))
    return hasShapeOf(value, { text: '' }) ? { ...EMPTY_WORK, ...readPastedClass(value.text) } : undefined;
  const { before } = value;
  const withTables = isKept(before) ? { ...before, ...readPasted(before.text) } : undefined;
  return { ...value, ...readPasted(value.text), before: withTables };
}

function isKept(value: unknown): value is ReturnType<typeof keptOf> {
  const parts = ['mapping', 'rules', 'style', 'heading'] as const;
  return (
    hasShapeOf(value, keptOf(EMPTY_WORK)) && parts.every((part) => hasShapeOf(value[part], EMPTY_WORK[part]))
  );
}

export const CLASS_NAME_MAX = 60;

/** The title above the header. */
export function pastedTitle({ table, mapping }: Pick<Work, 'table' | 'mapping'>): string | undefined {
  const above = table.slice(0, mapping.header ?? 0).flat();
  const title = above.find((cell) => cell !== '');
  return title === undefined ? undefined : oneLine(title).slice(0, CLASS_NAME_MAX);
}

/** Default name of a class: the title above the header, the course's name, or the next number. */
export function defaultClassName(work: Work, taken: readonly string[]): string {
  const title = pastedTitle(work) ?? (work.roster && courseName(work.roster).slice(0, CLASS_NAME_MAX));
  if (title !== undefined) return title;
  let number = 1;
  while (taken.includes(`강의 ${number}`)) number += 1;
  return `강의 ${number}`;
}
