import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { VERSION } from '#contract/release';
import type { HealthDetails } from '#contract/health';
import { SPOOL_FAILURES } from '#contract/readings';
import { asAdmin, call } from './client.ts';
import { storedWatch } from './route-fixtures.ts';
import { holderOf, migrateDatabase, standingBridge } from './support.ts';

beforeAll(async () => {
  await migrateDatabase();
  await standingBridge();
});
asAdmin();

const details = async (): Promise<HealthDetails> => await (await call('/health/details')).json();

test('OPS-4 a new system is told as such: one bridge, no backup, no run of a task', async () => {
  expect(await details()).toEqual({
    at: expect.any(String),
    version: VERSION,
    parts: { api: true, plants: true, ingest: true, broker: true, bridge: true },
    bridges: [
      {
        bridge: 'bridge',
        alive: true,
        reported_at: expect.any(String),
        version: null,
        broker_connected: true,
        spool: null,
        certificate_until: null,
        disk_free: null,
        boards_passed_over: null,
        over_quota: null,
      },
    ],
    plants: [],
    storage: { database: expect.any(Number), plants: expect.any(Number), files: 0, files_count: 0 },
    usage: { plan: 'free', full_in_days: null, plants_full_in_days: null, rows_today: 0, rows_end_at: null },
    backup: { last: null, before: null, failed_at: null, alert_days: 7, drill: null },
    tasks: [],
    alerts: [],
    webhook: false,
    heartbeat: false,
  });
});

test('OPS-4 tells parts, spools, last readings, sizes, the last backup, tasks and alerts', async () => {
  await storedWatch();
  await env.DB.prepare('INSERT INTO backups (at, ok) VALUES (5, 0)').run();
  await env.DB.prepare(
    `INSERT INTO alerts (key, kind, name, since, well_since, over_at, told_at)
     VALUES ('board:over', 'board', 'over', 0, 1, 2, NULL)`,
  ).run();
  const found = await details();
  const start = '1970-01-01T00:00:00.000Z';
  expect(found.parts).toMatchObject({ bridge: true, broker: true });
  expect(found.bridges?.filter(({ bridge }) => bridge === 'roof')).toEqual([
    {
      bridge: 'roof',
      alive: true,
      broker_connected: true,
      reported_at: start,
      version: '0.1.0',
      spool: { state: 'ok', depth: 3, oldest_at: start, dead: 1 },
      certificate_until: '2100-01-01T00:00:00.000Z',
      disk_free: 5e9,
      boards_passed_over: 7,
      over_quota: [{ plant: 'watered', waiting: 5, refused: 7 }],
    },
  ]);
  expect(found.plants).toEqual([
    { plant: 'watered', last_received_at: start, stale_after_minutes: 60, board: 'online' },
  ]);
  expect(found.storage?.database).toBeGreaterThan(100_000);
  expect(found.backup).toMatchObject({
    last: { at: start, rows: 1, files: 1, bytes: 1 },
    before: null,
    failed_at: '1970-01-01T00:00:00.005Z',
    drill: { at: '1970-01-01T00:00:00.001Z', restored: { made_at: start, rows: 1, files: 1 } },
  });
  expect(found.tasks).toEqual([
    { task: 'watch', started_at: start, finished_at: '1970-01-01T00:00:00.001Z', ok: true, failure: null },
  ]);
  expect(found.alerts).toEqual([
    { kind: 'board', name: 'watered', since: start, detail: null },
    { kind: 'disk', name: 'roof', since: start, detail: '남은 공간 5.0 GB' },
  ]);
});

test('OPS-4 the last good backup is told with what the one before it held, past a failed one', async () => {
  await env.DB.prepare(
    'INSERT INTO backups (at, ok, rows, files, bytes) VALUES (1, 1, 90, 9, 900), (2, 0, NULL, NULL, NULL), (3, 1, 80, 8, 800)',
  ).run();
  const { backup } = await details();
  expect(backup?.last).toMatchObject({ rows: 80, files: 8 });
  expect(backup?.before).toEqual({ rows: 90, files: 9 });
});

test('PLT-13 what bridges and alerts know by its topic is told by its name', async () => {
  await env.PLANTS_DB.prepare("UPDATE plants SET name = '온실 고사리' WHERE topic = 'watered'").run();
  const { plants, bridges, alerts } = await details();
  expect(plants).toMatchObject([{ plant: '온실 고사리' }]);
  expect(alerts?.[0]).toMatchObject({ kind: 'board', name: '온실 고사리' });
  expect(bridges?.find(({ bridge }) => bridge === 'roof')?.over_quota).toMatchObject([
    { plant: '온실 고사리', waiting: 5 },
  ]);
});

test('OPS-4 a bridge that never spoke and a spool that it does not know are told as not known', async () => {
  await env.PLANTS_DB.batch([
    env.PLANTS_DB.prepare(
      "INSERT INTO bridge_keys (bridge_id, key, created_at) VALUES ('cellar', hex(zeroblob(16)), 0)",
    ),
    env.PLANTS_DB.prepare(
      "UPDATE bridge_heartbeats SET spool_state = NULL, spool_depth = NULL, over_quota_at = -1 WHERE bridge_id = 'roof'",
    ),
  ]);
  const { bridges } = await details();
  expect(bridges).toMatchObject([
    { bridge: 'bridge', alive: true },
    { bridge: 'cellar', alive: false, reported_at: null, broker_connected: null, spool: null },
    { bridge: 'roof', spool: null, over_quota: null },
  ]);
});

test('OPS-4 a bridge whose spool takes nothing does not stand, though it lives', async () => {
  const hold = (state: string | null) =>
    env.PLANTS_DB.prepare("UPDATE bridge_heartbeats SET spool_state = ? WHERE bridge_id = 'bridge'")
      .bind(state)
      .run();
  for (const state of SPOOL_FAILURES) {
    await hold(state);
    expect((await details()).parts).toMatchObject({ bridge: false, broker: true });
  }
  await hold('ok');
  expect((await details()).parts).toMatchObject({ bridge: true });
  await hold(null);
});

test.each([
  ['bridge_keys', 'bridges'],
  ['plant_states', 'plants'],
  ['database_days', 'usage'],
  ['receipts', 'storage'],
  ['backups', 'backup'],
  ['drills', 'backup'],
  ['task_runs', 'tasks'],
  ['alerts', 'alerts'],
] as const)(
  'OPS-4 without the table %s the %s are told as not known, and the rest as it is',
  async (table, ...parts) => {
    await holderOf(table).prepare(`ALTER TABLE ${table} RENAME TO hidden`).run();
    try {
      const found = await details();
      const { at: _at, parts: _parts, webhook: _webhook, heartbeat: _heartbeat, ...looked } = found;
      const unknown = Object.entries(looked).filter(([, value]) => value === null);
      expect(unknown.map(([name]) => name)).toEqual(parts);
    } finally {
      await holderOf(table).prepare(`ALTER TABLE hidden RENAME TO ${table}`).run();
    }
  },
);
