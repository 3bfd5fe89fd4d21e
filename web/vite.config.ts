import { paraglideVitePlugin } from '@inlang/paraglide-js';
import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { budgetPlugin } from './vite/budget-plugin.ts';
import { docsPlugin } from './vite/docs-plugin.ts';
import { paraglideOptions, routerOptions } from './vite/generated-code.ts';
import { headersPlugin } from './vite/headers-plugin.ts';
import { mainPagesPlugin } from './vite/main-pages.ts';
import { peoplePlugin } from './vite/people-plugin.ts';

/** Packages that every page needs, without what only the management area takes of them. */
const PACKAGES =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|hono|@tanstack)\/(?!.*(?:useMutation|mutationO|[Ii]nfiniteQuery(?!Behavior)|queriesObserver|useQueries))/;
/** Our own modules that the first screen shares with later ones. A new one is added here when the budget calls for it. */
const OWN =
  /web\/src\/lib\/(api|api-error|is-record|lab-content|locale|login-state|page-title|session|stored-text|toast)\.ts|vite\/preload-helper|rolldown\/runtime/;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    tanstackRouter(routerOptions),
    paraglideVitePlugin(paraglideOptions),
    docsPlugin(fileURLToPath(new URL('public/markdown', import.meta.url))),
    peoplePlugin(),
    tailwindcss(),
    react(),
    mainPagesPlugin(),
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
          groups: [{ name: 'shell', test: (id) => PACKAGES.test(id) || OWN.test(id) }],
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
