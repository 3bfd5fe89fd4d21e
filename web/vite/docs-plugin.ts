import type { Plugin } from 'vite';
import { docModulesPlugin } from './docs-modules.ts';
import { docPagesPlugin } from './docs-pages.ts';

/** Compiles the markdown of a folder, and draws each document as a page of its own that needs no script. */
export function docsPlugin(folder: string): Plugin[] {
  return [docModulesPlugin(folder), docPagesPlugin(folder)];
}
