import { firstVersion } from '#content/first-version';
import type { Content } from '#contract/content';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createElement, type ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { contentPlugin } from '../../web/vite/content-plugin.ts';

const { about, people } = firstVersion;
const nothing: Content = {
  ...firstVersion,
  about: { ...about, result: null, hardware: null },
  people: { ...people, professors: [], graduate_alumnis: [] },
  news: [],
  projects: [],
  join: null,
  photographs: [],
  group: [],
  ways: [],
  lists: [],
  publications: '',
};

/** The parts of the page that only have to be read, built for Node with a lab's content. */
async function buildParts(content: Parameters<typeof contentPlugin>[0], outDir: string) {
  await build({
    configFile: false,
    root: 'web',
    logLevel: 'silent',
    plugins: [contentPlugin(content)],
    build: {
      ssr: 'src/features/landing/components/prerendered-parts.tsx',
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  return join(outDir, 'prerendered-parts.js');
}

test('PUB-21 PUB-25 what is absent draws nothing, and what is wrong stops the build with its file', async () => {
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
    for (const name of ['Highlights', 'HardwareDrawing', 'OpenPositionsLink', 'JoinUs', 'Directions'])
      expect([name, drawn(name)]).toEqual([name, '']);
    const drawnAbout = drawn('About');
    expect(drawnAbout).toContain(about.topics[0]?.name.ko);
    expect(drawnAbout).not.toMatch(/\/pictures\/|<h5|<time/);
    const news = [{ date: '2026-02-30', text: { ko: '소식', en: 'News' }, link: '' }];
    const wrong = { ...nothing, news, publications: '@article{a, title={A}, year={2024}}' };
    await expect(buildParts(wrong, outDir)).rejects.toThrow(
      /content\/content\.json: news\.0\.date: [^]*content\/publications\.ts:1: a: /,
    );
  } finally {
    await rm(outDir, { recursive: true });
  }
});
