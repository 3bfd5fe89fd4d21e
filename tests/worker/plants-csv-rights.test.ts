import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import worker from '../../worker/src/app.ts';
import { START, withPlant } from './plant.ts';
import { callerOf } from './route-table.ts';
import { ORIGIN } from './support.ts';

withPlant();

const losses = [
  ['the level', 'UPDATE users SET secure_level = 10 WHERE id = ?'],
  ['the session', 'DELETE FROM sessions WHERE user_id = ?'],
  ['the account', 'DELETE FROM users WHERE id = ?'],
];

/** A file of nine pieces, of which the reader has had the first. */
async function begun() {
  // Each plant is a piece of the file.
  await env.PLANTS_DB.batch([
    env.PLANTS_DB.prepare(
      "WITH RECURSIVE more (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM more WHERE n < 9) INSERT INTO plants (id, name) SELECT n, 'plant ' || n FROM more",
    ),
    env.PLANTS_DB.prepare(
      'INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at) SELECT id, ?, 0, 1, 0 FROM plants',
    ).bind(START),
  ]);
  const { id, cookie } = await callerOf(1);
  const request = new Request(`${ORIGIN}/api/plants/csv`, { headers: { cookie } });
  const context = createExecutionContext();
  const answer = await worker.fetch(request, env, context);
  const pieces = answer.body?.getReader();
  await pieces?.read();
  const readOn = async () => {
    let piece = await pieces?.read();
    while (piece?.done === false) piece = await pieces?.read();
    await waitOnExecutionContext(context);
  };
  return { id, readOn };
}

test.each(losses)('SEC-81 a file of readings breaks off when its reader loses %s', async (_, sql) => {
  const { id, readOn } = await begun();
  await env.DB.prepare(sql ?? '')
    .bind(id)
    .run();
  await expect(readOn()).rejects.toThrow(/권한|로그인/);
});

test('SEC-81 a file that is read slowly does not prolong its reader’s session', async () => {
  const { id, readOn } = await begun();
  const used = Date.now() - 3_600_000;
  await env.DB.prepare('UPDATE sessions SET last_used_at = ? WHERE user_id = ?').bind(used, id).run();
  await readOn();
  const session = env.DB.prepare('SELECT last_used_at FROM sessions WHERE user_id = ?').bind(id);
  expect(await session.first('last_used_at')).toBe(used);
});
