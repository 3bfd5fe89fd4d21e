import type { Locale } from '#contract/locale';
import { beforePaintTag, type BeforePaintOptions } from './before-paint.ts';
import { escapeHtml } from '../src/head/escaped.ts';
import type { Head } from '../src/head/head.ts';

type Page = {
  head: Head;
  locale: Locale;
  /** Replaces the empty #root and the noscript text of index.html. */
  body: string;
  /** Inlined styles, which save a request before the first paint. */
  styles?: string;
  /** Puts the linked stylesheet after the body, so that the app does not start without it. */
  linksStyles?: boolean;
  /** If `wake` is absent, the app is loaded immediately. */
  beforePaint?: BeforePaintOptions;
};

const APP_TAGS = /\s*<(?:script type="module"|link rel="modulepreload")[^>]*>(?:<\/script>)?/g;

const STYLES = /\s*<link rel="stylesheet"[^>]*>/;
const END = /\s*<\/body>/;

/** The HTML file built by Vite, filled with a page. */
export function fillShell(shell: string, page: Page): string {
  const { head, locale, body, styles, linksStyles = false, beforePaint = {} } = page;
  const tags = [beforePaintTag(beforePaint), ...head.tags];
  if (styles !== undefined) tags.push(`<style>${styles}</style>`);
  const replacements: [RegExp, string][] = [
    [/<html lang="ko">/, `<html lang="${locale}">`],
    [/<title>.*?<\/title>/s, `<title>${escapeHtml(head.title)}</title>`],
    [
      /<meta\s+name="description"\s+content="[^"]*"\s*\/>/,
      `<meta name="description" content="${escapeHtml(head.description)}" />`,
    ],
    [/<\/head>/, `  ${tags.join('\n    ')}\n  </head>`],
    [/<div id="root"><\/div>\s*<noscript>.*?<\/noscript>/s, body],
  ];
  if (styles !== undefined) {
    const [link = ''] = STYLES.exec(shell) ?? [];
    replacements.push([STYLES, '']);
    if (linksStyles) replacements.push([END, `${link}\n  </body>`]);
  }
  if (beforePaint.wake !== undefined) {
    const app = (shell.match(APP_TAGS) ?? []).map((tag) => tag.trim()).join('');
    replacements.push([APP_TAGS, ''], [END, `\n    <template data-app>${app}</template>\n  </body>`]);
  }
  return replacements.reduce((filled, [pattern, replacement]) => {
    if (filled.search(pattern) < 0) throw new Error(`web/index.html does not match ${pattern.source}`);
    return filled.replace(pattern, () => replacement);
  }, shell);
}
