import type { Locale } from '#contract/locale';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type InlineConfig } from 'vite';

type RenderingCode = {
  /** Renders the HTML of an address. */
  renderPage: (path: string, locale: Locale) => Promise<string>;
  /** Renders the frame around a screen that is not loaded yet. */
  renderFrame: (locale: Locale, path: string) => Promise<string>;
  mainPageStyles: string;
  publicationsPageStyles: string;
};

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const codeFor = (entry: string, outDir: string, more: InlineConfig = {}) =>
  build({
    configFile: fromHere('../vite.config.ts'),
    logLevel: 'error',
    ...more,
    build: {
      ssr: entry,
      outDir,
      copyPublicDir: false,
      emptyOutDir: false,
      cssMinify: true,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });

/** This file has only `renderToString`; the package's edge entry also renders streams, in 50 KB more. */
const RENDERER = fromHere('../../node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.js');

/** Builds the code with which the edge renders pages, with its packages. */
const buildEdgeCode = () =>
  codeFor('src/edge-page.tsx', fromHere('../../dist/edge'), {
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { alias: [{ find: 'react-dom/server', replacement: RENDERER }] },
    ssr: { noExternal: true, resolve: { conditions: ['workerd', 'worker', 'module'] } },
  });

/** Builds the app for Node. */
export async function buildRenderingCode(): Promise<RenderingCode> {
  // A new folder, because builds may run in parallel. It is inside the project, so that packages are found.
  const cache = fromHere('../../.cache');
  await mkdir(cache, { recursive: true });
  const outDir = await mkdtemp(join(cache, 'prerender-'));
  try {
    await codeFor('src/prerender.tsx', outDir);
    const module: unknown = await import(pathToFileURL(join(outDir, 'prerender.js')).href);
    if (!isDrawingCode(module)) throw new Error('src/prerender.tsx does not export what draws pages');
    return module;
  } finally {
    await rm(outDir, { recursive: true });
  }
}

function isDrawingCode(module: unknown): module is RenderingCode {
  return (
    typeof module === 'object' &&
    module !== null &&
    ['renderPage', 'renderFrame', 'mainPageStyles'].every((name) => name in module)
  );
}

if (import.meta.main) await buildEdgeCode();
