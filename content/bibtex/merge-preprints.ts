/** The data by which two entries are recognized as the same work. */
export type BibtexWork = {
  key: string;
  title: string;
  names: string[];
  /** A later work has a greater value. */
  time: number;
  isPreprint: boolean;
  /** Key of the preprint's article, if the file names it. */
  preprintOf?: string | undefined;
};

/**
 * The article of each preprint that has one: the article that the entry names, or the first one with the same
 * title and a common author.
 */
export function articlesOfPreprints(works: readonly BibtexWork[]): Map<string, string> {
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

/** Only letters and digits, because case, punctuation and spaces of the same title may differ. */
function titleKey(title: string): string {
  return title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The same key for `Seojun Yoon`, `Seo-Jun Yoon` and `Seo Jun Yoon`, and for `윤서준` and `윤 서준`. */
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
