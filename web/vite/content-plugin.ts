import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { about as aboutEn } from '#content/about.en';
import { about as aboutKo } from '#content/about.ko';
import { joinUs } from '#content/join';
import { lab as labEn } from '#content/lab.en';
import { lab as labKo } from '#content/lab.ko';
import { site } from '#content/lab.site';
import { news } from '#content/news';
import { people as peopleEn } from '#content/people.en';
import { people as peopleKo } from '#content/people.ko';
import { photographs } from '#content/photographs';
import { projects } from '#content/projects';
import { visiblePeople } from '#contract/people';
import type { Plugin } from 'vite';
import { isOver } from '../src/features/landing/days.ts';
import { contentProblems, type Content } from './content-check.ts';
import { buildPhotograph, type BuiltPhotograph, type Use } from './photographs.ts';

const NAME = 'virtual:lab-content';
const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PHOTOGRAPHS = fromHere('../../content/photographs/');

/** What the files of content/ say. */
const ours: LabFiles = {
  labs: { ko: labKo, en: labEn },
  abouts: { ko: aboutKo, en: aboutEn },
  people: { ko: peopleKo, en: peopleEn },
  news,
  projects,
  joinUs,
  photographs,
};
type LabFiles = Omit<Content, 'files'>;

/**
 * Provides what only has to be read on the main page, checked, with its photographs converted: what is absent, and an
 * invitation whose last day has passed, is in no file of the site.
 */
export function contentPlugin(content: LabFiles = ours): Plugin {
  let photographsBuilt: ReturnType<typeof buildPhotographs> | undefined;
  const built = () => (photographsBuilt ??= buildPhotographs(content));
  return {
    name: 'lab-content',
    async buildStart() {
      const files = await readdir(PHOTOGRAPHS).catch(() => []);
      const problems = contentProblems({ ...content, files });
      if (problems.length > 0) this.error(problems.join('\n'));
    },
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    async load(id) {
      if (id !== `\0${NAME}`) return undefined;
      const { abouts, news, projects, joinUs, photographs } = content;
      const parts = {
        abouts,
        news: news.toSorted((a, b) => b.date.localeCompare(a.date)),
        projects,
        joinUs: joinUs?.until !== undefined && isOver(joinUs.until, Date.now()) ? undefined : joinUs,
        photographs,
        builtPhotographs: (await built()).known,
        hardwareDrawing: abouts.ko.hardware && (await drawing(site.hardware)),
      };
      return Object.entries(parts)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n');
    },
    async generateBundle() {
      if (this.environment.config.build.ssr) return;
      for (const [file, source] of (await built()).files)
        this.emitFile({ type: 'asset', fileName: `pictures/${file}`, source });
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
    },
  };
}

/** Only those that visitors are shown: of people whose names are not public there are none. */
async function buildPhotographs({ people, photographs }: LabFiles) {
  const uses = new Map<string, Use>(photographs.map(({ file }) => [file, 'wide']));
  for (const locale of ['ko', 'en'] as const) {
    const cards = Object.values(visiblePeople(people[locale], undefined)).flat();
    for (const { photograph } of cards) if (photograph) uses.set(photograph.file, 'portrait');
  }
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

/** The SVG on one line, to be written into the page, where it takes the page's colours. */
async function drawing(file: string): Promise<string> {
  const svg = await readFile(join(fromHere('../../content/pictures/'), file), 'utf8');
  return svg
    .replace(/^<\?xml.*?\?>/, '')
    .replaceAll(/\s*\n\s*/g, '')
    .trim();
}
