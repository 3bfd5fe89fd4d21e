import { about as aboutEn } from '#content/about.en';
import { about as aboutKo } from '#content/about.ko';
import { lab as labEn } from '#content/lab.en';
import { lab as labKo } from '#content/lab.ko';
import { people as peopleEn } from '#content/people.en';
import { people as peopleKo } from '#content/people.ko';
import type { LabPeople } from '#contract/people';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createElement, type ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { build, type Plugin } from 'vite';
import { expect, test } from 'vitest';
import { contentPlugin } from '../../web/vite/content-plugin.ts';
import { publicationsPlugin } from '../../web/vite/publications/plugin.ts';

const { result: _resultKo, hardware: _hardwareKo, ...plainKo } = aboutKo;
const { result: _resultEn, hardware: _hardwareEn, ...plainEn } = aboutEn;
const nobody = (people: LabPeople): LabPeople => ({ ...people, professors: [], graduate_alumnis: [] });
const nothing = {
  labs: { ko: labKo, en: labEn },
  abouts: { ko: plainKo, en: plainEn },
  people: { ko: nobody(peopleKo), en: nobody(peopleEn) },
  news: [],
  projects: [],
  joinUs: undefined,
  photographs: [],
};
const noPeople: Plugin = {
  name: 'no-people',
  resolveId: (id) => (id === 'virtual:public-people' ? `\0${id}` : undefined),
  load: (id) =>
    id === '\0virtual:public-people' ? 'export const publicPeople = { ko: {}, en: {} };' : undefined,
};

/** The parts of the page that only have to be read, built for Node with a lab's content. */
async function buildParts(content: Parameters<typeof contentPlugin>[0], outDir: string) {
  await build({
    configFile: false,
    root: 'web',
    logLevel: 'silent',
    plugins: [contentPlugin(content), noPeople, publicationsPlugin('content/no.bib')],
    build: {
      ssr: 'src/features/landing/components/drawn-parts.tsx',
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  return join(outDir, 'drawn-parts.js');
}

test('PUB-21 what is absent draws nothing, and what is wrong stops the build with its file', async () => {
  await mkdir('.cache', { recursive: true });
  const outDir = await mkdtemp(join(process.cwd(), '.cache/parts-'));
  try {
    const parts: Record<string, ComponentType<object>> = await import(
      pathToFileURL(await buildParts(nothing, outDir)).href
    );
    const drawn = (name: string) => {
      const part = parts[name];
      if (!part) throw new Error(`no part ${name}`);
      return renderToStaticMarkup(createElement(part));
    };
    for (const name of ['Glance', 'Hardware', 'JoinMark', 'JoinUs'])
      expect([name, drawn(name)]).toEqual([name, '']);
    const about = drawn('About');
    expect(about).toContain(aboutKo.topics[0]?.name);
    expect(about).not.toMatch(/\/pictures\/|<h5|<time/);
    const wrong = { ...nothing, news: [{ date: '2026-02-30', text: { ko: '소식', en: 'News' } }] };
    await expect(buildParts(wrong, outDir)).rejects.toThrow(
      'content/news.ts: 2026-02-30 소식: "2026-02-30" is no day',
    );
  } finally {
    await rm(outDir, { recursive: true });
  }
});
