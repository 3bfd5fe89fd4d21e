import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { site } from '#content/lab.site';
import type { Locale } from '#contract/locale';
import type { Plugin } from 'vite';
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
import { fillShell } from './html.ts';
import { loadDrawingCode } from './prerender.ts';

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PICTURES = fromHere('../../content/pictures');
const DOCS = fromHere('../public/markdown');

const mainPages: { file: string; path: string; locale: Locale }[] = [
  { file: 'index.html', path: '/', locale: 'ko' },
  { file: 'ko.html', path: '/ko', locale: 'ko' },
  { file: 'en.html', path: '/en', locale: 'en' },
];

/**
 * Draws the main page at build time, and writes what the static host answers other addresses with: the empty shell
 * (app.html) for those that public/_redirects names, and 404.html for the rest.
 */
export function mainPagesPlugin(): Plugin {
  return {
    name: 'main-pages',
    apply: (config, { command }) => command === 'build' && config.build?.ssr === undefined,
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const index = bundle['index.html'];
      if (index?.type !== 'asset') throw new Error('the build has no index.html');
      const shell = String(index.source);
      const stylesheet = /<link rel="stylesheet"[^>]*href="([^"]+)"/.exec(shell)?.[1];
      if (stylesheet === undefined) throw new Error('index.html links no stylesheet');
      const emit = (fileName: string, source: string | Uint8Array) =>
        this.emitFile({ type: 'asset', fileName, source });

      const { renderPage, mainPageStyles: styles } = await loadDrawingCode();
      const root = (attributes: string, drawn: string) =>
        `<div id="root"${attributes} data-styles="${stylesheet}">${drawn}</div>`;
      // Before /en: an address without a language is drawn in the one of the address drawn last.
      const notFound = root('', await renderPage('/404'));
      for (const { file, path, locale } of mainPages) {
        const drawn = await renderPage(path);
        for (const [, asset = ''] of drawn.matchAll(/"\/(assets\/[^"]+)"/g)) {
          if (!bundle[asset]) throw new Error(`${path} shows ${asset}, which the build does not hold`);
        }
        const body = root(` data-path="${path}" data-locale="${locale}"`, drawn);
        const source = fillShell(shell, { head: mainPageHead(path, locale), locale, body, styles });
        if (file === 'index.html') index.source = source;
        else emit(file, source);
      }
      const needsScript = /<div id="root">.*<\/noscript>/s.exec(shell)?.[0] ?? '';
      emit('app.html', fillShell(shell, { head: shellHead, locale: 'ko', body: needsScript }));
      emit('404.html', fillShell(shell, { head: notFoundHead, locale: 'ko', body: notFound, styles }));
      emit(MANIFEST, manifest());
      emit('robots.txt', robots());
      emit('sitemap.xml', sitemap(docNames()));
      emit(SHARE_PICTURE, readFileSync(join(PICTURES, site.sharePicture)));
    },
  };
}

function docNames(): string[] {
  return readdirSync(DOCS)
    .filter((file) => file.endsWith('.md'))
    .map((file) => basename(file, '.md'))
    .sort();
}
