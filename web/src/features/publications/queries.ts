import { queryOptions } from '@tanstack/react-query';
import { fetchOrThrow } from '../../lib/api-error.ts';

export const BIBTEX_FILE = '/publications.bib';

/** Every publication as plain BibTeX, by its key, from a file of the build. */
export const bibtexQuery = queryOptions({
  queryKey: ['bibtex'],
  queryFn: async ({ signal }) => entriesByKey(await (await fetchOrThrow(BIBTEX_FILE, { signal })).text()),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The entries in the build's file: each begins with `@` at the start of a line. */
function entriesByKey(text: string): Map<string, string> {
  const entries = text.split(/^(?=@)/m).filter((entry) => entry !== '');
  return new Map(entries.map((entry) => [/^@\w+\{([^,]*),/.exec(entry)?.[1] ?? '', `${entry.trim()}\n`]));
}
