/**
 * Runs all workers in one Miniflare; start.ts runs this file as a process. The workers are the site with its
 * functions, the API, the ingest worker and the local identity provider. Their data is in the data folder.
 */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import * as z from 'zod';
import { makeFolder } from '../firmware-bridge/src/files.ts';
import { buildChangedParts, FUNCTION_ROUTES, type WranglerFile } from '../scripts/build/build.ts';
import { workerOptions } from '../scripts/build/worker-options.ts';
import { migrateLocal } from '../scripts/database/migrate.ts';
import { saveDataVersion } from '../scripts/database/data-dir.ts';
import { WATCH_CRON } from '../worker/src/watch/rules.ts';
import { startCrons } from './cron.ts';
import { EXIT_CONFIG } from '../firmware-bridge/src/config.ts';
import { killGroupOnExit } from './local-process.ts';
import { withStepName, startFailure } from './start-failures.ts';
import { storeLocalBridgeKey, loadFirstData } from './fill-databases.ts';
import { readOrCreateIdentityKey, readOrCreateKey } from './stored-keys.ts';
import { readSettings } from './settings.ts';

const settings = readSettings(process.env);
/** In development, Vite listens on PORT and passes requests for /api and /dev/identity on to this port. */
const [portInDev] = process.argv.slice(2);
const isDev = portInDev !== undefined;
const sitePort = Number(portInDev ?? settings.PORT);

const CLIENT_ID = 'local-client';
const CLIENT_SECRET = 'local-client-secret';
const IDENTITY = `${settings.origin}/dev/identity`;

/**
 * Each run gives the workers random names: a request with the header `MF-Route-Override` could otherwise
 * choose a worker by name and bypass the host guard.
 */
const RUN = randomBytes(16).toString('hex');
const ofThisRun = (name: string) => `${name}-${RUN}`;

const routesSchema = z.object({ include: z.array(z.string()) });

/** Binds services by the names that the workers have in this run. */
const bound = (services: [binding: string, worker: string][]) =>
  Object.fromEntries(services.map(([binding, worker]) => [binding, ofThisRun(worker)]));

/** A worker's settings from wrangler.toml, without its source file: the build has bundled the worker. */
function configured(path: WranglerFile) {
  const { modulesRules: _rules, rootPath: _root, ...options } = workerOptions(path);
  const services = Object.entries(options.serviceBindings);
  const serviceBindings = bound(services.map(([binding, { name }]) => [binding, name]));
  return { ...options, modules: true, serviceBindings } as const;
}

/** The Durable Object of the ingest worker. Its key is fixed: under another name it would lose its data. */
const liveScreens = { className: 'Live', useSQLite: true, unsafeUniqueKey: 'cps-lab-live' };

/** A worker's rate limits, with the numbers that RATES changes. */
const rated = ({ ratelimits }: ReturnType<typeof configured>) =>
  Object.fromEntries(
    Object.entries(ratelimits).map(([name, { simple, ...rate }]) => [
      name,
      { ...rate, simple: { ...simple, limit: settings.RATES[name] ?? simple.limit } },
    ]),
  );

async function miniflareOptions() {
  const api = configured('wrangler.toml');
  const ingest = configured('ingest/wrangler.toml');
  const hostGuard = (name: string, services: Record<string, string>) =>
    ({
      name: ofThisRun(name),
      compatibilityDate: api.compatibilityDate,
      modules: true,
      scriptPath: 'dist/host-guard.js',
      bindings: { NAMES: settings.LOCAL_HOSTS },
      serviceBindings: bound(Object.entries(services)),
    }) as const;
  return convertV4MiniflareOptions({
    host: '127.0.0.1',
    port: sitePort,
    cf: false,
    log: new Log(LogLevel.WARN),
    resourcePersistencePath: join(settings.DATA_DIR, 'v3'),
    workers: [
      // The first worker in this list answers on the port.
      hostGuard('host-guard', { TARGET: 'cps-lab', IDENTITY: 'identity-provider' }),
      {
        ...hostGuard('ingest-host-guard', { TARGET: 'cps-lab-ingest' }),
        unsafeDirectSockets: [{ host: '127.0.0.1', port: settings.INGEST_PORT }],
      },
      {
        ...configured('web/wrangler.toml'),
        name: ofThisRun('cps-lab'),
        scriptPath: 'dist/functions/index.js',
        assets: {
          directory: 'web/dist',
          binding: 'ASSETS',
          // As on Pages: otherwise page loads below /api would get 404.html, and the main page a file.
          run_worker_first: routesSchema.parse(JSON.parse(readFileSync(FUNCTION_ROUTES, 'utf8'))).include,
          routerConfig: { has_user_worker: true },
          assetConfig: { html_handling: 'auto-trailing-slash', not_found_handling: '404-page' },
        },
      },
      {
        ...api,
        name: ofThisRun('cps-lab-api'),
        durableObjects: { LIVE: { ...liveScreens, scriptName: ofThisRun('cps-lab-ingest') } },
        scriptPath: 'dist/api/app.js',
        ratelimits: rated(api),
        bindings: {
          ...api.bindings,
          GOOGLE_CLIENT_ID: CLIENT_ID,
          GOOGLE_CLIENT_SECRET: CLIENT_SECRET,
          COOKIE_SECRETS: await readOrCreateKey(settings.DATA_DIR, 'cookie-secret'),
          IDENTITY_PROVIDER: IDENTITY,
          ...given({
            ADMIN_EMAILS: settings.ADMIN_EMAILS.join(','),
            UNIVERSITY_EMAIL_DOMAINS: settings.UNIVERSITY_EMAIL_DOMAINS.join(','),
            LOG_LEVEL: settings.LOG_LEVEL,
            ALERT_WEBHOOK_URL: settings.ALERT_WEBHOOK_URL,
            HEARTBEAT_URL: settings.HEARTBEAT_URL,
          }),
          SITE_URL: settings.origin,
          MAIL_FROM: 'portal@lab.test',
          RECEIVERS_ON_LOOPBACK: 'on',
          CLOUDFLARE_PLAN: 'none',
        },
        // Mail is stored in files, so no mail leaves the machine.
        email: { send_email: [{ name: 'EMAIL' }] },
      },
      {
        ...ingest,
        name: ofThisRun('cps-lab-ingest'),
        durableObjects: { LIVE: liveScreens },
        scriptPath: 'dist/ingest/app.js',
        ratelimits: rated(ingest),
        bindings: { ...ingest.bindings, LOG_LEVEL: settings.LOG_LEVEL },
      },
      {
        name: ofThisRun('identity-provider'),
        compatibilityDate: api.compatibilityDate,
        modules: true,
        scriptPath: 'dist/identity-provider/app.js',
        bindings: {
          KEY: await readOrCreateIdentityKey(settings.DATA_DIR),
          ISSUER: IDENTITY,
          CLIENT_ID,
          CLIENT_SECRET,
          CLIENT_SCRIPT: readFileSync('dist/identity-provider/client.js', 'utf8'),
        },
      },
    ],
  });
}

function given(variables: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).filter((entry): entry is [string, string] => (entry[1] ?? '') !== ''),
  );
}

async function fillDatabases(miniflare: Miniflare): Promise<void> {
  const db = await miniflare.getD1Database('DB', ofThisRun('cps-lab-api'));
  const plants = await miniflare.getD1Database('PLANTS_DB', ofThisRun('cps-lab-api'));
  await storeLocalBridgeKey(plants, await readOrCreateKey(settings.DATA_DIR, 'bridge-key'));
  await loadFirstData({ db, plants }, settings);
}

/** Runs the API worker's scheduled tasks as Cloudflare does. WATCH_SECONDS sets how often the watch runs. */
async function keepSchedule(miniflare: Miniflare): Promise<void> {
  const api = await miniflare.getWorker(ofThisRun('cps-lab-api'));
  const start = async (cron: string) => {
    await api.scheduled({ cron }).catch((error: unknown) => console.error(error));
  };
  const { cronTriggers: crons } = workerOptions('wrangler.toml');
  const { WATCH_SECONDS: seconds } = settings;
  startCrons(
    crons.filter((cron) => seconds === undefined || cron !== WATCH_CRON),
    (cron) => void start(cron),
  );
  if (seconds !== undefined) void repeat(() => start(WATCH_CRON), seconds * 1000);
}

/** Calls `run` again and again until the process ends, but never while another call still runs. */
async function repeat(run: () => Promise<void>, everyMs: number): Promise<void> {
  for (;;) {
    await Promise.all([run(), pause(everyMs)]);
  }
}

function withSubfolders(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return [
    folder,
    ...entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name)),
  ];
}

function rebuildOnChange(miniflare: Miniflare): void {
  let timer: NodeJS.Timeout | undefined;
  const rebuild = async () => {
    try {
      await buildChangedParts(['worker options', 'api worker', 'ingest worker', 'local identity provider']);
      await miniflare.setOptions(await miniflareOptions());
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
    }
  };
  // Each folder has its own watcher: Node's recursive watch loses files that an editor replaces.
  for (const folder of ['worker', 'ingest', 'local/identity-provider'].flatMap(withSubfolders)) {
    watch(folder, () => {
      clearTimeout(timer);
      timer = setTimeout(() => void rebuild(), 100);
    });
  }
}

async function run(): Promise<void> {
  makeFolder(settings.DATA_DIR, 0o700);
  saveDataVersion(settings.DATA_DIR);
  const letGo = killGroupOnExit();
  const migrated = await withStepName('migrating the databases', () => migrateLocal(settings.DATA_DIR));
  for (const name of migrated) console.log(`migrate ${name}`);
  const miniflare = new Miniflare(await miniflareOptions());
  let stopping: Promise<void> | undefined;
  const stop = () =>
    (stopping ??= miniflare
      .dispose()
      .then(letGo)
      .finally(() => process.exit(0)));
  process.on('disconnect', () => void stop());
  await withStepName('starting the workers', () => miniflare.ready);
  await fillDatabases(miniflare);
  if (isDev) rebuildOnChange(miniflare);
  await keepSchedule(miniflare);
  process.send?.('ready');
}

await run().catch((error: unknown) => {
  const { line, isPassing } = startFailure(error, settings.DATA_DIR);
  console.error(line);
  // After exit code 1 the parent starts this process again, which then does the steps that are missing.
  process.exit(isPassing ? 1 : EXIT_CONFIG);
});
