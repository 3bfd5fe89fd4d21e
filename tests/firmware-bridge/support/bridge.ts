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
  /** The log until now. */
  output: () => string;
  /** Stops the bridge as a signal does, and returns its exit code. */
  end: (signal?: 'SIGTERM' | 'SIGINT') => Promise<number | NodeJS.Signals>;
};
export type BridgeProcess = Omit<Bridge, 'end'> & Started;

export type DeadLetterRow = { topic: string; payload: Uint8Array; reason: string };

/** The environment of a bridge for this broker and ingest worker, with its spool in the folder. */
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
      // A kept-alive connection may be closed at this moment, so try twice.
      const ask = () => fetch(`${healthUrl}/health`);
      const response = await ask().catch(ask);
      return { status: response.status, ...reportSchema.parse(await response.json()) };
    },
  };
};

/** Changes settings that have no variable. */
export type Change = (config: Config) => Config;

/**
 * Runs the bridge in this process, which is faster than a new process; only a kill cannot be tested.
 * @param clock a clock that the test sets
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
 * Starts the deployed bridge in a process and waits until its health report answers.
 * @param options `behind`: a command and its arguments that start the bridge
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

/** Waits for a health report with this last error. Before and after, a failed heartbeat may be the last. */
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
