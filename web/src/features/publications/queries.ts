import { queryOptions } from '@tanstack/react-query';
import { fetchOrThrow } from '../../lib/api-error.ts';
import { entriesByKey } from './plain-bibtex.ts';

export const BIBTEX_FILE = '/publications.bib';

/** Every publication as plain BibTeX, by its key. The build writes the file. */
export const bibtexQuery = queryOptions({
  queryKey: ['bibtex'],
  queryFn: async ({ signal }) => entriesByKey(await (await fetchOrThrow(BIBTEX_FILE, { signal })).text()),
  staleTime: Number.POSITIVE_INFINITY,
});
