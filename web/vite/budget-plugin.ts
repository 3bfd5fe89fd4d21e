import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';
import { whatGrew, withImports, type Budget, type Weight } from './budget.ts';

const FILE = new URL('../budget.json', import.meta.url);
const MAIN_PAGES = new Set(['index.html', 'ko.html', 'en.html']);

/** Fails the build if something exceeds its limit in web/budget.json, and says by how much. */
export function budgetPlugin(): Plugin {
  return {
    name: 'budget',
    apply: (config, { command }) => command === 'build' && config.build?.ssr === undefined,
    writeBundle(_options, bundle) {
      const budget: Budget = JSON.parse(readFileSync(FILE, 'utf8'));
      const grown = whatGrew(weigh(bundle, budget));
      if (grown.length > 0) this.error(`web/budget.json: ${grown.join('; ')}`);
    },
  };
}

function weigh(bundle: Rolldown.OutputBundle, budget: Budget): Weight[] {
  const files = Object.values(bundle);
  const chunks = files.filter((file) => file.type === 'chunk');
  const entry = chunks.find(({ isEntry }) => isEntry);
  if (!entry) throw new Error('the build has no entry script');
  const code = new Map(chunks.map(({ fileName, code }) => [fileName, code]));
  const first = [...withImports(chunks, entry.fileName)];
  return [
    {
      name: 'mainPageScript',
      size: sum(first.map((name) => compressed(code.get(name) ?? ''))),
      limit: budget.mainPageScript,
    },
    ...chunks.map(({ name, code }) => weight(name, code, budget.chunks[name] ?? budget.anyOtherChunk)),
    ...files.flatMap((file) => {
      if (file.type !== 'asset') return [];
      if (MAIN_PAGES.has(file.fileName)) return [weight(file.fileName, file.source, budget.mainPageHtml)];
      // Of a web worker, which is built by itself.
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

/** If the uncompressed size is within the limit, compressing is unnecessary. */
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
