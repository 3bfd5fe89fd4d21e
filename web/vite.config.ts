import { paraglideVitePlugin } from '@inlang/paraglide-js';
import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { budgetPlugin } from './vite/budget-plugin.ts';
import { docModulesPlugin } from './vite/docs-modules.ts';
import { messageRuntime, paraglideOptions, routerOptions } from './vite/generated-code.ts';
import { headersPlugin } from './vite/headers-plugin.ts';
import { pagesPlugin } from './vite/pages.ts';
import { peoplePlugin } from './vite/people-plugin.ts';

const DOCS = fileURLToPath(new URL('public/markdown', import.meta.url));
/** Changes less often than the pages do, so that the browser keeps it over many versions. */
const LASTING = /node_modules|web\/src\/lib\/|web\/src\/paraglide\/runtime|\/contract\/|vite\/preload-helper/;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    tanstackRouter(routerOptions),
    paraglideVitePlugin(paraglideOptions),
    messageRuntime,
    docModulesPlugin(DOCS),
    peoplePlugin(),
    tailwindcss(),
    react(),
    pagesPlugin(DOCS),
    headersPlugin(),
    budgetPlugin(),
  ],
  // A stand-in for what React has had for years.
  resolve: {
    alias: [
      { find: /^use-sync-external-store\/shim$/, replacement: 'react' },
      // Its variant for browsers asks a document, which the worker that parses markdown has not.
      {
        find: /^decode-named-character-reference$/,
        replacement: fileURLToPath(import.meta.resolve('decode-named-character-reference')),
      },
    ],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // A data: address of a font or picture would need its own exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // A list of every later screen's files would weigh 1 KB in the first one; hovering over a link fetches them early.
      resolveDependencies: (_file, files, { hostType }) =>
        hostType === 'html' ? files : files.filter((file) => file.endsWith('.css')),
    },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // One piece: a dozen small files compress worse.
          groups: [{ name: 'shell', tags: ['$initial'], test: LASTING }],
        },
      },
      // Main page and management share the contract; its schemas must not carry zod to the main page.
      treeshake: {
        moduleSideEffects: [{ test: /node_modules\/zod\//, sideEffects: false }],
        manualPureFunctions: ['z'],
      },
    },
  },
});
