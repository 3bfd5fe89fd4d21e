import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

type RenderPage = (path: string) => Promise<string>;

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Builds the app for Node and returns what draws its pages: an address in, the HTML of its screen out. */
export async function loadPrerenderer(): Promise<RenderPage> {
  // A folder of its own, because builds may run side by side; within the project, where packages are found.
  const cache = fromHere('../../.cache');
  await mkdir(cache, { recursive: true });
  const outDir = await mkdtemp(join(cache, 'prerender-'));
  try {
    await build({
      configFile: fromHere('../vite.config.ts'),
      logLevel: 'error',
      build: {
        ssr: 'src/prerender.tsx',
        outDir,
        copyPublicDir: false,
        emptyOutDir: false,
        minify: false,
        rolldownOptions: { output: { codeSplitting: false } },
      },
    });
    const module: unknown = await import(pathToFileURL(join(outDir, 'prerender.js')).href);
    if (!rendersPages(module)) throw new Error('src/prerender.tsx exports no renderPage');
    return module.renderPage;
  } finally {
    await rm(outDir, { recursive: true });
  }
}

function rendersPages(module: unknown): module is { renderPage: RenderPage } {
  return typeof module === 'object' && module !== null && 'renderPage' in module;
}
