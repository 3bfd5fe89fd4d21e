import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Clock } from '../../../firmware-bridge/src/clock.ts';
import { readConfig, type Config } from '../../../firmware-bridge/src/config.ts';
import { runBridge } from '../../../firmware-bridge/src/run-bridge.ts';
import { shippedBridge } from '../../support/shipped-bridge.ts';
import type { Broker } from './brokers.ts';
import { BRIDGE } from './ingest.ts';
import { listenToLog } from './own-log.ts';
import { loggedPort, start, until, type Started } from './processes.ts';

const reportSchema = z.object({
  ok: z.boolean(),
  version: z.string(),
  broker_connected: z.boolean(),
  spool_writable: z.boolean(),
  ingest_reachable: z.boolean(),
  failures: z.array(z.string()),
  spool_depth: z.int().nullable(),
  oldest_age_ms: z.number().nullable(),
  waiting_for_quota: z.int().nullable(),
  over_quota: z.array(z.object({ plant: z.string(), waiting: z.int(), refused: z.int() })).nullable(),
  dead_letters: z.int().nullable(),
  dead_letter_readings: z.int().nullable(),
  boards_reconnecting: z.array(z.string()),
  last_stored_at: z.string().nullable(),
  last_error: z.object({ at: z.string(), event: z.string(), reason: z.string() }).nullable(),
});
export type Report = z.infer<typeof reportSchema>;

export type Bridge = {
  healthUrl: string;
  health: () => Promise<Report & { status: number }>;
  /** What it has logged so far. */
  output: () => string;
  /** Stops it as a signal does, and returns its exit code. */
  end: (signal?: 'SIGTERM' | 'SIGINT') => Promise<number | NodeJS.Signals>;
};
export type BridgeProcess = Omit<Bridge, 'end'> & Started;

export type DeadLetterRow = { topic: string; payload: Uint8Array; reason: string };

/** Environment of a bridge between the broker and the ingest worker, its spool in the folder. */
export function bridgeEnv(
  broker: Pick<Broker, 'bridgeEnv' | 'version'>,
  ingestUrl: string,
  folder: string,
): Record<string, string> {
  return {
    ...broker.bridgeEnv,
    MQTT_PROTOCOL_VERSION: String(broker.version),
    BRIDGE_ID: BRIDGE.id,
    BRIDGE_KEY: BRIDGE.key,
    INGEST_URL: ingestUrl,
    SPOOL_FILE: join(folder, 'spool.sqlite'),
    HEALTH_PORT: '0',
    HEARTBEAT_SECONDS: '1',
  };
}

const healthAt = (port: number): Pick<Bridge, 'healthUrl' | 'health'> => {
  const healthUrl = `http://127.0.0.1:${port}`;
  return {
    healthUrl,
    health: async () => {
      // A kept connection may end just as it is used again.
      const ask = () => fetch(`${healthUrl}/health`);
      const response = await ask().catch(ask);
      return { status: response.status, ...reportSchema.parse(await response.json()) };
    },
  };
};

/** Changes what no variable sets. */
export type Change = (config: Config) => Config;

/**
 * Runs the bridge inside this process: it costs no start, and whatever does not ask for a kill is the same.
 * @param clock its own, where a test sets it
 */
export async function startBridge(
  env: Record<string, string>,
  { change = (config) => config, clock }: { change?: Change | undefined; clock?: Clock | undefined } = {},
): Promise<Bridge> {
  const config = readConfig(env);
  if ('problems' in config) throw new Error(config.problems.join('\n'));
  const logged = listenToLog();
  const { healthPort, stop } = await runBridge(change(config), clock);
  const end = async (signal = 'SIGTERM') => {
    await stop(signal);
    logged.end();
    return 0;
  };
  onTestFinished(async () => void (await end()));
  return { ...healthAt(healthPort), output: logged.text, end };
}

/**
 * Starts the bridge as it is deployed and waits until its health answers.
 * @param options `behind`: a command and its arguments that start the bridge as theirs
 */
export async function startBridgeProcess(
  env: Record<string, string>,
  { behind = [], ...options }: { ipc?: boolean; behind?: string[] } = {},
): Promise<BridgeProcess> {
  const [command = '', ...args] = [...behind, ...shippedBridge()];
  const started = start(command, args, env, options);
  return { ...started, ...healthAt(await loggedPort(started, 'health_port')) };
}

export async function untilConnected(bridge: Pick<Bridge, 'health'>): Promise<void> {
  await until('bridge connected', async () => (await bridge.health()).broker_connected);
}

/** The report whose last error is the one named: a heartbeat may fail before it, and again after it. */
export function untilError(
  bridge: Pick<Bridge, 'health'>,
  event: string,
): Promise<Report & { status: number }> {
  return until(`last error ${event}`, async () => {
    const report = await bridge.health();
    return report.last_error?.event === event && report;
  });
}

const deadLetterSchema = z.object({
  topic: z.string(),
  payload: z.instanceof(Uint8Array),
  reason: z.string(),
});

/** The dead letters in a spool file, oldest first. */
export function deadLettersIn(file: string): DeadLetterRow[] {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    return db
      .prepare('SELECT topic, payload, reason FROM dead_letters ORDER BY id')
      .all()
      .map((row) => deadLetterSchema.parse(row));
  } finally {
    db.close();
  }
}
