import type { Locale } from '#contract/locale';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

type DrawingCode = {
  /** An address in, the HTML of its screen out. */
  renderPage: (path: string, locale: Locale) => Promise<string>;
  /** The frame of every page around no screen yet. */
  renderFrame: (locale: Locale, path: string) => Promise<string>;
  mainPageStyles: string;
  publicationsPageStyles: string;
};

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const codeFor = (entry: string, outDir: string) =>
  build({
    configFile: fromHere('../vite.config.ts'),
    logLevel: 'error',
    build: {
      ssr: entry,
      outDir,
      copyPublicDir: false,
      emptyOutDir: false,
      minify: false,
      cssMinify: true,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });

/** Builds what the edge draws pages with. */
export const buildEdgeCode = () => codeFor('src/edge-page.tsx', fromHere('../../dist/edge'));

/** Builds the app for Node. */
export async function buildDrawingCode(): Promise<DrawingCode> {
  // A separate folder, because builds may run in parallel; inside the project, so that packages can be resolved.
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

function isDrawingCode(module: unknown): module is DrawingCode {
  return (
    typeof module === 'object' &&
    module !== null &&
    ['renderPage', 'renderFrame', 'mainPageStyles'].every((name) => name in module)
  );
}
