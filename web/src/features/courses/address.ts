/** The current tab, and the course being edited. */
export type CoursesAddress = { tab?: 'form'; id?: number };

export function readAddress({ tab, id }: Record<string, unknown>): CoursesAddress {
  if (tab !== 'form') return {};
  return typeof id === 'number' && Number.isInteger(id) && id > 0 ? { tab, id } : { tab };
}
