import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { transformSync } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import SlowestFirst from './tests/support/slowest-first.ts';
import { identityWorker } from './tests/support/identity-worker.ts';
import { contentPlugin } from './web/vite/content-plugin.ts';

const isFull = process.env.FULL === '1';
/** Which share of a long list an everyday run tries: always the same, so that what fails was changed. SHARE=1, 2, … are others. */
const share = Number(process.env.SHARE ?? 0);
/** What the workers say while they are tested; tests of the log ask for more. */
const LOG_LEVEL = 'error';
const MIGRATIONS = await readD1Migrations('migrations');
const PLANTS_MIGRATIONS = await readD1Migrations('migrations/plants');
const SHARED = {
  // Only what hangs takes so long.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  // A busy machine takes its time: the standard is a second.
  expect: { poll: { timeout: 30_000 } },
  // A last net where nobody can simply run it again: the closing line names what needed it.
  retry: process.env.CI ? 1 : 0,
  isolate: false, // What one file has loaded the next one need not load again.
};
/** The plugin drops the source map of a module that Vitest has cached on disk: stacks would name wrong lines. */
const STACKS = { fsModuleCache: false };
if (!existsSync('dist/ingest/app.js')) throw new Error('nothing is built yet: npm run build');
const identity = await identityWorker();
const ingestWorker = {
  name: 'cps-lab-ingest',
  modules: true,
  script: readFileSync('dist/ingest/app.js', 'utf8'),
  compatibilityDate: '2026-10-23',
  d1Databases: { PLANTS_DB: '00000000-0000-0000-0000-000000000001' },
  durableObjects: { LIVE: { className: 'Live', useSQLite: true } },
  ratelimits: {
    READINGS_RATE: { namespace_id: '1002', simple: { limit: 6000, period: 60 as const } },
    STRANGERS_RATE: { namespace_id: '1004', simple: { limit: 60, period: 60 as const } },
  },
};
const networkWorker = {
  name: 'network',
  modules: true,
  script: transformSync(readFileSync('tests/support/network-worker.ts', 'utf8'), { loader: 'ts' }).code,
  compatibilityDate: '2026-10-23',
  serviceBindings: { IDENTITY: identity.worker.name },
};

/** Projects `worker` and `ingest` run inside workerd, on databases that each file brings up by the real migrations. */
export default defineConfig({
  test: {
    // Beside node_modules, whose size is watched; other packages have another cache.
    fsModuleCachePath: `.cache/vitest/${createHash('sha256').update(readFileSync('package-lock.json')).digest('hex').slice(0, 8)}`,
    reporters: ['default', './tests/support/times.ts', './tests/support/closing-line.ts'],
    sequence: { sequencer: SlowestFirst },
    provide: { isFull, share },
    // A test that failed at a click leaves the wait for that click's request: its second try may still pass.
    onUnhandledError: ({ message }) => !/^page\.waitFor|while waiting for event/.test(message ?? ''),
    // Tests of the whole system wait part of their time: two files more than there are processors fill them.
    maxWorkers: availableParallelism() + 2,
    projects: [
      {
        plugins: [contentPlugin()],
        test: {
          name: 'unit',
          include: ['tests/{contract,web,house,deploy}/**/*.test.ts'],
          ...SHARED,
        },
      },
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              // Bound to no part of the product: a test replays the migrations in it.
              d1Databases: { ELSEWHERE: 'elsewhere' },
              // With the provider's own key a test can sign what the provider never would.
              bindings: {
                MIGRATIONS,
                PLANTS_MIGRATIONS,
                IDENTITY_KEY: identity.worker.bindings.KEY,
                LOG_LEVEL,
                ...identity.variables,
              },
              outboundService: networkWorker.name,
              workers: [identity.worker, ingestWorker, networkWorker],
            },
          }),
        ],
        // A runtime for each file would take half of the time: `migrateDatabase` empties it.
        test: {
          name: 'worker',
          include: ['tests/worker/**/*.test.ts'],
          ...STACKS,
          ...SHARED,
        },
      },
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './ingest/wrangler.toml' },
            miniflare: {
              bindings: { MIGRATIONS: PLANTS_MIGRATIONS, LOG_LEVEL },
              ratelimits: {
                LOW_RATE: { namespace_id: '1', simple: { limit: 3, period: 60 } },
                // Here every request comes from one address. Tests of the rate itself are given another one.
                STRANGERS_RATE: { namespace_id: '1004', simple: { limit: 1_000_000, period: 60 } },
              },
            },
          }),
        ],
        test: {
          name: 'ingest',
          include: ['tests/ingest/**/*.test.ts'],
          ...STACKS,
          ...SHARED,
        },
      },
      {
        test: {
          name: 'bridge',
          include: ['tests/{firmware,firmware-bridge}/**/*.test.ts'],
          globalSetup: 'tests/firmware-bridge/support/build.ts',
          setupFiles: 'tests/firmware-bridge/support/each-file.ts',
          ...SHARED,
          ...(isFull && { testTimeout: 600_000 }),
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['tests/{local,e2e}/**/*.test.ts'],
          setupFiles: 'tests/support/each-product-file.ts',
          ...SHARED,
        },
      },
    ],
  },
});
