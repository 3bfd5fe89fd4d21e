import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lab as labEn } from '#content/lab.en';
import { lab as labKo } from '#content/lab.ko';
import { site } from '#content/lab.site';
import { news } from '#content/news';
import type { Locale } from '#contract/locale';
import type { Plugin, Rolldown } from 'vite';
import { docPath } from '../src/features/docs/doc-name.ts';
import { FEEDS } from '../src/features/landing/feeds.ts';
import { headOf, type DocTexts } from './docs-compile.ts';
import { docNames, docTexts, LOCALES, localesOf, nameOfModule } from './docs-modules.ts';
import {
  mainPageHead,
  manifest,
  MANIFEST,
  notFoundHead,
  robots,
  SHARE_PICTURE,
  shellHead,
  sitemap,
} from './head.ts';
import { fillShell, type Head } from './html.ts';
import { newsFeed } from './news-feed.ts';
import { buildDrawingCode } from './prerender.ts';
import { publicationPages } from './publications/pages.ts';
import { publicationsIn } from './publications/plugin.ts';

const SHARE_FILE = fileURLToPath(new URL(`../../content/pictures/${site.sharePicture}`, import.meta.url));

type Bundle = Rolldown.OutputBundle;

/** A page that is drawn at build time. */
type Page = {
  file: string;
  path: string;
  locale: Locale;
  head: Head;
  /** Any address may be answered with it, so the browser draws it anew instead of waking it. */
  isAnyAddress?: true;
  /** Its styles are written into it. */
  styles?: 'mainPageStyles' | 'publicationsPageStyles';
  /** It shows what another page shows, to those who read another language; search engines are led to that one. */
  isCopy?: boolean;
};

/**
 * Draws every page that can be read without a script, and writes what the static host answers other addresses with: the
 * empty shell (app.html) for those that public/_redirects names, and 404.html for the rest.
 * @param docs the folder of the documents
 * @param bibtex the file of the publications
 */
export function pagesPlugin(docs: string, bibtex: string): Plugin {
  let redirects = '';
  return {
    name: 'pages',
    apply: (config, { command }) => command === 'build' && config.build?.ssr === undefined,
    enforce: 'post',
    configResolved({ publicDir }) {
      redirects = join(publicDir, '_redirects');
    },
    async generateBundle(_options, bundle) {
      const index = bundle['index.html'];
      if (index?.type !== 'asset') throw new Error('the build has no index.html');
      const shell = String(index.source);
      const stylesheet = /<link rel="stylesheet"[^>]*href="([^"]+)"/.exec(shell)?.[1];
      if (stylesheet === undefined) throw new Error('index.html links no stylesheet');
      const emit = (fileName: string, source: string | Uint8Array) =>
        this.emitFile({ type: 'asset', fileName, source });

      const { renderPage, ...drawnStyles } = await buildDrawingCode();
      const docPages = await docPagesOf(docs, bundle, shell);
      const docPaths = docPages.map(({ path }) => path);
      const others: Page[] = [...docPages, ...publicationPages(publicationsIn(bibtex).all)];
      for (const page of inOrder([...others, ...mainPages])) {
        const { file, path, locale, head, isAnyAddress, styles } = page;
        const drawn = await renderPage(path);
        for (const [, asset = ''] of drawn.matchAll(/"\/(assets\/[^"]+)"/g)) {
          if (!bundle[asset]) throw new Error(`${path} refers to ${asset}, which is not in the build`);
        }
        const address = isAnyAddress ? '' : ` data-path="${path}" data-locale="${locale}"`;
        const later = styles ? ` data-styles="${stylesheet}"` : '';
        const body = `<div id="root"${address}${later}>${drawn}</div>`;
        const source = fillShell(shell, {
          head,
          locale,
          body,
          ...(styles && { styles: drawnStyles[styles] }),
        });
        if (file === 'index.html') index.source = source;
        else emit(file, source);
      }
      const needsScript = /<div id="root">.*<\/noscript>/s.exec(shell)?.[0] ?? '';
      emit('app.html', fillShell(shell, { head: shellHead, locale: 'ko', body: needsScript }));
      emit('_redirects', withDocs(await readFile(redirects, 'utf8'), docPaths));
      emit(MANIFEST, manifest());
      emit('robots.txt', robots());
      emit('sitemap.xml', sitemap(others.filter(({ isCopy }) => !isCopy).map(({ path }) => path)));
      if (news.length > 0) {
        emit(FEEDS.ko.slice(1), newsFeed(news, labKo, 'ko', site.url));
        emit(FEEDS.en.slice(1), newsFeed(news, labEn, 'en', site.url));
      }
      emit(SHARE_PICTURE, readFileSync(SHARE_FILE));
    },
  };
}

const mainPage = (file: string, path: string, locale: Locale): Page => ({
  file,
  path,
  locale,
  head: mainPageHead(path, locale),
  styles: 'mainPageStyles',
});

const mainPages: Page[] = [
  {
    file: '404.html',
    path: '/404',
    locale: 'ko',
    head: notFoundHead,
    isAnyAddress: true,
    styles: 'mainPageStyles',
  },
  mainPage('index.html', '/', 'ko'),
  mainPage('ko.html', '/ko', 'ko'),
  mainPage('en.html', '/en', 'en'),
];

/** Korean first: an address without a language is drawn in that of the address drawn last. */
function inOrder(pages: Page[]): Page[] {
  return LOCALES.flatMap((locale) => pages.filter((page) => page.locale === locale));
}

/** A document that is in Korean alone has an English address too: what surrounds it there is English. */
async function docPagesOf(docs: string, bundle: Bundle, shell: string): Promise<Page[]> {
  const names = await docNames(docs);
  const pages = names.map(async (name) => {
    const texts = await docTexts(docs, name);
    return LOCALES.map((locale): Page => {
      const files = filesOf(bundle, name, locale).filter((file) => !shell.includes(file));
      const path = docPath(name, locale);
      const head = docHead(name, texts, texts[locale] === undefined ? 'ko' : locale, files);
      return {
        file: `${path.slice(1)}.html`,
        path,
        locale,
        head,
        isCopy: texts[locale] === undefined,
      };
    });
  });
  return (await Promise.all(pages)).flat();
}

/** What the screen of a document loads besides the shell. */
function filesOf(bundle: Bundle, name: string, locale: Locale): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const code = ['/features/docs/screen.tsx', `/routes/${locale === 'ko' ? '' : 'en_.'}docs.$name.tsx?`];
  const own = chunks.filter(({ moduleIds }) =>
    moduleIds.some((id) => nameOfModule(id) === name || code.some((part) => id.includes(part))),
  );
  const styles = own.flatMap(({ viteMetadata }) => Array.from(viteMetadata?.importedCss ?? []));
  const scripts = own.map(({ fileName }) => fileName).concat(own.flatMap(({ imports }) => imports));
  return [...new Set([...scripts, ...styles])];
}

function docHead(name: string, texts: DocTexts, locale: Locale, files: string[]): Head {
  const locales = localesOf(texts);
  return {
    ...headOf(name, texts[locale] ?? texts.ko, locale),
    tags: [
      ...shellHead.tags,
      `<link rel="canonical" href="${site.url}${docPath(name, locale)}" />`,
      ...(locales.length > 1 ? locales : []).map(
        (each) => `<link rel="alternate" hreflang="${each}" href="${site.url}${docPath(name, each)}" />`,
      ),
      ...files.map((file) =>
        file.endsWith('.css')
          ? `<link rel="stylesheet" crossorigin href="/${file}">`
          : `<link rel="modulepreload" crossorigin href="/${file}">`,
      ),
    ],
  };
}

/** A rewrite wins over a file, and one without a wildcard over the others: a document's own address needs a line. */
function withDocs(rules: string, paths: string[]): string {
  return [...paths.map((path) => `${path} ${path} 200`), rules].join('\n');
}
