import { fileURLToPath } from 'node:url';
import type { CompilerOptions } from '@inlang/paraglide-js';
import type { Config } from '@tanstack/router-plugin/vite';

const inWeb = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The page itself decides the language (src/lib/locale.ts), so no strategy of Paraglide's is compiled in. */
export const paraglideOptions: CompilerOptions = {
  project: inWeb('project.inlang'),
  outdir: inWeb('src/paraglide'),
  strategy: ['globalVariable', 'baseLocale'],
  isServer: 'import.meta.env.SSR',
  emitReadme: false,
  // Build, development server and type-check may run at once: each writes the same and takes nothing away.
  outputStructure: 'message-modules',
  cleanOutdir: false,
};

export const routerOptions: Partial<Config> = {
  target: 'react',
  routesDirectory: inWeb('src/routes'),
  generatedRouteTree: inWeb('src/route-tree.gen.ts'),
  quoteStyle: 'single',
  autoCodeSplitting: true,
  addExtensions: true,
};
