import { paraglideVitePlugin } from '@inlang/paraglide-js';
import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import packageJson from '../package.json' with { type: 'json' };
import { budgetPlugin } from './vite/budget-plugin.ts';
import { contentPlugin } from './vite/content-plugin.ts';
import { docModulesPlugin } from './vite/docs-modules.ts';
import { messageRuntime, paraglideOptions, routerOptions } from './vite/generated-code.ts';
import { pagesPlugin } from './vite/pages.ts';

const DOCS = fileURLToPath(new URL('public/markdown', import.meta.url));
/** Modules that public pages load late, and that signed-in screens load as well. */
const PARTS = /components\/(?:ui\/button|part-state)|contract\/terms|lib\/(?:ask-worker|collections)/;
/** Modules shared by all signed-in screens: the first such screen loads them for all others. */
const SIGNED_IN =
  /web\/src\/(?:signed-in|routes\/_signed-in\.|(?:components|lib)\/(?!.*(?:data-row|import|photograph|printed|publication|reason|row-window|select|table|watched)))/;

/** The oldest browsers, without iOS (has Safari's engine) and Samsung Internet (has a newer Chrome's). */
const TARGET = packageJson.browserslist
  .filter((oldest) => /^(?:chrome|edge|firefox|safari) /.test(oldest))
  .map((oldest) => oldest.replace(' >= ', ''));

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    tanstackRouter(routerOptions),
    paraglideVitePlugin(paraglideOptions),
    messageRuntime,
    docModulesPlugin(DOCS),
    contentPlugin(),
    tailwindcss(),
    react({ jsxImportSource: '#jsx' }),
    pagesPlugin(DOCS),
    budgetPlugin(),
  ],
  // React has this hook itself; the package would only add code.
  resolve: {
    alias: [
      { find: /^use-sync-external-store\/shim$/, replacement: 'react' },
      // The package's browser variant needs `document`, which the Markdown worker does not have.
      {
        find: /^decode-named-character-reference$/,
        replacement: fileURLToPath(import.meta.resolve('decode-named-character-reference')),
      },
    ],
  },
  // An ES module, so that the worker that reads tables loads the .xlsx code only when needed.
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    target: TARGET,
    emptyOutDir: true,
    // A font or picture as data: URL would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // A list of all screens' files would add 1 KB to the first script; hovering preloads them anyway.
      resolveDependencies: (_file, files, { hostType }) =>
        hostType === 'html' ? files : files.filter((file) => file.endsWith('.css')),
    },
    rolldownOptions: {
      output: {
        // The first script contains the names of most chunks, and long hashes would enlarge it.
        chunkFileNames: 'assets/[name]-[hash:6].js',
        codeSplitting: {
          // Each file costs a request, and small files compress worse. A group includes its modules' imports.
          groups: [
            { name: 'index', tags: ['$initial'] },
            { name: 'index', test: /rolldown\/runtime/ },
            { name: 'parts', test: PARTS },
            { name: 'signed-in', test: SIGNED_IN },
            { name: 'tables', test: /components\/(?:select-field|data-table|import\/)/ },
            {
              name: 'forms',
              test: /node_modules\/zod\/|components\/reason-dialog|contract\/(?:plants|readings)/,
            },
            { name: 'docs', test: /routes\/(?:en_\.)?docs/ },
          ],
        },
      },
      // The main page and the management area share the contract, but the main page must not load zod.
      treeshake: {
        moduleSideEffects: [{ test: /node_modules\/zod\//, sideEffects: false }],
        manualPureFunctions: ['z'],
      },
    },
  },
});
