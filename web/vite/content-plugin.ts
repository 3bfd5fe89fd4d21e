import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPublications } from '#content/bibtex/read-publications';
import { firstVersion } from '#content/first-version';
import { site } from '#content/lab.site';
import { contentProblems } from '#content/publication-rules';
import type { Content } from '#contract/content';
import { publicContent, peopleAndTopicNames, type PublicContent } from '#contract/public-content';
import type { Publications } from '#contract/publications';
import type { Plugin } from 'vite';
import { buildPhotograph, type BuiltPhotograph, type PhotographUse } from './photographs.ts';

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PHOTOGRAPHS = fromHere('../../content/photographs/');
/** File name in the site's root. */
const BIBTEX_FILE = 'publications.bib';

/** The publications of a content. Bold names show members, so only names that visitors may see are bold. */
export const publicationsOf = (content: Content): Publications =>
  readPublications(content.publications, peopleAndTopicNames(content)).papers;

/** The content that the site is built with, as visitors see it. */
export const builtContent = (): PublicContent =>
  publicContent(firstVersion, publicationsOf(firstVersion), Date.now());

/**
 * Provides the checked content for the build, with its photographs converted. No file of the site contains
 * parts that the content lacks, or people whose names are not public.
 */
export function contentPlugin(content: Content = firstVersion): Plugin {
  let photographsBuilt: ReturnType<typeof buildPhotographs> | undefined;
  let papersRead: Publications | undefined;
  const papers = () => (papersRead ??= publicationsOf(content));
  const shown = () => publicContent(content, papers(), Date.now());
  const built = () => (photographsBuilt ??= buildPhotographs(shown()));
  const modules: Record<string, () => object | Promise<object>> = {
    'virtual:lab': () => ({ lab: shown().lab }),
    'virtual:privacy': () => ({ privacy: shown().privacy }),
    'virtual:lab-content': async () => ({
      // The privacy notice has its own page.
      content: { ...shown(), privacy: undefined },
      builtPhotographs: (await built()).known,
      hardwareDrawing: content.about.hardware && (await drawing(site.hardware)),
    }),
    'virtual:publications': () => ({ publications: papers().all }),
  };
  return {
    name: 'lab-content',
    async buildStart() {
      const files = await readdir(PHOTOGRAPHS).catch(() => []);
      const papers = readPublications(content.publications).problems;
      const problems = [...contentProblems(content, files), ...papers].map(({ path, message }) => {
        const [part, line] = path.split('.');
        const where = part === 'publications' ? `publications.ts:${line}` : `content.json: ${path}`;
        return `content/${where}: ${message}`;
      });
      if (problems.length > 0) this.error(problems.join('\n'));
    },
    resolveId: (id) => (id in modules ? `\0${id}` : undefined),
    async load(id) {
      const values = id.startsWith('\0') ? await modules[id.slice(1)]?.() : undefined;
      if (!values) return undefined;
      return Object.entries(values)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value) ?? 'undefined'};`)
        .join('\n');
    },
    async generateBundle() {
      if (this.environment.config.build.ssr) return;
      for (const [file, source] of (await built()).files)
        this.emitFile({ type: 'asset', fileName: `pictures/${file}`, source });
      this.emitFile({ type: 'asset', fileName: BIBTEX_FILE, source: papers().bibtex || '\n' });
    },
    configureServer(server) {
      server.middlewares.use('/pictures', (request, response, next) => {
        const answer = async () => {
          try {
            const file = (await built()).files.get(request.url?.slice(1) ?? '');
            if (file) response.end(file);
            else next();
          } catch (error) {
            next(error);
          }
        };
        void answer();
      });
      server.middlewares.use(`/${BIBTEX_FILE}`, (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(papers().bibtex);
      });
    },
  };
}

/** Converts only photographs that visitors are shown. */
async function buildPhotographs({ people, photographs, group, projects }: PublicContent) {
  const wide = [...photographs, ...group, ...projects.flatMap(({ photograph }) => photograph ?? [])];
  const uses = new Map<string, PhotographUse>(wide.map(({ file }) => [file, 'wide']));
  for (const { photograph } of Object.values(people).flat())
    if (photograph) uses.set(photograph.file, 'portrait');
  const known: Record<string, BuiltPhotograph> = {};
  const all = new Map<string, Buffer>();
  for (const [file, use] of uses) {
    const { built, files } = await buildPhotograph(join(PHOTOGRAPHS, file), use).catch((error: unknown) => {
      throw new Error(
        `content/photographs/${file}: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
    known[file] = built;
    for (const [name, content] of files) all.set(name, content);
  }
  return { known, files: all };
}

/** The SVG on one line, to be inlined into the page, where it uses the page's colours. */
async function drawing(file: string): Promise<string> {
  const svg = await readFile(join(fromHere('../../content/pictures/'), file), 'utf8');
  return svg
    .replace(/^<\?xml.*?\?>/, '')
    .replaceAll(/\s*\n\s*/g, '')
    .trim();
}
