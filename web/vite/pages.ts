import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstVersion } from '#content/first-version';
import { site } from '#content/lab.site';
import type { Locale } from '#contract/locale';
import type { Plugin, Rolldown } from 'vite';
import { docPath } from '../src/features/docs/doc-name.ts';
import { appMissingTag, inEnglishTag, policyWithScripts, type BeforePaintOptions } from './before-paint.ts';
import { docHeadOf, type DocTexts } from './docs-compile.ts';
import { docNames, docTexts, LOCALES, localesOf, docNameOfModule } from './docs-modules.ts';
import {
  loginHead,
  mainPageHead,
  webManifest,
  MANIFEST_FILE,
  notFoundHead,
  openGraphTags,
  robotsTxt,
  SHARE_PICTURES,
  shellHead,
  sitemapXml,
  titleWithLab,
  type Head,
} from '../src/head/head.ts';
import { newsFeed, FEEDS } from '../src/feeds/news-feed.ts';
import { EMPTY_ROOT_ATTRIBUTE, isSubPage, subPageHead, subPagePaths } from '../src/head/sub-page-head.ts';
import { builtContent, publicationsOf } from './content-plugin.ts';
import { fillShell } from './html.ts';
import { buildRenderingCode } from './prerender.ts';

const PICTURES = fileURLToPath(new URL('../../content/pictures', import.meta.url));

const content = builtContent();
const { lab } = content;

type Bundle = Rolldown.OutputBundle;

/** A page that is prerendered at build time. */
type Page = {
  file: string;
  path: string;
  locale: Locale;
  head: Head;
  /** The file answers several addresses, so the browser renders it from scratch instead of hydrating. */
  isAnyAddress?: true;
  /** The file contains only the frame around a screen. */
  isFrame?: true;
  /** Contains published content: the edge renders it again (web/functions/published.ts). */
  isPublished?: true;
  /** If `styled` is set, `styles` are inlined, and later styles load after hydration or before the app. */
  styles?: 'mainPageStyles' | 'publicationsPageStyles';
  styled?: 'until-awake' | 'until-app';
  /** The page has no content yet: the edge serves it only once something is published. */
  isNothing?: boolean;
  /** The file also contains the page in English, for readers of English. */
  inBoth?: true;
  beforePaint?: BeforePaintOptions;
  /** Shows another page's content to readers of the other language; search engines are sent to that page. */
  isCopy?: boolean;
};

/**
 * Prerenders every page that can be read without JavaScript, and writes the files for all other addresses:
 * the frame alone (app.html) for those in public/_redirects, and 404.html for the rest. Allows the pages'
 * inline scripts in the policy.
 * @param docs the folder of the documents
 */
export function pagesPlugin(docs: string): Plugin {
  let published = '';
  return {
    name: 'pages',
    apply: (config, { command }) => command === 'build' && config.build?.ssr === undefined,
    enforce: 'post',
    configResolved({ publicDir }) {
      published = publicDir;
    },
    async generateBundle(_options, bundle) {
      const index = bundle['index.html'];
      if (index?.type !== 'asset') throw new Error('the build has no index.html');
      const shell = String(index.source);
      const stylesheet = /<link rel="stylesheet"[^>]*href="([^"]+)"/.exec(shell)?.[1];
      if (stylesheet === undefined) throw new Error('web/index.html has no stylesheet');
      const emit = (fileName: string, source: string | Uint8Array) =>
        this.emitFile({ type: 'asset', fileName, source });

      const { renderPage, renderFrame, ...drawnStyles } = await buildRenderingCode();
      const docPages = await docPagesOf(docs, bundle, shell);
      const docPaths = docPages.map(({ path }) => path);
      const others: Page[] = [...docPages, ...pagesBelow()];
      for (const page of [...others, ...pages]) {
        const {
          file,
          path,
          locale,
          head,
          isAnyAddress,
          isFrame,
          isPublished,
          isNothing,
          styles = 'mainPageStyles',
          styled,
          inBoth,
          beforePaint = {},
        } = page;
        const draw = (language: Locale) =>
          isFrame ? renderFrame(language, path) : renderPage(path, language);
        const drawn = await draw(locale);
        for (const [, asset = ''] of drawn.matchAll(/"\/(assets\/[^"]+)"/g)) {
          if (!bundle[asset]) throw new Error(`${path} needs ${asset}, which is not in the build`);
        }
        const root = [
          ` data-locale="${locale}"`,
          isAnyAddress ? '' : ` data-path="${path}"`,
          isPublished ? ' data-content="0"' : '',
          isNothing ? EMPTY_ROOT_ATTRIBUTE : '',
          styled === 'until-awake' ? ` data-styles="${stylesheet}"` : '',
          inBoth ? ' data-both' : '',
        ].join('');
        const english = inBoth ? `<template data-english>${await draw('en')}</template>${inEnglishTag}` : '';
        const missing = isFrame ? appMissingTag : '';
        const body = `<div id="root"${root}>${drawn}</div>${english}${missing}`;
        const inlined = styled && { styles: drawnStyles[styles], linksStyles: styled === 'until-app' };
        const source = fillShell(shell, { head, locale, body, beforePaint, ...inlined });
        if (file === 'index.html') index.source = source;
        else emit(file, source);
      }
      const rulesIn = (name: string) => readFile(join(published, name), 'utf8');
      emit('_headers', policyWithScripts(await rulesIn('_headers')));
      emit('_redirects', withDocs(await rulesIn('_redirects'), docPaths));
      emit(MANIFEST_FILE, webManifest(lab));
      emit('robots.txt', robotsTxt());
      emit(
        'sitemap.xml',
        sitemapXml(others.filter(({ isCopy, isNothing }) => !isCopy && !isNothing).map(({ path }) => path)),
      );
      for (const locale of LOCALES) {
        emit(FEEDS[locale].slice(1), newsFeed(content, locale, site.url));
        emit(SHARE_PICTURES[locale], readFileSync(join(PICTURES, site.sharePictures[locale])));
      }
    },
  };
}

const mainPage = (file: string, path: string, locale: Locale, english?: string): Page => ({
  file,
  path,
  locale,
  head: mainPageHead(path, locale, content),
  isPublished: true,
  styled: 'until-awake',
  beforePaint: { wake: 'stayed', ...(english !== undefined && { english }) },
});

const pages: Page[] = [
  {
    file: '404.html',
    path: '/404',
    locale: 'ko',
    head: notFoundHead('ko', lab),
    isAnyAddress: true,
    inBoth: true,
    styled: 'until-awake',
    beforePaint: { wake: 'painted', reader: '', title: notFoundHead('en', lab).title },
  },
  {
    file: 'app.html',
    path: '/app',
    locale: 'ko',
    head: shellHead('ko', lab),
    isAnyAddress: true,
    isFrame: true,
    inBoth: true,
    styled: 'until-app',
    beforePaint: { reader: '', title: shellHead('en', lab).title },
  },
  {
    file: 'login.html',
    path: '/login',
    locale: 'ko',
    head: loginHead('ko', lab),
    isAnyAddress: true,
    isFrame: true,
    inBoth: true,
    styled: 'until-app',
    beforePaint: { reader: '', title: loginHead('en', lab).title },
  },
  mainPage('index.html', '/', 'ko', '/en'),
  mainPage('ko.html', '/ko', 'ko'),
  mainPage('en.html', '/en', 'en'),
];

/** The pages below the main page, in both languages. */
function pagesBelow(): Page[] {
  const { all } = publicationsOf(firstVersion);
  return subPagePaths(content).flatMap((korean) =>
    LOCALES.map((locale): Page => {
      const path = locale === 'ko' ? korean : `/en${korean}`;
      return {
        file: `${path.slice(1)}.html`,
        path,
        locale,
        head: subPageHead(korean, locale, content, all),
        isPublished: true,
        isNothing: !isSubPage(korean, content),
        ...(korean === '/publications' && { styles: 'publicationsPageStyles' }),
        styled: 'until-awake',
        // The page works without the app until the visitor copies something or opens another page.
        beforePaint: { wake: 'touched', ...(locale === 'ko' && { english: `/en${korean}` }) },
      };
    }),
  );
}

/** A document that exists in Korean alone has an English address too, where only the frame is English. */
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
        beforePaint: locale === 'ko' ? { english: docPath(name, 'en') } : {},
      };
    });
  });
  return (await Promise.all(pages)).flat();
}

/** Files that a document's screen loads besides the HTML file. */
function filesOf(bundle: Bundle, name: string, locale: Locale): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const code = ['/features/docs/screen.tsx', `/routes/${locale === 'ko' ? '' : 'en_.'}docs.$name.tsx?`];
  const own = chunks.filter(({ moduleIds }) =>
    moduleIds.some((id) => docNameOfModule(id) === name || code.some((part) => id.includes(part))),
  );
  const styles = own.flatMap(({ viteMetadata }) => Array.from(viteMetadata?.importedCss ?? []));
  const scripts = own.map(({ fileName }) => fileName).concat(own.flatMap(({ imports }) => imports));
  return [...new Set([...scripts, ...styles])];
}

function docHead(name: string, texts: DocTexts, locale: Locale, files: string[]): Head {
  const locales = localesOf(texts);
  const { title: own, description } = docHeadOf(name, texts[locale] ?? texts.ko, locale);
  const title = titleWithLab(own, locale, lab);
  return {
    title,
    description,
    tags: [
      ...shellHead(locale, lab).tags,
      `<link rel="canonical" href="${site.url}${docPath(name, locale)}" />`,
      ...(locales.length > 1 ? locales : []).map(
        (each) => `<link rel="alternate" hreflang="${each}" href="${site.url}${docPath(name, each)}" />`,
      ),
      ...openGraphTags({ title, description, path: docPath(name, locale), locale, name: lab.name[locale] }),
      ...files.map((file) =>
        file.endsWith('.css')
          ? `<link rel="stylesheet" crossorigin href="/${file}">`
          : `<link rel="modulepreload" crossorigin href="/${file}">`,
      ),
    ],
  };
}

/** Adds a rule for each document: in _redirects a rule overrides a file, and an exact rule a wildcard. */
function withDocs(rules: string, paths: string[]): string {
  return [...paths.map((path) => `${path} ${path} 200`), rules].join('\n');
}
