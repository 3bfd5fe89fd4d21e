import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

const FILE = new URL('../budget.json', import.meta.url);
const MAIN_PAGES = new Set(['index.html', 'ko.html', 'en.html']);

/** Limits in bytes after brotli at quality 11, as in web/budget.json. */
type Budget = {
  /** The entry script and everything that it imports statically. */
  mainPageScript: number;
  /** Each prerendered main page, including its inlined styles. */
  mainPageHtml: number;
  /** Scripts that the main page loads when a static part changes, with their imports. */
  prerenderedParts: number;
  styles: number;
  aboutPicture: number;
  /** Limit of each file made from a photograph. */
  photograph: number;
  /** Scripts by chunk name. */
  chunks: Record<string, number>;
  /** Limit of every other script. */
  anyOtherChunk: number;
};

type Weight = { name: string; size: number; limit: number };

/** Fails the build if a part exceeds its limit in web/budget.json, and says by how much. */
export function budgetPlugin(): Plugin {
  return {
    name: 'budget',
    apply: (config, { command }) => command === 'build' && config.build?.ssr === undefined,
    writeBundle(_options, bundle) {
      const budget: Budget = JSON.parse(readFileSync(FILE, 'utf8'));
      const grown = budgetProblems(weigh(bundle, budget));
      if (grown.length > 0) this.error(`web/budget.json: ${grown.join('; ')}`);
    },
  };
}

function weigh(bundle: Rolldown.OutputBundle, budget: Budget): Weight[] {
  const files = Object.values(bundle);
  const chunks = files.filter((file) => file.type === 'chunk');
  const entry = chunks.find(({ isEntry }) => isEntry);
  const prerendered = chunks.find(({ name }) => name === 'prerendered-parts');
  if (!entry || !prerendered) throw new Error('the build lacks a script of the main page');
  const code = new Map(chunks.map(({ fileName, code }) => [fileName, code]));
  const first = chunkWithImports(chunks, entry.fileName);
  const later = [...chunkWithImports(chunks, prerendered.fileName)].filter((name) => !first.has(name));
  const sizeOf = (names: string[]) => sum(names.map((name) => compressed(code.get(name) ?? '')));
  const others = chunks.filter(({ fileName }) => !first.has(fileName));
  return [
    { name: 'mainPageScript', size: sizeOf([...first]), limit: budget.mainPageScript },
    { name: 'prerenderedParts', size: sizeOf(later), limit: budget.prerenderedParts },
    ...others.map(({ name, code }) => weight(name, code, budget.chunks[name] ?? budget.anyOtherChunk)),
    ...files.flatMap((file) => {
      if (file.type !== 'asset') return [];
      if (MAIN_PAGES.has(file.fileName)) return [weight(file.fileName, file.source, budget.mainPageHtml)];
      // The script of a web worker, which has a separate build.
      const script = /([^/]+)-[\w-]{8}\.js$/.exec(file.fileName)?.[1];
      if (script !== undefined)
        return [weight(script, file.source, budget.chunks[script] ?? budget.anyOtherChunk)];
      if (file.fileName.endsWith('.css')) return [weight(file.fileName, file.source, budget.styles)];
      if (file.fileName.startsWith('pictures/'))
        return [weight(file.fileName, file.source, budget.photograph)];
      const isAboutPicture = file.originalFileNames.some((path) => path.includes('content/pictures/'));
      return isAboutPicture ? [weight(file.fileName, file.source, budget.aboutPicture)] : [];
    }),
  ];
}

/** If the uncompressed size is within the limit, compressing is skipped. */
function weight(name: string, content: string | Uint8Array, limit: number): Weight {
  const raw = Buffer.byteLength(content);
  return { name, size: raw <= limit ? raw : compressed(content), limit };
}

function compressed(content: string | Uint8Array): number {
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
}

function sum(sizes: number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

/** One line for each part that exceeds its limit. */
export function budgetProblems(weights: Weight[]): string[] {
  return weights
    .filter(({ size, limit }) => size > limit)
    .map(({ name, size, limit }) => `${name} has grown ${size - limit} bytes beyond its ${limit} (${size})`);
}

type Chunk = { fileName: string; imports: string[] };

/** A chunk's file and everything it imports, directly or indirectly. */
export function chunkWithImports(chunks: Chunk[], fileName: string, seen = new Set<string>()): Set<string> {
  if (seen.has(fileName)) return seen;
  seen.add(fileName);
  const chunk = chunks.find((each) => each.fileName === fileName);
  for (const imported of chunk?.imports ?? []) chunkWithImports(chunks, imported, seen);
  return seen;
}
