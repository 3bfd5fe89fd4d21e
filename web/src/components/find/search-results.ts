import type { SearchableRecords } from '#contract/find';
import { seasonText } from '#contract/terms';
import { initialConsonants, containsInitials, hasInitials } from '../../lib/hangul.ts';
import type { LoginState } from '../../lib/login-state.ts';
import type { GuardedPage } from '../../lib/page-access.ts';
import { normalizeForSearch } from '../../lib/search-text.ts';
import { screensFor } from '../layout/menu-items.ts';
import { groupBy } from '../../lib/collections.ts';

/** The kinds of entries in the order in which they are shown. */
const KINDS = ['screen', 'student', 'course', 'subject', 'plant'] as const;
export type SearchEntryKind = (typeof KINDS)[number];

/** Where an entry leads: a screen, the search parameters of its address, and the row to open there. */
export type SearchTarget = { to: GuardedPage; search?: Record<string, unknown>; row?: string };

export type SearchEntry = {
  kind: SearchEntryKind;
  key: string;
  title: string;
  /** Distinguishes the entry from others of the same name. */
  detail: string;
  place: SearchTarget;
  /** The searchable title, its initial consonants (초성), and every text in which a word is searched. */
  name: string;
  initials: string;
  lines: string[];
};

function entryOf(
  kind: SearchEntryKind,
  place: SearchTarget,
  title: string,
  detail = '',
  ...also: string[]
): SearchEntry {
  const name = normalizeForSearch(title);
  const key = [kind, place.to, place.row, JSON.stringify(place.search), title].join(' ');
  const lines = [title, detail, ...also].map(normalizeForSearch);
  return { kind, key, title, detail, place, name, initials: initialConsonants(name), lines };
}

export function screenEntries(login: LoginState): SearchEntry[] {
  return screensFor(login)
    .flatMap(({ items }) => items.flatMap((item) => (item.beneath ? [item, item.beneath] : [item])))
    .map(({ to, label, holds = '' }) =>
      entryOf('screen', { to }, label({}, { locale: 'ko' }), '', ...holds.split(',')),
    );
}

export function recordEntries({ students, courses, subjects, plants }: SearchableRecords): SearchEntry[] {
  return [
    ...students.map(({ id, name, department }) =>
      entryOf(
        'student',
        { to: '/manage_students', row: id },
        name,
        [id, department].filter(Boolean).join(' · '),
        id,
      ),
    ),
    ...courses.map(({ id, year, semester, subject, subject_en }) =>
      entryOf(
        'course',
        { to: '/manage_courses', search: { tab: 'form', id } },
        subject,
        seasonText({ year, semester }),
        subject_en,
      ),
    ),
    ...subjects.map(({ id, name, department, year, semester }) =>
      entryOf(
        'subject',
        { to: '/manage_subjects_list', search: { dept: department, year, semester }, row: id },
        name,
        `${id} · ${seasonText({ year, semester })}`,
        id,
      ),
    ),
    ...(plants ?? []).map((plant) =>
      entryOf('plant', { to: '/manage_plants', search: { plants: [plant] } }, plant),
    ),
  ];
}

export const ENTRIES_PER_KIND_MAX = 6;

export type FoundGroup = { kind: SearchEntryKind; shown: SearchEntry[]; more: number };

/**
 * Finds the entries that contain every word, by kind; equal names or numbers come first, then names that
 * begin with the text, then names that contain it, then the rest. Without a word, finds only the screens.
 */
export function findMatches(entries: readonly SearchEntry[], input: string): FoundGroup[] {
  const words = input.split(/\s+/).map(normalizeForSearch).filter(Boolean);
  const whole = words.join('');
  const isFound = (entry: SearchEntry) =>
    words.length === 0 ? entry.kind === 'screen' : words.every((word) => isIn(entry, word));
  const byKind = groupBy(entries.filter(isFound), ({ kind }) => kind);
  return KINDS.flatMap((kind) => {
    const found = byKind.get(kind) ?? [];
    if (found.length === 0) return [];
    const ranked = [0, 1, 2, 3].flatMap((rank) => found.filter((entry) => rankOf(entry, whole) === rank));
    const shown = kind === 'screen' ? ranked : ranked.slice(0, ENTRIES_PER_KIND_MAX);
    return [{ kind, shown, more: ranked.length - shown.length }];
  });
}

function isIn({ name, initials, lines }: SearchEntry, word: string): boolean {
  if (lines.some((line) => line.includes(word))) return true;
  return hasInitials(word) && containsInitials(name, initials, word);
}

function rankOf({ name, initials, lines }: SearchEntry, whole: string): 0 | 1 | 2 | 3 {
  if (lines.includes(whole)) return 0;
  if (name.startsWith(whole) || initials.startsWith(whole)) return 1;
  return name.includes(whole) ? 2 : 3;
}
