import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { errorBodySchema } from '#contract/errors';
import { PLANTS_PER_KEY } from '#contract/plants';
import { DAY_MS } from '#contract/time';
import { app } from '../../ingest/src/app.ts';
import { READINGS_PER_KEY_AND_DAY } from '../../contract/readings.ts';
import { expectSafe } from '../support/safe-headers.ts';
import { bytesOf, freshDatabase, KEY, reading, signature, stored } from './support.ts';

declare global {
  namespace Cloudflare {
    interface Env {
      READINGS_RATE: RateLimit;
      STRANGERS_RATE: RateLimit;
      /** A rate limit like READINGS_RATE, but with three per minute, so that a test can exceed the limit. */
      LOW_RATE: RateLimit;
    }
  }
}

const LIMIT = 3;
/** So many requests exceed the limit even if a minute ends between them. */
const TOO_MANY = 2 * LIMIT + 1;

/** Each test has another bridge, because requests count for a minute. */
let bridgeId = '';
let bridges = 0;
beforeEach(async () => {
  await freshDatabase();
  bridgeId = await newBridge();
});

async function newBridge(): Promise<string> {
  const id = `bridge-${++bridges}`;
  await env.PLANTS_DB.prepare('INSERT INTO bridge_keys (bridge_id, key, created_at) VALUES (?, ?, 0)')
    .bind(id, KEY)
    .run();
  return id;
}

type From = { bridgeId: string; key?: string; headers?: Record<string, string> };

/** Sends a batch of one reading to the worker with LOW_RATE. */
async function post(seq: number, { headers, ...signing }: From): Promise<Response> {
  const body = bytesOf({ readings: [reading({ seq })] });
  const signed = await signature('/readings', body, signing);
  const request = { method: 'POST', body, headers: { ...signed, ...headers } };
  const low = { ...env, READINGS_RATE: env.LOW_RATE };
  return await app.request('https://ingest.test/readings', request, low, createExecutionContext());
}

async function postMany(headersOf: (n: number) => Record<string, string> = () => ({})): Promise<Response[]> {
  const answers: Response[] = [];
  for (let n = 0; n < TOO_MANY; n++) answers.push(await post(n, { bridgeId, headers: headersOf(n) }));
  return answers;
}

test('SEC-41 SEC-39 a bridge over its rate is 429 in JSON, is told when to come back, and nothing is stored', async () => {
  const answers = await postMany();
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.slice(0, LIMIT).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(refused.length).toBeGreaterThan(0);
  expect(await stored()).toHaveLength(answers.length - refused.length);
  for (const answer of refused) {
    expect(answer.headers.get('retry-after')).toBe('60');
    expectSafe(answer);
    expect(errorBodySchema.parse(await answer.json()).error.code).toBe('too_many_requests');
  }
});

test('SEC-41 from how many addresses it sends makes no difference', async () => {
  const answers = await postMany((n) => ({
    'cf-connecting-ip': `192.0.2.${n}`,
    'x-forwarded-for': `192.0.2.${n}`,
  }));
  expect(answers.map(({ status }) => status)).toContain(429);
});

test('SEC-41 another bridge is not held up', async () => {
  await postMany();
  expect((await post(100, { bridgeId: await newBridge() })).status).toBe(200);
});

test('SEC-41 who cannot sign uses up nothing of the rate', async () => {
  for (let n = 0; n < TOO_MANY; n++) {
    expect((await post(n, { bridgeId, key: 'x'.repeat(40) })).status).toBe(401);
  }
  for (let n = 0; n < LIMIT; n++) expect((await post(n, { bridgeId })).status).toBe(200);
});

describe('who signs with no key that is known', () => {
  /** Sends a batch to a worker that allows three requests per minute of unknown keys. Counts its queries. */
  async function knock(from: From, address: string) {
    let asked = 0;
    const PLANTS_DB = new Proxy(env.PLANTS_DB, {
      get: (db, name) => {
        if (name === 'prepare') asked++;
        const value: unknown = Reflect.get(db, name);
        return typeof value === 'function' ? value.bind(db) : value;
      },
    });
    const body = bytesOf({ readings: [reading({ seq: asked })] });
    const headers = { ...(await signature('/readings', body, from)), 'cf-connecting-ip': address };
    const answer = await app.request(
      'https://ingest.test/readings',
      { method: 'POST', body, headers },
      { ...env, PLANTS_DB, STRANGERS_RATE: env.LOW_RATE },
      createExecutionContext(),
    );
    return { status: answer.status, asked, retryAfter: answer.headers.get('retry-after') };
  }
  /** An address in a new network. */
  const newAddress = () => `2001:db8:${++bridges}::1`;
  const madeUp = () => ({ bridgeId: `made-up-${++bridges}`, key: 'x'.repeat(40) });

  test('SEC-59 is refused after a few calls before the database is asked, whatever bridges are made up', async () => {
    const address = newAddress();
    const answers = [];
    for (let n = 0; n < TOO_MANY; n++) answers.push(await knock(madeUp(), address));
    expect(answers.slice(0, LIMIT).map(({ status }) => status)).toEqual([401, 401, 401]);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { asked, retryAfter } of refused)
      expect({ asked, retryAfter }).toEqual({ asked: 0, retryAfter: '60' });
    expect((await knock(madeUp(), newAddress())).status).toBe(401);
  });

  test('SEC-71 SEC-59 is one, from whichever address of an IPv6 network it comes', async () => {
    const network = newAddress();
    const answers = [];
    for (let n = 0; n < TOO_MANY; n++) answers.push(await knock(madeUp(), `${network}${n}`));
    expect(answers.map(({ status }) => status)).toContain(429);
  });

  test('SEC-59 gains nothing by the name of a bridge that is known, and does not hold it up', async () => {
    const address = newAddress();
    expect((await knock({ bridgeId }, address)).status).toBe(200);
    const answers = [];
    for (let n = 0; n < TOO_MANY; n++) answers.push(await knock({ bridgeId, key: 'x'.repeat(40) }, address));
    expect(answers.map(({ status }) => status)).toContain(429);
    for (let n = 0; n < TOO_MANY; n++) expect((await knock({ bridgeId }, address)).status).toBe(200);
  });

  test('SEC-59 is one whose key was revoked, at once', async () => {
    const address = newAddress();
    expect((await knock({ bridgeId }, address)).status).toBe(200);
    await env.PLANTS_DB.prepare('UPDATE bridge_keys SET revoked_at = 1 WHERE bridge_id = ?')
      .bind(bridgeId)
      .run();
    const answers = [];
    for (let n = 0; n < TOO_MANY; n++) answers.push(await knock({ bridgeId }, address));
    expect(answers[0]?.status).toBe(401);
    expect(answers.map(({ status }) => status)).toContain(429);
  });
});

describe('SEC-100 one key', () => {
  const ofKey = (columns: string) =>
    env.PLANTS_DB.prepare(`SELECT ${columns} FROM bridge_keys WHERE bridge_id = ?`).bind(bridgeId);

  test('sends no more readings in a day than its quota, and may go on the next day', async () => {
    await env.PLANTS_DB.prepare('UPDATE bridge_keys SET sent_day = ?, sent_rows = ? WHERE bridge_id = ?')
      .bind(Math.floor(Date.now() / DAY_MS), READINGS_PER_KEY_AND_DAY - 1, bridgeId)
      .run();
    expect((await post(1, { bridgeId })).status).toBe(200);
    const refused = await post(2, { bridgeId });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await stored()).toHaveLength(1);
    expect(await ofKey('sent_rows').first('sent_rows')).toBe(READINGS_PER_KEY_AND_DAY);
    await env.PLANTS_DB.prepare('UPDATE bridge_keys SET sent_day = sent_day - 1').run();
    expect((await post(2, { bridgeId })).status).toBe(200);
    expect(await ofKey('sent_rows').first('sent_rows')).toBe(1);
  });

  test('of many batches at once none gets past its quota', async () => {
    await env.PLANTS_DB.prepare('UPDATE bridge_keys SET sent_day = ?, sent_rows = ? WHERE bridge_id = ?')
      .bind(Math.floor(Date.now() / DAY_MS), READINGS_PER_KEY_AND_DAY - 2, bridgeId)
      .run();
    await Promise.all(Array.from({ length: LIMIT }, (_, seq) => post(seq, { bridgeId })));
    expect(await stored()).toHaveLength(2);
  });

  test('brings no more plants than its share, by readings or by heartbeats', async () => {
    await env.PLANTS_DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO plants (name, brought_by) SELECT 'made-up-' || i, (SELECT id FROM bridge_keys WHERE bridge_id = ?) FROM n`,
    )
      .bind(PLANTS_PER_KEY - 1, bridgeId)
      .run();
    const others = await newBridge();
    const names = async () =>
      await env.PLANTS_DB.prepare("SELECT name FROM plants WHERE name NOT LIKE 'made-up%'").raw();
    const boards = ['one', 'two'].map((plant) => ({ plant, online: true, at: new Date().toISOString() }));
    const beat = { broker_connected: true, valid_for_ms: 5000, boards };
    expect((await send('/heartbeat', beat, bridgeId)).status).toBe(200);
    expect(await names()).toEqual([['one']]);
    expect((await post(1, { bridgeId })).status).toBe(200);
    expect(await names()).toEqual([['one']]);
    expect((await post(1, { bridgeId: others })).status).toBe(200);
    expect(await names()).toHaveLength(2);
  });

  test('reports no more often than its rate', async () => {
    // After a key has signed once, only the bridge's own limit counts.
    expect((await post(1, { bridgeId })).status).toBe(200);
    const beats = Array.from({ length: TOO_MANY }, () =>
      send('/heartbeat', { broker_connected: true, valid_for_ms: 5000 }, bridgeId),
    );
    const statuses = (await Promise.all(beats)).map(({ status }) => status);
    expect(statuses).toContain(429);
    expect(statuses).toContain(200);
  });

  async function send(path: string, content: object, bridge: string): Promise<Response> {
    const body = bytesOf(content);
    const request = { method: 'POST', body, headers: await signature(path, body, { bridgeId: bridge }) };
    const low = { ...env, STRANGERS_RATE: env.LOW_RATE };
    return await app.request(`https://ingest.test${path}`, request, low, createExecutionContext());
  }
});
