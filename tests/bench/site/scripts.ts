import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { SiteServer } from './server.ts';

/** A script that the main page loads; `bytes` is its size as brotli 11, without headers. */
export type Script = { name: string; bytes: number; holds: string[] };

export type ScriptReport = {
  scripts: Script[];
  /** Kinds of content that were looked for and are in no script of the whole build, loaded or not. */
  unseen: string[];
};

/** What the main page must not carry, told by text that no minifier changes. */
const MARKERS: Record<string, RegExp> = {
  recharts: /recharts-(wrapper|surface|layer)/,
  zod: /invalid_type|ZodError/,
  'the markdown renderer': /attentionSequence|mdxJsxFlowElement/,
  'a management screen': managementTexts(),
};

/** @param urls addresses of the scripts that the page loaded */
export function inspectScripts(server: SiteServer, urls: string[]): ScriptReport {
  const paths = [...new Set(urls)].map((url) => new URL(url));
  const scripts = paths.map((url) => {
    const file = url.origin === server.origin ? server.fileAt(url.pathname) : undefined;
    if (!file) throw new Error(`a script from elsewhere: ${url.href}`);
    return { name: basename(url.pathname), bytes: file.body.length, holds: contentOf(file.raw.toString()) };
  });
  const whole = [...server.files].filter(([path]) => path.endsWith('.js'));
  const seen = new Set(whole.flatMap(([, file]) => contentOf(file.raw.toString())));
  return {
    scripts: scripts.sort((a, b) => b.bytes - a.bytes),
    unseen: Object.keys(MARKERS).filter((name) => !seen.has(name)),
  };
}

function contentOf(source: string): string[] {
  return Object.entries(MARKERS)
    .filter(([, marker]) => marker.test(source))
    .map(([name]) => name);
}

/** Korean words on the screens behind /manage_* that are in no other source of the site. */
function managementTexts(): RegExp {
  const read = (pattern: string) =>
    globSync(pattern).map((file) => [file, readFileSync(file, 'utf8')] as const);
  const screens = read('web/src/routes/_signed-in/manage_*.tsx').flatMap(([, route]) =>
    [...route.matchAll(/features\/([\w-]+)\//g)].map(([, name]) => `web/src/features/${name}/`),
  );
  const sources = read('web/src/{features,components,lib}/**/*.{ts,tsx}');
  const isScreen = (file: string) => screens.some((folder) => file.startsWith(folder));
  const elsewhere = [
    ...sources.filter(([file]) => !isScreen(file)),
    ...read('{web/messages,content}/*.{json,ts}'),
  ]
    .map(([, source]) => source)
    .join('\n');
  const texts = sources
    .filter(([file]) => isScreen(file))
    .flatMap(([, source]) => source.match(/[가-힣][가-힣 ]{3,}[가-힣]/g) ?? [])
    .filter((text) => !elsewhere.includes(text));
  if (texts.length === 0) throw new Error('no management screen has a text of its own');
  return new RegExp([...new Set(texts)].join('|'));
}
