import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLocalStore } from '../../scripts/backup/local-store.ts';
import { restoreCommand } from '../../scripts/backup/restore.ts';
import { openLocalD1 } from '../../scripts/local-d1.ts';
import type { Command } from '../../scripts/terminal.ts';
import { WATCH_CRON } from '../../worker/src/watch/rules.ts';
import { apiWorker, NIGHTLY } from '../bench/api-worker.ts';
import { backupHere } from '../support/backup-here.ts';
import { makeDataFolder } from '../support/data-folder.ts';
import { runCommand } from '../support/run-command.ts';
import { credential, login } from '../support/sign-in.ts';
import { startStack } from '../support/stack.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const today = new Date();
const monthsAgo = (months: number) => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - months, 1);
const place = mkdtempSync(join(tmpdir(), 'cps-lab-months-'));
const dataDir = join(place, 'data');
const backups = join(place, 'backups');
afterAll(() => rmSync(place, { recursive: true }));

/** Runs a scheduled task of the API worker on what is in a data folder. */
async function runTask(cron: string): Promise<void> {
  const api = apiWorker('ingest');
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      log: new Log(LogLevel.WARN),
      resourcePersistencePath: join(dataDir, 'v3'),
      workers: [
        {
          ...api,
          name: 'api',
          bindings: { ...api.bindings, READINGS_TO_R2_AFTER_MONTHS: '1', LOG_LEVEL: 'error' },
        },
        { ...api, name: 'ingest', scriptPath: 'dist/ingest/app.js' },
      ],
    }),
  );
  try {
    const { outcome } = await (await miniflare.getWorker('api')).scheduled({ cron });
    expect(outcome).toBe('ok');
  } finally {
    await miniflare.dispose();
  }
}

/** What the product says of the readings of a folder. */
async function answers(folder: string): Promise<string[]> {
  const stack = await startStack({ DATA_DIR: folder, SIMULATOR: 'off', DEMO_DATA: 'off' });
  try {
    const { cookie } = await login(stack.origin, await credential(stack.origin, 'admin@lab.test'));
    const from = new Date(monthsAgo(3) + 5 * DAY + 7).toISOString();
    const to = new Date(monthsAgo(2) + 3 * DAY).toISOString();
    const paths = ['', `?from=${from}&to=${to}`, `?plant=fern&from=${from}`, '/waterings', '/csv', '/states'];
    const found: string[] = [];
    for (const path of paths) {
      const answer = await fetch(`${stack.origin}/api/plants${path}`, { headers: { cookie } });
      expect(answer.status).toBe(200);
      found.push(await answer.text());
    }
    return found;
  } finally {
    stack.process.kill('SIGTERM');
    await stack.ended;
  }
}

async function operate(command: Command, args: string[], folder: string): Promise<void> {
  const { status, output } = await runCommand(command, args, { DATA_DIR: folder });
  expect(status, output).toBe(0);
}

function inDatabase(folder: string, select: string): unknown[] {
  const db = openLocalD1(folder, { database: 'PLANTS_DB' });
  try {
    return db.prepare(select).all();
  } finally {
    db.close();
  }
}

async function filesOf(folder: string): Promise<string[]> {
  const store = await openLocalStore(folder);
  try {
    return await store.objectKeys();
  } finally {
    await store.close();
  }
}

const COUNT = 'SELECT count(*) AS readings FROM plant_readings';
let before: string[] = [];
let archive = '';

beforeAll(async () => {
  await makeDataFolder(dataDir);
  const db = openLocalD1(dataDir, { database: 'PLANTS_DB' });
  db.exec("INSERT INTO plants (id, name) VALUES (1, 'fern'), (2, 'moss')");
  db.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ? - 1)
     INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
     SELECT 1 + i % 2, ? + i * ?, i, 400 + i % 336, ? + i * ? + 40 FROM n`,
  ).run((monthsAgo(0) - monthsAgo(3)) / (40 * MINUTE), monthsAgo(3), 40 * MINUTE, monthsAgo(3), 40 * MINUTE);
  db.close();
  await runTask(WATCH_CRON);
  before = await answers(dataDir);
  await runTask(NIGHTLY);
  await operate(backupHere, ['--to', backups, '--unencrypted'], dataDir);
  archive = join(backups, readdirSync(backups)[0] ?? '');
}, 300_000);

test('OPS-3 PLT-14 months in R2 come back from an archive into a new folder, and every chart and download says what it did before the move', async () => {
  const moved = await filesOf(dataDir);
  expect(moved).toHaveLength(4);
  expect(inDatabase(dataDir, `${COUNT} WHERE measured_at < ${monthsAgo(1)}`)).toEqual([{ readings: 0 }]);
  const target = join(place, 'new');
  await operate(restoreCommand, [archive], target);
  expect(await filesOf(target)).toEqual(moved);
  expect(inDatabase(target, COUNT)).toEqual(inDatabase(dataDir, COUNT));
  expect(await answers(target)).toEqual(before);
});

test('OPS-3 PLT-14 a restore over what is there brings back the files that were lost, and takes away those that no row names', async () => {
  const moved = await filesOf(dataDir);
  const store = await openLocalStore(dataDir, { claim: true });
  const [lost = ''] = moved;
  await store.deleteObject(lost);
  const stray = { key: 'readings/9/2020-01-0.parquet', type: 'x/y', content: new Uint8Array(9) };
  await store.writeObject(stray);
  await store.close();
  inDatabase(dataDir, 'DELETE FROM plant_months WHERE plant_id = 2');
  await expect(answers(dataDir)).rejects.toThrow('500');
  await operate(restoreCommand, ['--overwrite', 'local', '--discard-newer', archive], dataDir);
  expect(await filesOf(dataDir)).toEqual(moved);
  expect(await answers(dataDir)).toEqual(before);
});
