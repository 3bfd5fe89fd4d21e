/** The form's tab and the id of the edited course; or the list's tab and what the user copies. */
export type CoursesSearch = { tab?: 'form'; id?: number; copy?: 'term' | number };

export function readCoursesSearch({ tab, id, copy }: Record<string, unknown>): CoursesSearch {
  if (tab === 'form') return isId(id) ? { tab, id } : { tab };
  return copy === 'term' || isId(copy) ? { copy } : {};
}

const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0;
