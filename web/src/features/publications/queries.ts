import { queryOptions } from '@tanstack/react-query';
import type { Publication } from '#contract/publications';
import { publications as built } from 'virtual:publications';
import { fetchOrThrow } from '../../lib/api-error.ts';
import { setShownLab } from '../../lib/lab-content.ts';
import { loadPublishedContent } from '../../lib/published.ts';

let current: readonly Publication[] = built;

/** The publications of the published content, or else of the build; newest first. */
export const shownPublications = (): readonly Publication[] => current;

export function setShownPublications(publications: readonly Publication[]): void {
  current = publications;
}

export async function loadPublications(): Promise<void> {
  const news = await loadPublishedContent();
  if (!news) return;
  setShownPublications(news.publications.all);
  setShownLab(news.content.lab);
}

export const BIBTEX_FILE = '/publications.bib';

/** Loads the BibTeX of every publication from a file of the build, by the publication's key. */
export const bibtexQuery = queryOptions({
  queryKey: ['bibtex'],
  queryFn: async ({ signal }) => entriesByKey(await (await fetchOrThrow(BIBTEX_FILE, { signal })).text()),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Splits the build's file into entries. Each entry begins with `@` at the start of a line. */
function entriesByKey(text: string): Map<string, string> {
  const entries = text.split(/^(?=@)/m).filter((entry) => entry !== '');
  return new Map(entries.map((entry) => [/^@\w+\{([^,]*),/.exec(entry)?.[1] ?? '', `${entry.trim()}\n`]));
}
