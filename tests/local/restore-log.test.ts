import { expect, test } from 'vitest';
import { z } from 'zod';
import { archivedStore } from '../support/archived-store.ts';
import { change } from '../support/both-databases.ts';

const HOUR = 3_600_000;
const began = Date.now() - HOUR;

const row = (at: number) => `(${at}, 1, '192.0.2.1', 'read', 'student')`;
const LOG = 'INSERT INTO access_log (at, actor_id, address, action, subject) VALUES';
const review = (month: string) => `('${month}', 1, 1, '이상 없음')`;
const REVIEWS = 'INSERT INTO log_reviews (month, at, reviewer_id, remark) VALUES';
const { said, rows, restored, emptyStore } = archivedStore(
  (dataDir) => change(dataDir, `${LOG} ${row(began)}, ${row(began)}; ${REVIEWS} ${review('2026-08')}`),
  (dataDir) =>
    change(
      dataDir,
      `${LOG} ${row(began)}, ${row(began + 1)}, ${row(began + 2)};
      ${REVIEWS} ${review('2026-09')}, ${review('2026-10')}`,
    ),
);
const told = () =>
  rows(
    `SELECT address, actor_id, json_extract(detail, '$.restored.since') AS since,
       json_extract(detail, '$.restored.entries') AS entries, json_extract(detail, '$.restored.months') AS months
     FROM access_log WHERE action = 'change' AND subject = 'access_log' ORDER BY id`,
  );

const first = {
  address: 'operator',
  actor_id: null,
  since: began,
  entries: 3,
  months: '["2026-09","2026-10"]',
};

test('OPS-3 USER-6 the log says what a restore took back of it, and which months are to be signed off again', async () => {
  await restored({ discardNewer: true });
  expect(await told()).toEqual([first]);
  expect(said).toContain('months of the access log that must be signed off again: 2026-09, 2026-10');
  expect(said.join('\n')).toContain(`access log: 3 rows from ${new Date(began).toISOString()} until now`);
});

test('OPS-3 USER-6 no second restore takes that row back, and it counts as no newer data', async () => {
  await restored({});
  expect(await told()).toEqual([first, { ...first, entries: 0, months: '[]' }]);
});

test('OPS-3 a restore into an empty place says that it does not know what is gone', async () => {
  const empty = await emptyStore();
  await restored({}, empty);
  const [found] = await empty.rows(
    `SELECT json_type(detail, '$.restored.entries') AS entries, detail ->> '$.restored.made' AS made
     FROM access_log WHERE address = 'operator'`,
  );
  expect(found).toEqual({ entries: 'null', made: expect.any(Number) });
});

test('OPS-3 backup, health page and restore count the same rows', async () => {
  const verified = said.find((line) => line.startsWith('verified:'));
  const [counted] = await rows('SELECT rows FROM backups ORDER BY id DESC LIMIT 1');
  const { rows: n } = z.object({ rows: z.int() }).parse(counted);
  expect(verified).toContain(`verified: ${n} rows, `);
  expect(said.join('\n')).toContain(`is verified: ${n} rows, `);
});
