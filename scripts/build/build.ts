/**
 * `npm run build`: builds the parts whose sources have changed: the site, the workers, the local identity
 * provider and the bridge. If the arguments name parts, builds only these.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build as bundle } from 'esbuild';
import { firstVersion } from '#content/first-version';
import { exampleTextParts } from '#content/publication-rules';
import { printable } from '#contract/printable-text';
import { FIRMWARE_FILES } from '../../firmware-bridge/src/commands/board-files.ts';
import { UsageError } from '../../firmware-bridge/src/commands/command-line.ts';
import { digestOf, lockBuilds, runNodeScript, generateCode } from './build-tools.ts';
import { defineCommand, runAsProgram } from '../terminal.ts';

type Part = { name: string; sources: string[]; output: string; build: () => Promise<void> };

/** The bridge in one file. It needs Node and nothing else. */
export const BRIDGE_FILE = 'dist/bridge/bridge.mjs';

/** The list that wrangler makes of the paths that the site's functions answer. */
export const FUNCTION_ROUTES = 'dist/functions/_routes.json';

const HOST_GUARD_FILE = 'dist/host-guard.js';

export const WRANGLER_FILES = ['wrangler.toml', 'ingest/wrangler.toml', 'web/wrangler.toml'] as const;
export type WranglerFile = (typeof WRANGLER_FILES)[number];
/** The content of the wrangler.toml files, which the local run reads. */
export const WORKER_OPTIONS = 'dist/worker-options.json';

const everywhere = [
  'package-lock.json',
  'package.json',
  'tsconfig.base.json',
  'scripts/build/build.ts',
  'scripts/build/build-tools.ts',
];
const shared = ['contract', 'db', 'http'];

const parts: Part[] = [
  {
    name: 'site',
    sources: ['web', 'contract', 'content'],
    output: 'web/dist/index.html',
    build: async () => {
      await generated();
      await run('vite', ['build', '--config', 'web/vite.config.ts', '--logLevel', 'warn']);
      const left = exampleTextParts(firstVersion).join(', ');
      if (left !== '') console.log(`content/content.json still has examples: ${left} (docs/deploy.md)`);
    },
  },
  {
    name: 'site functions',
    sources: ['web', 'contract', 'content'],
    output: FUNCTION_ROUTES,
    build: buildFunctions,
  },
  {
    name: 'api worker',
    sources: ['worker', 'content', ...shared, 'wrangler.toml'],
    output: 'dist/api/app.js',
    build: () => run('wrangler', ['deploy', '--dry-run', '--outdir', 'dist/api']),
  },
  {
    name: 'ingest worker',
    sources: ['ingest', ...shared],
    output: 'dist/ingest/app.js',
    build: () =>
      run('wrangler', [
        'deploy',
        '--dry-run',
        '--config',
        'ingest/wrangler.toml',
        '--outdir',
        '../dist/ingest',
      ]),
  },
  {
    name: 'local identity provider',
    sources: ['local/identity-provider'],
    output: 'dist/identity-provider/app.js',
    build: buildIdentityProvider,
  },
  {
    name: 'local host guard',
    sources: ['local/host-guard.ts', 'contract/host-header.ts'],
    output: HOST_GUARD_FILE,
    build: buildDoor,
  },
  {
    name: 'worker options',
    sources: ['scripts/build/worker-options.ts', ...WRANGLER_FILES],
    output: WORKER_OPTIONS,
    build: () => runNodeScript('scripts/build/worker-options.ts', []),
  },
  {
    name: 'bridge',
    sources: ['firmware-bridge/src', 'contract', 'firmware'],
    output: BRIDGE_FILE,
    build: buildBridge,
  },
];

/**
 * Builds the parts whose sources have changed since their last build. In a clone only one process builds at a
 * time, and other processes wait.
 * @param only names of the parts to build if they have changed; if absent, all parts
 * @throws Error with the output of the program that has failed
 */
export async function buildChangedParts(only?: string[]): Promise<void> {
  const lock = await lockBuilds();
  try {
    await buildStale(only);
  } finally {
    lock.close();
  }
}

async function buildStale(only?: string[]): Promise<void> {
  const stale = parts
    .filter((part) => only === undefined || only.includes(part.name))
    .map((part) => ({ part, digest: digestOf([...everywhere, ...part.sources]) }))
    .filter(({ part, digest }) => !existsSync(part.output) || lastDigest(part) !== digest);
  await Promise.all(
    stale.map(async ({ part, digest }) => {
      const started = Date.now();
      rmSync(stampOf(part), { force: true });
      await part.build();
      mkdirSync(dirname(stampOf(part)), { recursive: true });
      writeFileSync(stampOf(part), digest);
      console.log(`build  ${part.name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
    }),
  );
}

const stampOf = (part: Part) => `dist/stamps/${part.name.replaceAll(' ', '-')}`;

function lastDigest(part: Part): string | undefined {
  return existsSync(stampOf(part)) ? readFileSync(stampOf(part), 'utf8') : undefined;
}

const run = (command: string, args: string[], cwd = '.') =>
  runNodeScript(join(process.cwd(), 'node_modules/.bin', command), args, cwd);

let generating: Promise<void> | undefined;

/** Generates code once for both parts of the site. Both parts wait for this code before they build. */
const generated = () => (generating ??= generateCode().finally(() => (generating = undefined)));

async function buildFunctions(): Promise<void> {
  await generated();
  await runNodeScript('web/vite/prerender.ts', []);
  mkdirSync(dirname(FUNCTION_ROUTES), { recursive: true });
  const outputs = ['--outdir', '../dist/functions', '--output-routes-path', `../${FUNCTION_ROUTES}`];
  await run('wrangler', ['pages', 'functions', 'build', ...outputs], 'web');
}

async function buildIdentityProvider(): Promise<void> {
  const options = { bundle: true, minify: false, write: false, format: 'esm', target: 'es2024' } as const;
  const script = await bundle({
    ...options,
    entryPoints: ['local/identity-provider/client.ts'],
    format: 'iife',
  });
  const app = await bundle({ ...options, entryPoints: ['local/identity-provider/app.ts'] });
  mkdirSync('dist/identity-provider', { recursive: true });
  writeFileSync('dist/identity-provider/client.js', script.outputFiles[0]?.text ?? '');
  writeFileSync('dist/identity-provider/app.js', app.outputFiles[0]?.text ?? '');
}

async function buildDoor(): Promise<void> {
  await bundle({
    entryPoints: ['local/host-guard.ts'],
    outfile: HOST_GUARD_FILE,
    bundle: true,
    format: 'esm',
    target: 'es2024',
  });
}

async function buildBridge(): Promise<void> {
  await bundle({
    entryPoints: ['firmware-bridge/src/main.ts'],
    outfile: BRIDGE_FILE,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    logLevel: 'error',
    legalComments: 'inline',
    alias: { debug: './scripts/build/no-debug.cjs' },
    define: {
      FIRMWARE: JSON.stringify(
        Object.fromEntries(FIRMWARE_FILES.map((path) => [path, readFileSync(`firmware/${path}`, 'utf8')])),
      ),
    },
    // MQTT.js is CommonJS and calls `require` for Node's built-in modules.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
}

const HELP = {
  command: 'npm run build --',
  does: 'builds the parts that have changed since the last build.',
  ways: [['[<part>]…', 'only these parts; without a name all parts']],
  options: {},
  notes: `parts: ${parts.map(({ name }) => `"${name}"`).join(', ')}`,
  example: 'npm run build -- bridge "ingest worker"',
  page: 'CONTRIBUTING.md#house-rules',
} as const;

export const buildCommand = defineCommand(HELP, async ({ words }) => {
  const unknown = words.find((word) => !parts.some(({ name }) => name === word));
  if (unknown !== undefined) throw new UsageError(`there is no part called ${printable(unknown)}`);
  await buildChangedParts(words.length > 0 ? words : undefined);
});

if (import.meta.main) await runAsProgram(buildCommand);
