import { readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { bundleMDX } from 'mdx-bundler';
import type { Plugin } from 'vite';

const LIST = 'virtual:docs';
const ONE = 'virtual:doc/';

/** Compiles the markdown of a folder into modules of their own; `virtual:docs` maps names to them. */
export function docsPlugin(folder: string): Plugin {
  return {
    name: 'docs',
    resolveId: (id) => (id === LIST || id.startsWith(ONE) ? `\0${id}` : undefined),
    async load(id) {
      if (id === `\0${LIST}`) return await listModule(folder);
      if (!id.startsWith(`\0${ONE}`)) return undefined;
      const file = join(folder, `${id.slice(ONE.length + 1)}.md`);
      this.addWatchFile(file);
      return await docModule(await readFile(file, 'utf8'));
    },
    configureServer(server) {
      server.watcher.add(folder);
      // Without this the development server answers a missing document with the page's shell.
      server.middlewares.use('/markdown', (request, response, next) => {
        const path = request.url?.split('?')[0];
        if (readdirSync(folder).some((file) => `/${encodeURI(file)}` === path)) next();
        else response.writeHead(404).end();
      });
    },
  };
}

async function listModule(folder: string): Promise<string> {
  const files = await readdir(folder);
  const entries = files
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => basename(file, '.md'))
    .map((name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(ONE + name)})`);
  return `export const docs = { ${entries.join(', ')} };`;
}

/** mdx-bundler's own client evaluates a string; wrapped as a module the same code passes a CSP without eval. */
async function docModule(source: string): Promise<string> {
  const { code } = await bundleMDX({
    source,
    // Markdown alone: no JSX, no expressions, no raw HTML.
    mdxOptions: (options) => ({ ...options, format: 'md', mdExtensions: ['.md', '.mdx'], mdxExtensions: [] }),
  });
  return `import * as React from 'react';
import * as _jsx_runtime from 'react/jsx-runtime';
const compiled = (() => { ${code} })();
export default compiled.default;`;
}
