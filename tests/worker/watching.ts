import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach } from 'vitest';
import worker from '../../worker/src/app.ts';
import { migrateDatabase, prepare } from './support.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const WATCH = '*/5 * * * *';

/** A receiver of its own for each test, somewhere on the network. */
export let hook = '';
/** Who waits for the sign of life. */
export let outside = '';
export let receivers = 0;

/** The tests of the file begin with a receiver that takes what it is sent, and nothing to tell. */
export function freshWatch(): void {
  beforeEach(async () => {
    await migrateDatabase();
    hook = `https://hook.test/${++receivers}?token=the-hook-is-secret`;
    await answerWith(200);
    outside = `https://outside.test/${receivers}-the-id-is-secret`;
    await answerWith(200, outside);
  });
}

export async function answerWith(status: number, address = hook): Promise<void> {
  const body = JSON.stringify({ status, body: '' });
  await fetch(address, { method: 'POST', headers: { 'x-test-order': 'answer' }, body });
}

/** What the receiver was sent so far, taken or not. */
export async function sent(address = hook): Promise<string[]> {
  const answer = await fetch(address, { headers: { 'x-test-order': 'bodies' } });
  return await answer.json();
}

/** How often a sign of life was asked for. */
export async function signs(): Promise<number> {
  return await (await fetch(outside, { headers: { 'x-test-order': 'count' } })).json();
}

export const look = (variables: Partial<typeof env> = {}) =>
  worker.scheduled(createScheduledController({ cron: WATCH }), {
    ...env,
    ALERT_WEBHOOK_URL: hook,
    HEARTBEAT_URL: outside,
    ...variables,
  });

export const run = (sql: string, ...values: (string | number | null)[]) =>
  prepare(sql)
    .bind(...values)
    .run();

/** The board of the plant was last heard so long ago. */
export async function heard(plant: string, ago: number): Promise<void> {
  await run('INSERT OR IGNORE INTO plants (name) VALUES (?)', plant);
  await run(
    'UPDATE plant_states SET last_received_at = ? WHERE plant_id = (SELECT id FROM plants WHERE name = ?)',
    Date.now() - ago,
    plant,
  );
}

/** The bridge said so long ago that its oldest reading waits for so long. */
export async function beat(ago: number, waits: number | null): Promise<void> {
  await run(
    "INSERT OR IGNORE INTO bridge_keys (bridge_id, key, created_at) VALUES ('roof', hex(zeroblob(16)), 0)",
  );
  await run(
    `INSERT OR REPLACE INTO bridge_heartbeats (bridge_id, broker_connected, reported_at, valid_until,
       spool_depth, spool_oldest_at, spool_dead, signed_at, broker_heard_at, spool_known_at, spool_state)
     VALUES ('roof', 1, ?1, ?1 + 75000, ?2, ?3, 0, ?1, ?1, ?1, 'ok')`,
    Date.now() - ago,
    waits === null ? 0 : 4000,
    waits === null ? null : Date.now() - waits,
  );
}

/** Lets so much time pass for what has been well since the last look. */
export const wait = (ms: number) => run('UPDATE alerts SET well_since = well_since - ?', ms);

/** Lets the pause pass after which news that was not taken is tried again. */
export const retry = () => run('UPDATE outbox SET next_at = 0 WHERE next_at IS NOT NULL');

export const taskRun = () => env.DB.prepare("SELECT * FROM task_runs WHERE name = 'watch'").first();
