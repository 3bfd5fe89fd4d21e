import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AccessLogEntry } from '../../contract/access-log.ts';
import worker from '../../worker/src/app.ts';
import { api, migrateDatabase, sessionOf } from './support.ts';

const DAY = 86_400_000;

let cookie = '';
beforeAll(async () => {
  await migrateDatabase();
  cookie = await sessionOf('keeper@lab.test', 1);
});

async function log(query = ''): Promise<AccessLogEntry[]> {
  const answer = await api(`/access_log${query}`, { headers: { cookie, 'cf-connecting-ip': '192.0.2.7' } });
  expect(answer.status).toBe(200);
  return await answer.json();
}

async function insertEntry(at: number): Promise<void> {
  await env.DB.prepare("INSERT INTO access_log (at, address, action, subject) VALUES (?, '', 'read', 'user')")
    .bind(at)
    .run();
}

describe('the access log', () => {
  test('SEC-43 a list that is read leaves one row: who, when, from where, what, how many', async () => {
    await api('/users', { headers: { cookie, 'cf-connecting-ip': '192.0.2.7' } });
    const [entry, ...others] = await log('?action=read');
    expect(others.filter(({ subject }) => subject === 'user')).toEqual([]);
    expect(entry).toEqual({
      id: expect.any(Number),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      actor: { id: expect.any(Number), name: '나린솔', email: 'keeper@lab.test' },
      address: '192.0.2.7',
      action: 'read',
      subject: 'user',
      person: null,
      detail: { count: 1 },
      request: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}$/),
    });
  });

  test('SEC-43 SEC-58 reading the log is itself logged, with the kinds of its filter', async () => {
    await log('?person=keeper&action=read');
    expect((await log())[0]).toMatchObject({
      subject: 'access_log',
      detail: { filter: { person: true, action: 'read' } },
    });
  });

  test('USER-5 is filtered by person, action and time, and paged', async () => {
    const target = await sessionOf('watched@lab.test');
    expect(target).not.toBe('');
    const id = await env.DB.prepare("SELECT id FROM users WHERE email = 'watched@lab.test'").first<number>(
      'id',
    );
    await api(`/users/${id}`, {
      method: 'PUT',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ secureLevel: 5 }),
    });
    const entry = (await log('?person=watched'))[0];
    expect(entry).toMatchObject({ action: 'change', person: { id }, detail: { secure_level: [10, 5] } });
    expect((await log(`?person=WATCHED@lab&action=change`))[0]).toEqual(entry);
    expect(await log('?person=watched&action=delete')).toEqual([]);
    expect(await log(`?person=watched&action=change&to=${entry?.at}`)).toEqual([]);
    expect(await log(`?person=watched&action=change&from=${entry?.at}`)).toEqual([entry]);
    const all = await log();
    expect((await log(`?before=${all[1]?.id}`))[0]).toEqual(all[2]);
  });

  test.each(['action=steal', 'from=yesterday', 'before=x', 'person='])(
    'a wrong filter is refused: %s',
    async (query) => {
      const answer = await api(`/access_log?${query}`, { headers: { cookie } });
      expect(answer.status).toBe(400);
    },
  );

  test('SEC-43 no row can be changed, and none removed within a year', async () => {
    await insertEntry(Date.now() - 364 * DAY);
    await expect(env.DB.prepare("UPDATE access_log SET address = 'x'").run()).rejects.toThrow('append-only');
    await expect(env.DB.prepare('DELETE FROM access_log').run()).rejects.toThrow('kept for a year');
  });

  test('SEC-43 the daily task removes what has been kept long enough, and expired sessions', async () => {
    await insertEntry(Date.now() - 401 * DAY);
    await insertEntry(Date.now() - 399 * DAY);
    await env.DB.prepare(
      "INSERT INTO sessions (token_hash, user_id, user_agent, created_at, last_used_at) SELECT hex(zeroblob(32)), id, '', 0, 0 FROM users LIMIT 1",
    ).run();
    await worker.scheduled(createScheduledController(), env);
    const old = env.DB.prepare('SELECT count(*) AS n FROM access_log WHERE at < ?').bind(
      Date.now() - 398 * DAY,
    );
    expect(await old.first('n')).toBe(1);
    expect(await env.DB.prepare('SELECT count(*) AS n FROM sessions WHERE created_at = 0').first('n')).toBe(
      0,
    );
  });
});
