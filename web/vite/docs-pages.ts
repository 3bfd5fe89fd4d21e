import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { site } from '#content/lab.site';
import type { Plugin, Rolldown } from 'vite';
import { headOf } from './docs-compile.ts';
import { docNames, nameOfModule } from './docs-modules.ts';
import { shellHead } from './head.ts';
import type { Head } from './html.ts';
import { fillShell } from './html.ts';
import { loadPrerenderer } from './prerender.ts';

type Bundle = Rolldown.OutputBundle;

/** Writes docs/{name}.html for every document: the app's shell with the page drawn in it, readable without script. */
export function docPagesPlugin(folder: string): Plugin {
  let redirects = '';
  return {
    name: 'doc-pages',
    apply: (config, { command }) => command === 'build' && config.build?.ssr === undefined,
    enforce: 'post',
    configResolved({ publicDir }) {
      redirects = join(publicDir, '_redirects');
    },
    async generateBundle(_options, bundle) {
      const index = bundle['index.html'];
      if (index?.type !== 'asset') throw new Error('the build has no index.html');
      const shell = String(index.source);
      const names = await docNames(folder);
      const renderPage = await loadPrerenderer();
      for (const name of names) {
        const path = `/docs/${name}`;
        const markdown = await readFile(join(folder, `${name}.md`), 'utf8');
        const files = filesOf(bundle, name).filter((file) => !shell.includes(file));
        const source = fillShell(shell, {
          head: docHead(name, markdown, files),
          locale: 'ko',
          body: `<div id="root" data-path="${path}" data-locale="ko">${await renderPage(path)}</div>`,
        });
        this.emitFile({ type: 'asset', fileName: `docs/${name}.html`, source });
      }
      const rules = await readFile(redirects, 'utf8');
      this.emitFile({ type: 'asset', fileName: '_redirects', source: withDocs(rules, names) });
    },
  };
}

/** A rewrite wins over a file, and one without a wildcard over the others: a document's own address needs a line. */
function withDocs(rules: string, names: string[]): string {
  return [...names.map((name) => `/docs/${name} /docs/${name} 200`), rules].join('\n');
}

/** What the screen of a document loads besides the shell. */
function filesOf(bundle: Bundle, name: string): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const own = chunks.filter(({ moduleIds }) =>
    moduleIds.some((id) => id.endsWith('/features/docs/screen.tsx') || nameOfModule(id) === name),
  );
  const styles = own.flatMap(({ viteMetadata }) => Array.from(viteMetadata?.importedCss ?? []));
  const scripts = own.map(({ fileName }) => fileName).concat(own.flatMap(({ imports }) => imports));
  return [...new Set([...scripts, ...styles])];
}

function docHead(name: string, source: string, files: string[]): Head {
  return {
    ...headOf(name, source),
    tags: [
      ...shellHead.tags,
      `<link rel="canonical" href="${site.url}/docs/${name}" />`,
      ...files.map((file) =>
        file.endsWith('.css')
          ? `<link rel="stylesheet" crossorigin href="/${file}">`
          : `<link rel="modulepreload" crossorigin href="/${file}">`,
      ),
    ],
  };
}
