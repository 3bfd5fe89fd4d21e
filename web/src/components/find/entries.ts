import type { Findable } from '#contract/find';
import { SEASON_LABELS } from '#contract/terms';
import { initialsOf } from '../../lib/hangul.ts';
import type { LoginState } from '../../lib/login-state.ts';
import type { GuardedPage } from '../../lib/page-access.ts';
import { searchText } from '../../lib/search-text.ts';
import { sideBarFor } from '../layout/menu-items.ts';

/** In the order in which they are shown. */
export const KINDS = ['screen', 'student', 'course', 'subject', 'plant'] as const;
export type Kind = (typeof KINDS)[number];

/** Where an entry leads: a screen, what its address says, and the row to open there. */
export type Place = { to: GuardedPage; search?: Record<string, unknown>; row?: string };

export type Entry = {
  kind: Kind;
  key: string;
  title: string;
  /** What tells it from others of the same name. */
  detail: string;
  place: Place;
  /** The title, its 초성, and all lines in which a word may be found. */
  name: string;
  initials: string;
  lines: string[];
};

function entryOf(kind: Kind, place: Place, title: string, detail = '', ...also: string[]): Entry {
  const name = searchText(title);
  const key = [kind, place.to, place.row, JSON.stringify(place.search), title].join(' ');
  const lines = [title, detail, ...also].map(searchText);
  return { kind, key, title, detail, place, name, initials: initialsOf(name), lines };
}

/** Every screen that the user may open. */
export function screenEntries(login: LoginState): Entry[] {
  return sideBarFor(login)
    .flatMap(({ items }) => items.flatMap((item) => (item.beneath ? [item, item.beneath] : [item])))
    .map(({ to, label, holds = '' }) =>
      entryOf('screen', { to }, label({}, { locale: 'ko' }), '', ...holds.split(',')),
    );
}

const SEASONS = ['spring', 'summer', 'fall', 'winter'] as const;

export function rowEntries({ students, courses, subjects, plants }: Findable): Entry[] {
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
        `${year}년 ${SEASON_LABELS[SEASONS[semester - 1] ?? 'spring']}`,
        subject_en,
      ),
    ),
    ...subjects.map(({ id, name, department, year, semester }) =>
      entryOf(
        'subject',
        { to: '/manage_subjects_list', search: { dept: department, year, semester }, row: id },
        name,
        `${id} · ${year}년 ${SEASON_LABELS[semester]}`,
        id,
      ),
    ),
    ...(plants ?? []).map((plant) =>
      entryOf('plant', { to: '/manage_plants', search: { plants: [plant] } }, plant),
    ),
  ];
}
