import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Plugin } from 'vite';
import { publicNames } from '../people-plugin.ts';
import type { Publications } from '#contract/publications';
import { readPublications } from '#content/bibtex/read-publications';

const ALL = 'virtual:publications';
const SELECTED = 'virtual:selected-publications';
/** In the site's root. */
const BIBTEX_FILE = 'publications.bib';

const ROOT = new URL('../../../', import.meta.url).pathname;

/**
 * The publications of a BibTeX file, for the build; none if there is no such file. It sets apart only whom a visitor sees
 * under People: a name in bold says that somebody is a member.
 */
export function publicationsIn(file: string): Publications {
  if (!existsSync(file)) return { all: [], selected: [], bibtex: '' };
  return readPublications(readFileSync(file, 'utf8'), relative(ROOT, file), publicNames);
}

/** Provides the lab's publications, those for the main page with the number of all, and a file of plain BibTeX. */
export function publicationsPlugin(file: string): Plugin {
  const modules: Partial<Record<string, (publications: Publications) => string>> = {
    [ALL]: ({ all }) => `export const publications = ${JSON.stringify(all)};`,
    [SELECTED]: ({ all, selected }) =>
      `export const selectedPublications = ${JSON.stringify(selected, withoutAbstract)};
       export const publicationCount = ${all.length};`,
  };
  return {
    name: 'publications',
    resolveId: (id) => (id in modules ? `\0${id}` : undefined),
    load(id) {
      const write = id.startsWith('\0') ? modules[id.slice(1)] : undefined;
      if (!write) return undefined;
      this.addWatchFile(file);
      return write(publicationsIn(file));
    },
    generateBundle() {
      const { all, bibtex } = publicationsIn(file);
      if (this.environment.config.build.ssr || all.length === 0) return;
      this.emitFile({ type: 'asset', fileName: BIBTEX_FILE, source: bibtex });
    },
    configureServer(server) {
      server.middlewares.use(`/${BIBTEX_FILE}`, (_request, response) => {
        const { all, bibtex } = publicationsIn(file);
        response
          .writeHead(all.length > 0 ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8' })
          .end(bibtex);
      });
    },
  };
}

const withoutAbstract = (name: string, value: unknown) => (name === 'abstract' ? undefined : value);
