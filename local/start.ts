/** `npm start` and `npm run dev`: the whole product on one machine; each part is a child process. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { healthSchema } from '#contract/health';
import { printable } from '#contract/printable-text';
import { BRIDGE_FILE, buildChangedParts } from '../scripts/build/build.ts';
import { explainError } from '../firmware-bridge/src/system-error.ts';
import { accounts, newcomer } from './identity-provider/accounts.ts';
import { lanBoardInstructions, lanBridgeSettings, parseLanArguments, prepareLanBoards } from './lan.ts';
import { LocalProcess } from './local-process.ts';
import { releaseDataDir } from '../scripts/database/data-dir.ts';
import { readOrCreateKey } from './stored-keys.ts';
import { preflight } from './preflight.ts';
import { recordStart, readSettings, type Settings } from './settings.ts';

const isDev = process.argv.includes('--dev');
const READY_POLL_MS = 100;
const STILL_WAITING_MS = 10_000;

const servers: LocalProcess[] = [];
const clients: LocalProcess[] = [];
let isUp = false;
let stopping: Promise<void> | undefined;

function stop(exitCode: number, dataDir: string): Promise<void> {
  stopping ??= (async () => {
    // Stops the servers last: the bridge needs the broker and the workers for its last heartbeat.
    await Promise.all(clients.map((part) => part.stop()));
    await Promise.all(servers.map((part) => part.stop()));
    releaseDataDir(dataDir);
    process.exit(exitCode);
  })();
  return stopping;
}

async function run(settings: Settings): Promise<void> {
  const lan = parseLanArguments(process.argv.slice(2), settings);
  await preflight(settings, undefined, lan?.port);
  recordStart(settings, lan !== undefined);
  const isForNew = lan !== undefined && prepareLanBoards(lan);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!stopping) console.log('stopping');
      void stop(0, settings.DATA_DIR);
    });
  }
  await buildChangedParts(
    isDev
      ? [
          'site functions',
          'worker options',
          'api worker',
          'ingest worker',
          'local identity provider',
          'local host guard',
        ]
      : undefined,
  );

  const part = (
    wave: LocalProcess[],
    name: string,
    script: string,
    { args = [], env = {} }: { args?: (string | number)[]; env?: Record<string, string> } = {},
  ) => {
    const started = new LocalProcess({
      name,
      script,
      args: args.map(String),
      env: { NO_COLOR: '1', CLOUDFLARE_CF_FETCH_ENABLED: 'false', ...env },
      // In the local run, BRIDGE_PORT is the name of the bridge's setting HEALTH_PORT.
      print: (line) => console.log(`[${name}] ${printable(line).replaceAll('HEALTH_PORT', 'BRIDGE_PORT')}`),
      // If all parts have run before, the failure will pass: for example, a port is not free again yet.
      isWorthAnotherTry: () => {
        if (!isUp) void stop(1, settings.DATA_DIR);
        return isUp;
      },
    });
    wave.push(started);
    return started.start();
  };

  console.log(settings.MQTT_URL === undefined ? 'start  workers and broker' : 'start  workers');
  if (settings.MQTT_URL === undefined)
    void part(servers, 'broker', 'local/broker.ts', {
      args: [settings.MQTT_PORT, ...(lan ? [lan.port, lan.folder] : [])],
    });
  // In development, Vite listens on PORT and the workers listen on a free port.
  const args = isDev ? [await freePort()] : [];
  if (isDev) void part(clients, 'site', 'local/dev-site.ts', { args });
  await part(servers, 'workers', 'local/workers.ts', { args });

  console.log('start  bridge and board');
  void part(clients, 'bridge', isDev ? 'firmware-bridge/src/main.ts' : BRIDGE_FILE, {
    env: {
      MQTT_URL: settings.brokerUrl,
      // Every broker supports MQTT 3.1.1, and the embedded broker supports no other version.
      MQTT_PROTOCOL_VERSION: '4',
      // The same limits as in bridge.service: with them, a burst needs less than 200 MB of memory.
      NODE_OPTIONS: '--max-semi-space-size=2 --max-old-space-size=96',
      BRIDGE_ID: 'local',
      BRIDGE_KEY: await readOrCreateKey(settings.DATA_DIR, 'bridge-key'),
      INGEST_URL: `http://127.0.0.1:${settings.INGEST_PORT}`,
      SPOOL_FILE: join(settings.DATA_DIR, 'spool.sqlite'),
      HEALTH_PORT: String(settings.BRIDGE_PORT),
      HEARTBEAT_SECONDS: '2',
      BOARD_QUOTA_READINGS: String(settings.BOARD_QUOTA_READINGS),
      DATA_DIR: settings.DATA_DIR,
      BACKUP_COMMAND: `"${process.execPath}" --disable-warning=ExperimentalWarning scripts/backup/backup.ts`,
      ...(lan && lanBridgeSettings(lan)),
    },
  });
  if (settings.SIMULATOR)
    void part(clients, 'board', 'local/boards/run.ts', { env: { MQTT_URL: settings.brokerUrl } });

  await untilEverythingAnswers(settings);
  isUp = true;
  announce(settings, lan ? lanBoardInstructions(lan) : []);
  if (isForNew) console.log('start  the broker has a new address, key or password: flash each board again');
}

async function untilEverythingAnswers(settings: Settings): Promise<void> {
  let sayAt = Date.now() + STILL_WAITING_MS;
  for (;;) {
    const silent = await whatIsSilent(settings.origin);
    if (silent.length === 0) return;
    if (Date.now() > sayAt) {
      console.log(`start  still waiting for: ${silent.join(', ')}`);
      sayAt = Date.now() + STILL_WAITING_MS;
    }
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
  }
}

/** Parts that have not answered yet. Only these are asked again, because requests slow down the start. */
const mute = new Map([
  // Does not ask for the main page: the cache would store that page with the lists of this moment.
  ['site', '/login'],
  ['identity provider', '/dev/identity/jwks'],
]);

async function whatIsSilent(origin: string): Promise<string[]> {
  for (const [name, path] of mute) {
    const stands = await answer(origin + path, async (response) => {
      await response.text();
      return response.ok;
    });
    if (stands) mute.delete(name);
  }
  const health = await answer(`${origin}/api/health`, (response) => response.json());
  const { data } = healthSchema.safeParse(health);
  if (!data) return [...mute.keys(), 'api'];
  return [...mute.keys(), ...Object.entries(data.parts).flatMap(([name, stands]) => (stands ? [] : [name]))];
}

/** Reads the answer at a URL; undefined if there is none, or only a part of one. */
async function answer<Read>(
  url: string,
  read: (response: Response) => Promise<Read>,
): Promise<Read | undefined> {
  try {
    return await read(await fetch(url, { signal: AbortSignal.timeout(2000) }));
  } catch {
    return undefined;
  }
}

function announce(settings: Settings, boards: string[]): void {
  const { origin, brokerUrl } = settings;
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')));
  const people = accounts.map(({ email, secureLevel }) => `         ${email} (level ${secureLevel})`);
  console.log(
    [
      '',
      `  lab portal ${version}`,
      `  site   ${origin}`,
      `  broker ${brokerUrl} (topic lab/plants/{plant}/soil_moisture)`,
      ...boards,
      `  sign in with one of`,
      ...people,
      `         ${newcomer.email} (a newcomer)`,
      '',
    ].join('\n'),
  );
  console.log(`ready ${origin}`);
}

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  return await new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

try {
  const settings = readSettings(process.env);
  await run(settings).catch(async (error: unknown) => {
    sayWhy(error);
    await stop(1, settings.DATA_DIR);
  });
} catch (error) {
  sayWhy(error);
  process.exitCode = 1;
}

function sayWhy(error: unknown): void {
  console.error(explainError(error));
}
