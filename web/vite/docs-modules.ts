import { readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';
import { isDocName } from '../src/features/docs/doc-name.ts';
import { docModule } from './docs-compile.ts';

const LIST = 'virtual:docs';
const ONE = 'virtual:doc/';

/** Compiles the markdown files of a folder to modules; `virtual:docs` maps names to them. */
export function docModulesPlugin(folder: string): Plugin {
  return {
    name: 'docs',
    resolveId: (id) => (id === LIST || id.startsWith(ONE) ? `\0${id}` : undefined),
    async load(id) {
      if (id === `\0${LIST}`) return listModule(await docNames(folder));
      const name = nameOfModule(id);
      if (name === undefined) return undefined;
      const file = join(folder, `${name}.md`);
      this.addWatchFile(file);
      return await docModule(name, await readFile(file, 'utf8'));
    },
    configureServer(server) {
      server.watcher.add(folder);
      // Otherwise the development server answers a missing document with the app's shell.
      server.middlewares.use('/markdown', (request, response, next) => {
        const path = request.url?.split('?')[0];
        if (readdirSync(folder).some((file) => `/${encodeURI(file)}` === path)) next();
        else response.writeHead(404).end();
      });
    },
  };
}

/** The document that a module was compiled from. */
export function nameOfModule(id: string): string | undefined {
  return id.startsWith(`\0${ONE}`) ? id.slice(ONE.length + 1) : undefined;
}

/** @throws Error for a file name that cannot be part of an address */
export async function docNames(folder: string): Promise<string[]> {
  const files = await readdir(folder);
  return files
    .filter((file) => file.endsWith('.md'))
    .map((file) => basename(file, '.md'))
    .map((name) => {
      if (isDocName(name)) return name;
      throw new Error(`${name}.md: a document's name consists of a-z, 0-9, _ and -`);
    })
    .sort();
}

function listModule(names: string[]): string {
  const entries = names.map((name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(ONE + name)})`);
  return `export const docs = { ${entries.join(', ')} };`;
}
