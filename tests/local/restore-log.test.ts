import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openLocalStore } from '../../scripts/backup/local-store.ts';
import { backUp } from '../../scripts/backup/make-archive.ts';
import { restore } from '../../scripts/backup/restore.ts';
import type { Store } from '../../scripts/backup/store.ts';
import { openLocalD1 } from '../../scripts/database/local-d1.ts';
import { change } from '../support/both-databases.ts';
import { makeDataFolder } from '../support/data-folder.ts';

const place = mkdtempSync(join(tmpdir(), 'cps-lab-restore-log-'));
const dataDir = join(place, 'data');
const HOUR = 3_600_000;
const began = Date.now() - HOUR;
const said: string[] = [];
const say = (line: string) => void said.push(line);
let store: Store;
let archive = '';

const row = (at: number) => `(${at}, 1, '192.0.2.1', 'read', 'student')`;
const LOG = 'INSERT INTO access_log (at, actor_id, address, action, subject) VALUES';
const review = (month: string) => `('${month}', 1, 1, '이상 없음')`;
const REVIEWS = 'INSERT INTO log_reviews (month, at, reviewer_id, remark) VALUES';
const told = () =>
  store.rows(
    `SELECT address, actor_id, json_extract(detail, '$.restored.since') AS since,
       json_extract(detail, '$.restored.entries') AS entries, json_extract(detail, '$.restored.months') AS months
     FROM access_log WHERE action = 'change' AND subject = 'access_log' ORDER BY id`,
  );

beforeAll(async () => {
  await makeDataFolder(dataDir);
  store = await openLocalStore(dataDir, { claim: true });
  change(dataDir, `${LOG} ${row(began)}, ${row(began)}; ${REVIEWS} ${review('2026-08')}`);
  archive = await backUp(store, join(place, 'backups'), { say, begin: () => undefined });
  change(
    dataDir,
    `${LOG} ${row(began)}, ${row(began + 1)}, ${row(began + 2)};
    ${REVIEWS} ${review('2026-09')}, ${review('2026-10')}`,
  );
});
afterAll(async () => {
  await store.close();
  rmSync(place, { recursive: true });
});

const first = {
  address: 'operator',
  actor_id: null,
  since: began,
  entries: 3,
  months: '["2026-09","2026-10"]',
};

test('OPS-3 USER-6 the log says what a restore took back of it, and which months are to be signed off again', async () => {
  await restore(store, { archive, overwrite: 'local', discardNewer: true, say });
  expect(await told()).toEqual([first]);
  expect(said).toContain('months of the access log that are to be signed off again: 2026-09, 2026-10');
  expect(said.join('\n')).toContain(`access log: 3 rows from ${new Date(began).toISOString()} until now`);
});

test('OPS-3 USER-6 no second restore takes that row back, and it counts as no newer data', async () => {
  await restore(store, { archive, overwrite: 'local', say });
  expect(await told()).toEqual([first, { ...first, entries: 0, months: '[]' }]);
});

test('OPS-3 a restore into an empty place says that it does not know what is gone', async () => {
  const empty = await openLocalStore(join(place, 'empty'), { claim: true });
  try {
    await restore(empty, { archive, overwrite: undefined, say });
    const [found] = await empty.rows(
      `SELECT json_type(detail, '$.restored.entries') AS entries, detail ->> '$.restored.made' AS made
       FROM access_log WHERE address = 'operator'`,
    );
    expect(found).toEqual({ entries: 'null', made: expect.any(Number) });
  } finally {
    await empty.close();
  }
});

test('OPS-3 backup, health page and restore count the same rows', async () => {
  const proven = said.find((line) => line.startsWith('proven:'));
  const [counted] = await store.rows('SELECT rows FROM backups ORDER BY id DESC LIMIT 1');
  const { rows } = z.object({ rows: z.int() }).parse(counted);
  expect(proven).toContain(`proven: ${rows} rows, `);
  expect(said.join('\n')).toContain(`is whole: ${rows} rows, `);
});
