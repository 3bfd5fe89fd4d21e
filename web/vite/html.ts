import type { Locale } from '#contract/locale';

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** A page's title, description and further head tags. */
export type Head = { title: string; description: string; tags: string[] };

type Page = {
  head: Head;
  locale: Locale;
  /** Replaces the empty #root and the noscript text of index.html. */
  body: string;
  /** Inlined, which saves the round trip of a linked stylesheet before the first paint. */
  styles?: string;
};

/** The shell built by Vite, filled with a page. */
export function fillShell(shell: string, { head, locale, body, styles }: Page): string {
  const tags = styles === undefined ? head.tags : [...head.tags, `<style>${styles}</style>`];
  const replacements: [RegExp, string][] = [
    [/<html lang="ko">/, `<html lang="${locale}">`],
    [/<title>.*?<\/title>/s, `<title>${escaped(head.title)}</title>`],
    [
      /<meta\s+name="description"\s+content="[^"]*"\s*\/>/,
      `<meta name="description" content="${escaped(head.description)}" />`,
    ],
    [/<\/head>/, `  ${tags.join('\n    ')}\n  </head>`],
    [/<div id="root"><\/div>\s*<noscript>.*?<\/noscript>/s, body],
  ];
  if (styles !== undefined) replacements.push([/\s*<link rel="stylesheet"[^>]*>/, '']);
  let page = shell;
  for (const [pattern, replacement] of replacements) {
    if (!pattern.test(page)) throw new Error(`index.html does not match ${pattern.source}`);
    page = page.replace(pattern, () => replacement);
  }
  return page;
}
