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

/** The same for `Seojun Yoon`, `Seo-Jun Yoon` and `Seo Jun Yoon`, and for `윤서준` and `윤 서준`. */
export function nameKey(name: string): string {
  const words = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replaceAll(/[^\p{L}]/gu, ''))
    .filter((word) => word !== '');
  if (words.every((word) => /^\p{Script=Hangul}+$/u.test(word))) return words.join('');
  return `${words.at(-1) ?? ''} ${words.slice(0, -1).join('')}`;
}
