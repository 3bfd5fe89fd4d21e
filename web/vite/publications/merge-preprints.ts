import { nameKey } from './name-key.ts';

/** What decides whether two entries are one work. */
export type Work = {
  key: string;
  title: string;
  names: string[];
  /** Grows with time. */
  time: number;
  isPreprint: boolean;
  /** Key of its article, where the file says it. */
  preprintOf?: string | undefined;
};

/**
 * The article of each preprint that has one: that which the entry names, or the first to appear under the same title
 * with an author in common.
 */
export function articlesOfPreprints(works: readonly Work[]): Map<string, string> {
  const articles = works.filter(({ isPreprint }) => !isPreprint).sort((one, other) => one.time - other.time);
  const byTitle = Map.groupBy(articles, ({ title }) => titleKey(title));
  const found = new Map<string, string>();
  for (const preprint of works.filter(({ isPreprint }) => isPreprint)) {
    const own = new Set(preprint.names.map(nameKey));
    const article = byTitle
      .get(titleKey(preprint.title))
      ?.find(({ names }) => names.some((name) => own.has(nameKey(name))));
    const key = preprint.preprintOf ?? article?.key;
    if (key !== undefined) found.set(preprint.key, key);
  }
  return found;
}

/** Letters and digits alone: a title's case, punctuation and spaces are not always the same twice. */
function titleKey(title: string): string {
  return title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
