import { localeSchema, type Locale } from '#contract/locale';
import { existsSync, readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';
import { docFile, isDocName } from '../src/features/docs/doc-name.ts';
import { docModule, type DocTexts } from './docs-compile.ts';

export const LOCALES = [...localeSchema.values];

const LIST = 'virtual:docs';
const ONE = 'virtual:doc/';

/** Compiles the markdown files of a folder to modules; `virtual:docs` maps names to them. */
export function docModulesPlugin(folder: string): Plugin {
  return {
    name: 'docs',
    resolveId: (id) => (id === LIST || id.startsWith(ONE) ? `\0${id}` : undefined),
    async load(id) {
      if (id === `\0${LIST}`) return listModule(await docNames(folder));
      const name = docNameOfModule(id);
      if (name === undefined) return undefined;
      const texts = await docTexts(folder, name);
      for (const locale of localesOf(texts)) this.addWatchFile(join(folder, docFile(name, locale)));
      return await docModule(name, texts);
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
export function docNameOfModule(id: string): string | undefined {
  return id.startsWith(`\0${ONE}`) ? id.slice(ONE.length + 1) : undefined;
}

/** @throws Error for a file name that cannot be in an address, or an English text without a Korean text */
export async function docNames(folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md'));
  const names = files.filter((file) => !file.endsWith('.en.md')).map((file) => basename(file, '.md'));
  const known = new Set(names.flatMap((name) => [docFile(name, 'ko'), docFile(name, 'en')]));
  for (const file of files) if (!known.has(file)) throw new Error(`${file} has no Korean version beside it`);
  for (const name of names)
    if (!isDocName(name)) throw new Error(`${name}.md: a document's name consists of a-z, 0-9, _ and -`);
  return names.sort();
}

export async function docTexts(folder: string, name: string): Promise<DocTexts> {
  const read = (locale: Locale) => readFile(join(folder, docFile(name, locale)), 'utf8');
  const ko = await read('ko');
  return existsSync(join(folder, docFile(name, 'en'))) ? { ko, en: await read('en') } : { ko };
}

export function localesOf(texts: DocTexts): Locale[] {
  return LOCALES.filter((locale) => texts[locale] !== undefined);
}

function listModule(names: string[]): string {
  const entries = names.map((name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(ONE + name)})`);
  return `export const docs = { ${entries.join(', ')} };`;
}
