import { fileURLToPath } from 'node:url';
import type { CompilerOptions } from '@inlang/paraglide-js';
import type { Config } from '@tanstack/router-plugin/vite';
import type { Plugin } from 'vite';

const inWeb = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The app determines the language itself (src/lib/locale.ts), so no strategy of Paraglide's is needed. */
export const paraglideOptions: CompilerOptions = {
  project: inWeb('project.inlang'),
  outdir: inWeb('src/paraglide'),
  strategy: ['globalVariable', 'baseLocale'],
  emitReadme: false,
  // Build, development server and type-check may run at the same time: each writes the same files and removes none.
  outputStructure: 'message-modules',
  cleanOutdir: false,
};

/**
 * Paraglide's runtime, without the strategies that it brings whether or not they are used: 0.8 KB of the first script.
 * Holds what its messages and src/lib/locale.ts import.
 */
export const messageRuntime: Plugin = {
  name: 'message-runtime',
  enforce: 'pre',
  load: (id) =>
    id === inWeb('src/paraglide/runtime.js')
      ? `export const experimentalStaticLocale = undefined;
         export let getLocale;
         export const overwriteGetLocale = (get) => { getLocale = get; };`
      : undefined,
};

export const routerOptions: Partial<Config> = {
  target: 'react',
  routesDirectory: inWeb('src/routes'),
  generatedRouteTree: inWeb('src/route-tree.gen.ts'),
  quoteStyle: 'single',
  autoCodeSplitting: true,
  addExtensions: true,
};
