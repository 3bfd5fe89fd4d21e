import { paraglideVitePlugin } from '@inlang/paraglide-js';
import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { contractPlugin } from './vite/contract-plugin.ts';
import { docsPlugin } from './vite/docs-plugin.ts';
import { paraglideOptions, routerOptions } from './vite/generated-code.ts';
import { mainPagesPlugin } from './vite/main-pages.ts';
import { peoplePlugin } from './vite/people-plugin.ts';

/** Packages that every page needs: one file, which outlives the changes of our own code in the visitors' caches. */
const SHELL =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|hono|@tanstack)\/(?!.*(?:Mutation|[Ii]nfiniteQuery))|vite\/preload-helper|rolldown\/runtime/;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    tanstackRouter(routerOptions),
    paraglideVitePlugin(paraglideOptions),
    docsPlugin(fileURLToPath(new URL('public/markdown', import.meta.url))),
    contractPlugin(),
    peoplePlugin(),
    tailwindcss(),
    react(),
    mainPagesPlugin(),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // A data: address of a font or picture would need its own exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'shell', test: SHELL }],
        },
      },
      // Main page and management share the contract; its schemas must not carry zod to the main page.
      treeshake: {
        moduleSideEffects: [{ test: /node_modules\/zod\//, sideEffects: false }],
      },
    },
  },
});
