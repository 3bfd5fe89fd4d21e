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
/** What public pages load later, and the screens behind the login too. */
const PARTS = /components\/(?:ui\/button|part-state)|contract\/terms|lib\/(?:ask-worker|collections)/;
/** What all screens behind the login share: the first of them loads it, the others find it. */
const SIGNED_IN =
  /web\/src\/(?:signed-in|routes\/_signed-in\.|(?:components|lib)\/(?!.*(?:import|photograph|printed|publication|reason|row-window|select|table|watched)))/;

/** The oldest browsers, as the build calls them: iOS has Safari's engine, Samsung Internet that of a later Chrome. */
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
  // React has had it built in for years.
  resolve: {
    alias: [
      { find: /^use-sync-external-store\/shim$/, replacement: 'react' },
      // The browser variant needs a document, which the worker that parses markdown does not have.
      {
        find: /^decode-named-character-reference$/,
        replacement: fileURLToPath(import.meta.resolve('decode-named-character-reference')),
      },
    ],
  },
  // The worker that reads tables loads what .xlsx needs only for one.
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    target: TARGET,
    emptyOutDir: true,
    // A data: URL of a font or picture would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // A list of every screen's files would add 1 KB to the first script; hovering over a link preloads them anyway.
      resolveDependencies: (_file, files, { hostType }) =>
        hostType === 'html' ? files : files.filter((file) => file.endsWith('.css')),
    },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Each file costs a request, and many small ones compress worse. A group takes along what its modules import.
          groups: [
            { name: 'index', tags: ['$initial'] },
            { name: 'parts', test: PARTS },
            { name: 'signed-in', test: SIGNED_IN },
            { name: 'tables', test: /components\/(?:select-field|data-table)/ },
            { name: 'import', test: /components\/import\// },
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
