import { fileURLToPath } from 'node:url';
import { compile, type CompilerOptions } from '@inlang/paraglide-js';
import { tanstackRouterGenerator, type Config } from '@tanstack/router-plugin/vite';
import { resolveConfig, type Plugin } from 'vite';

const inWeb = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The app determines the language itself (src/lib/locale.ts), so no Paraglide strategy is needed. */
export const paraglideOptions: CompilerOptions = {
  project: inWeb('project.inlang'),
  outdir: inWeb('src/paraglide'),
  strategy: ['globalVariable', 'baseLocale'],
  emitReadme: false,
  // Builds, server and type-check may run at the same time, so none of them removes files of another.
  outputStructure: 'message-modules',
  cleanOutdir: false,
};

/**
 * Paraglide's runtime without its unused strategies, and messages that share one function to choose the
 * language; makes the first script 1.5 KB smaller. Contains only what messages and src/lib/locale.ts import.
 */
export const messageRuntime: Plugin = {
  name: 'message-runtime',
  enforce: 'pre',
  load: (id) =>
    id === inWeb('src/paraglide/runtime.js')
      ? `export let getLocale;
         export const overwriteGetLocale = (get) => { getLocale = get; };
         export const message = (ko, en) => (inputs, options) => {
           const text = (options?.locale ?? getLocale()) === 'ko' ? ko : en;
           return text.call ? text(inputs) : text;
         };`
      : undefined,
  transform: {
    filter: { id: /\/paraglide\/messages\/(?!_index)/ },
    handler(code, id) {
      const short = code
        .replace(/import \{.*?\} from/, 'import { message } from')
        // A text without parameters needs no function of its own.
        .replaceAll(
          /const (\w+) = \/\*\*.*?\*\/ \(\) => \{\s*return [^`]*(`[^`]*`)\)\s*\};/g,
          'const $1 = $2;',
        )
        .replace(
          /export const (\w+) = (?:(?!export const).)*return (ko_\w+)\(inputs\)\s*return (en_\w+)\(inputs\)\s*\}\);/s,
          'export const $1 = /* @__PURE__ */ message($2, $3);',
        );
      if (!short.includes('message(')) this.error(`Paraglide has changed how it writes messages: ${id}`);
      return { code: short, map: null };
    },
  },
};

export const routerOptions: Partial<Config> = {
  target: 'react',
  routesDirectory: inWeb('src/routes'),
  generatedRouteTree: inWeb('src/route-tree.gen.ts'),
  quoteStyle: 'single',
  autoCodeSplitting: true,
  addExtensions: true,
};

// Generates the code that type-checking needs and git does not contain: messages and the route tree.
if (import.meta.main) {
  await compile(paraglideOptions);
  // The route generator runs as soon as Vite has resolved a configuration that contains the plugin.
  const plugins = [tanstackRouterGenerator(routerOptions)];
  await resolveConfig({ root: inWeb('.'), configFile: false, plugins }, 'build');
}
