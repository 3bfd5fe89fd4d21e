import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { HealthDetails } from '#contract/health';
import { database } from '#db/client';
import worker from '../../worker/src/app.ts';
import { movePlantLog } from '../../worker/src/plants/log-data.ts';
import { call } from './client.ts';
import { defaults, withPlant } from './plant.ts';
import { credential, ORIGIN, sessionOf } from './support.ts';
import { words } from '../support/words.ts';

withPlant();
let cookie = '';
beforeAll(async () => {
  cookie = await sessionOf('keeper@lab.test', 1);
});

/** A database that answers every question so. */
const failing = (message: string): D1Database =>
  new Proxy(env.PLANTS_DB, {
    get: (db, name) => {
      if (name === 'prepare') return () => db.prepare(`SELECT nothing AS "${message}"`);
      if (name === 'batch') return () => Promise.reject(new Error(message));
      return Reflect.get(db, name);
    },
  });
const troubles = [
  'D1_ERROR: Exceeded maximum DB size',
  'D1_ERROR: database is locked',
  'D1_ERROR: daily quota',
];

async function without(
  trouble: string,
  path: string,
  { headers, ...init }: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
): Promise<Response> {
  const request = new Request(`${ORIGIN}/api${path}`, {
    redirect: 'manual',
    ...init,
    headers: { cookie, ...headers },
  });
  return await worker.fetch(request, { ...env, PLANTS_DB: failing(trouble) }, createExecutionContext());
}

describe.each(troubles)('with the database of the plants out of order (%s)', (trouble) => {
  test('SEC-47 people sign in', async () => {
    const token = await credential('late@lab.test');
    const headers = { authorization: `Bearer ${token}`, 'cf-connecting-ip': crypto.randomUUID(), cookie: '' };
    const answer = await without(trouble, '/login', { method: 'POST', headers });
    expect(answer.status).toBe(200);
  });

  test.each(words('/students /account /courses /users /access_log /receivers /find /awaiting'))(
    'SEC-47 %s is told',
    async (path) => {
      expect((await without(trouble, path)).status).toBe(200);
    },
  );

  test('SEC-47 an entry of the account is stored', async () => {
    const answer = await without(trouble, '/account', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
      body: JSON.stringify({ amount: 5, datetime: '2026-03-02T13:00:00', description: '회비' }),
    });
    expect(answer.status).toBe(201);
  });

  test('SEC-47 what of it is missing is said, and the rest is there', async () => {
    expect(await (await without(trouble, '/find')).json()).toMatchObject({ plants: null, students: [] });
    expect(await (await without(trouble, '/awaiting')).json()).toMatchObject({
      users: { unconfirmed_numbers: expect.any(Number) },
      plants: { dry_plants: null },
      health: { dead_letters: null, failed_parts: expect.any(Number) },
    });
    expect(await (await without(trouble, '/health/details')).json()).toMatchObject({
      parts: { api: true, plants: false, bridge: false },
      storage: { database: expect.any(Number), plants: null },
      usage: { rows_today: null },
      bridges: null,
      plants: null,
      alerts: [],
    });
  });
});

test('SEC-47 the health of the admins says which of the two it is', async () => {
  const parts = async (bindings: object) => {
    const request = new Request(`${ORIGIN}/api/health/details`, { headers: { cookie } });
    const answer = await worker.fetch(request, { ...env, ...bindings }, createExecutionContext());
    return (await answer.json<Pick<HealthDetails, 'parts'>>()).parts;
  };
  expect(await parts({})).toMatchObject({ api: true, plants: true });
  expect(await parts({ PLANTS_DB: failing('no') })).toMatchObject({ api: true, plants: false });
});

describe('the log of a change of a plant', () => {
  const lines = async () => {
    const rows = env.DB.prepare("SELECT detail FROM access_log WHERE subject = 'plant' ORDER BY id");
    return (await rows.all<{ detail: string }>()).results.map(({ detail }) => detail);
  };
  const waiting = () => env.PLANTS_DB.prepare('SELECT count(*) AS n FROM plant_log').first<number>('n');

  test('SEC-58 is carried into the access log with the change', async () => {
    const before = await lines();
    await call('/plants/settings?plant=basil', 'PUT', { ...defaults, stale_after_minutes: 61 });
    expect((await lines()).slice(before.length)).toEqual(['{"plant":"basil","stale_after_minutes":[60,61]}']);
    expect(await waiting()).toBe(0);
  });

  test('SEC-58 waits beside the change while the log takes nothing, and is carried once, also after half a carrying', async () => {
    await env.DB.prepare(
      "CREATE TRIGGER refuses BEFORE INSERT ON access_log BEGIN SELECT RAISE(ABORT, 'quota'); END",
    ).run();
    const answer = await call('/plants/settings?plant=basil', 'PUT', {
      ...defaults,
      stale_after_minutes: 62,
    });
    await env.DB.prepare('DROP TRIGGER refuses').run();
    expect(answer.status).toBe(200);
    expect(await waiting()).toBe(1);
    const before = await lines();
    const { results: kept } = await env.PLANTS_DB.prepare('SELECT * FROM plant_log').all();
    expect(await movePlantLog(database(env.PLANTS_DB), database(env.DB))).toBe(1);
    // As after a carrier that died before it deleted what it had carried.
    const [row = {}] = kept;
    const columns = Object.keys(row);
    await env.PLANTS_DB.prepare(
      `INSERT INTO plant_log (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    )
      .bind(...Object.values(row))
      .run();
    expect(await movePlantLog(database(env.PLANTS_DB), database(env.DB))).toBe(1);
    expect(await lines()).toHaveLength(before.length + 1);
    expect(await waiting()).toBe(0);
  });
});
