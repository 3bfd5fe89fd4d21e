import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { z } from 'zod';
import { FIRMWARE_REPEATS } from '../../../local/boards/publisher.ts';
import { boardCommand } from '../../../firmware-bridge/src/commands/board-command.ts';
import { MOSQUITTO, passwordIn, placeMosquitto } from '../../firmware-bridge/support/shipped-mosquitto.ts';
import { BRIDGE } from '../../support/ingest-worker.ts';
import { shippedBridge } from '../../support/shipped-bridge.ts';
import { freePorts } from '../../support/ports.ts';
import { killTree } from '../../support/process-tree.ts';

export type Part = {
  child: ChildProcess;
  output: () => string;
  end: (signal?: NodeJS.Signals) => Promise<void>;
};

const parts = new Set<ChildProcess>();
const folders: string[] = [];

/** A folder of its own for a figure. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'bench-ingest-'));
  folders.push(path);
  return path;
}

export function launch(command: string, args: string[], env: Record<string, string> = {}): Part {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  parts.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'exit').then(() => void parts.delete(child));
  return {
    child,
    output: () => output,
    end: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Ends what is left of the parts and removes what they wrote. */
export function clearAway(): void {
  for (const { pid } of parts) if (pid !== undefined) killTree(pid);
  for (const path of folders) rmSync(path, { recursive: true, force: true });
}

export async function until<T>(
  what: string,
  check: () => T | undefined | Promise<T | undefined>,
  withinMs = 120_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const value = await check();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new Error(`did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A running broker, and the variables with which each side reaches it. */
export type BenchBroker = {
  part: Part;
  /** Starts it again after it was ended. */
  restart: () => Promise<Part>;
  forBridge: Record<string, string>;
  forBoard: Record<string, string>;
};

async function runMosquitto(configuration: string): Promise<Part> {
  const part = launch(MOSQUITTO, ['-c', configuration]);
  await until('Mosquitto runs', () => (part.output().includes('running') ? true : undefined));
  return part;
}

/**
 * Mosquitto as it is shipped, in the folder: every change on disk, TLS, passwords and rights. `as` gives a user its password by
 * a line of the board command, and tells how that user reaches the broker.
 */
export async function placeShipped(disk: string) {
  const [plain = 0, tlsPort = 0] = await freePorts(2);
  const { tls, configuration, passwordFile, aclFile, dataFile } = placeMosquitto(disk, plain, tlsPort, {
    open: false,
  });
  if (tls === undefined) throw new Error('no TLS without openssl');
  const env = {
    MOSQUITTO_PASSWORD_FILE: passwordFile,
    MOSQUITTO_ACL_FILE: aclFile,
    MOSQUITTO_PID_FILE: '/nowhere',
  };
  const as = (user: string, ...line: string[]) => ({
    MQTT_URL: tls.url,
    MQTT_CA_FILE: tls.caFile,
    MQTT_USERNAME: user,
    MQTT_PASSWORD: passwordIn(boardCommand(line, env).text),
  });
  return { as, aclFile, dataFile, restart: () => runMosquitto(configuration) };
}

/** The same with rights for one bridge and for the board `bench` alone. */
export async function launchMosquitto(): Promise<BenchBroker> {
  const { as, restart } = await placeShipped(folder());
  const forBridge = as(`cps-bridge-${BRIDGE.id}`, 'bridge', BRIDGE.id);
  const forBoard = as('bench', 'add', 'bench');
  return { part: await restart(), restart, forBridge, forBoard };
}

/** Mosquitto for the plain program: no TLS, no passwords, and its file saved once a second. */
export async function launchCarelessMosquitto(): Promise<BenchBroker> {
  const [plain = 0, tlsPort = 0] = await freePorts(2);
  const { url, configuration } = placeMosquitto(folder(), plain, tlsPort, { open: true });
  const text = readFileSync(configuration, 'utf8');
  writeFileSync(
    configuration,
    text.replace('autosave_on_changes true', 'autosave_on_changes false').replace(/^max_inflight.*$/m, ''),
  );
  const restart = () => runMosquitto(configuration);
  return { part: await restart(), restart, forBridge: { MQTT_URL: url }, forBoard: { MQTT_URL: url } };
}

/** The bridge as it is deployed; `env` says what is different from BRIDGE. */
export async function launchBridge(
  { forBridge }: Pick<BenchBroker, 'forBridge'>,
  ingestUrl: string,
  spool: string,
  env: Record<string, string> = {},
): Promise<Part> {
  const [command, ...args] = shippedBridge();
  const part = launch(command, args, {
    ...forBridge,
    BRIDGE_ID: BRIDGE.id,
    BRIDGE_KEY: BRIDGE.key,
    INGEST_URL: ingestUrl,
    SPOOL_FILE: join(spool, 'spool.sqlite'),
    HEALTH_PORT: '0',
    // One board sends all rounds.
    BOARD_QUOTA_READINGS: '10000000',
    ...env,
  });
  await until('the bridge hears the broker', () =>
    part.output().includes('broker_connected') ? true : undefined,
  );
  return part;
}

/** Milliseconds since 1970, finely. */
export const clock = () => performance.timeOrigin + performance.now();

const publishedSchema = z.object({ began: z.number(), acknowledged: z.number() });

type Publishing = {
  /** 0: as fast as it goes. */
  aSecond?: number;
  /** What is measured now, or was months ago. */
  when?: 'now' | 'late';
  /** How many readings it says once more after a reconnect: as many as the programs of firmware/, if not told. */
  repeats?: number;
};

/** Publishes in a process of its own; resolves when the last is acknowledged. */
export async function publish(
  { forBoard }: BenchBroker,
  count: number,
  inFlight: number,
  { aSecond = 0, when = 'now', repeats = FIRMWARE_REPEATS }: Publishing = {},
) {
  const args = ['tests/bench/ingest/publisher.ts', 'bench', count, inFlight, aSecond, when, repeats].map(
    String,
  );
  const publisher = launch(process.execPath, args, forBoard);
  await until('published', () => (publisher.child.exitCode === null ? undefined : true), 300_000);
  return publishedSchema.parse(JSON.parse(publisher.output()));
}

export const counting = (db: DatabaseSync) => db.prepare('SELECT count(*) AS n FROM plant_readings');
export const counted = (statement: StatementSync) => Number(statement.get()?.['n']);
