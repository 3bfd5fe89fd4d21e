import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { HealthDetails } from '#contract/health';
import { asAdmin, call } from './client.ts';
import { storedWatch } from './route-fixtures.ts';
import { migrateDatabase, standingBridge } from './support.ts';

beforeAll(async () => {
  await migrateDatabase();
  await standingBridge();
});
asAdmin();

const details = async (): Promise<HealthDetails> => await (await call('/health/details')).json();

test('OPS-4 a new system is told as such: no bridge that has a key, no backup, no run of a task', async () => {
  expect(await details()).toEqual({
    parts: { api: true, ingest: true, broker: true, bridge: true },
    bridges: [],
    plants: [],
    storage: { database: expect.any(Number), files: 0, files_count: 0 },
    backup: { last: null, failed_at: null, alert_days: 7 },
    tasks: [],
    alerts: [],
    webhook: false,
  });
});

test('OPS-4 tells parts, spools, last readings, sizes, the last backup, tasks and alerts', async () => {
  await storedWatch();
  await env.DB.prepare('INSERT INTO backups (at, ok) VALUES (5, 0)').run();
  await env.DB.prepare("INSERT INTO alerts VALUES ('board:over', 'board', 'over', 0, 1, 2, NULL)").run();
  const found = await details();
  const start = '1970-01-01T00:00:00.000Z';
  expect(found.bridges).toEqual([
    {
      bridge: 'roof',
      alive: false,
      broker_connected: true,
      reported_at: start,
      spool: { depth: 3, oldest_at: start, dead: 1 },
    },
  ]);
  expect(found.plants).toEqual([
    { plant: 'watered', last_received_at: start, stale_after_minutes: 60, board: 'online' },
  ]);
  expect(found.storage.database).toBeGreaterThan(100_000);
  expect(found.backup).toMatchObject({
    last: { at: start, rows: 1, files: 1, bytes: 1 },
    failed_at: '1970-01-01T00:00:00.005Z',
  });
  expect(found.tasks).toEqual([
    { task: 'watch', started_at: start, finished_at: '1970-01-01T00:00:00.001Z', ok: true },
  ]);
  expect(found.alerts).toEqual([{ kind: 'board', name: 'watered', since: start }]);
});
