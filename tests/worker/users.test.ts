import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OwnSession, User } from '../../contract/users.ts';
import worker from '../../worker/src/app.ts';
import { api, credential, login, migrateDatabase, ORIGIN, sessionCookie, sessionOf } from './support.ts';

let cookie = '';
beforeAll(migrateDatabase);
beforeEach(async () => {
  cookie = await sessionOf('boss@lab.test', 1);
});

const call = (path: string, method = 'GET', body?: unknown, as = cookie) =>
  api(path, {
    method,
    headers: { cookie: as, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

const list = async (): Promise<User[]> => await (await call('/users')).json();
const find = async (email: string) => (await list()).find((user) => user.email === email);

/** Signs a newcomer in and lets them claim a number. */
async function claim(email: string, univId: string) {
  const answer = await login(await credential(email));
  const as = sessionCookie(answer) ?? '';
  const { id, name } = await answer.json<{ id: number; name: string }>();
  const status = (await call(`/login/${id}`, 'PUT', { name, email, univId }, as)).status;
  return { id, as, status };
}

describe('the users', () => {
  test('USER-1 are listed with name, email, level and number', async () => {
    await claim('listed@lab.test', '20211111');
    expect(await find('listed@lab.test')).toEqual({
      id: expect.any(Number),
      name: '나린솔',
      email: 'listed@lab.test',
      secure_level: 10,
      univ_id: '20211111',
      univ_id_verified: false,
    });
  });

  test('USER-2 SEC-9 a new level counts on the very next request of that user', async () => {
    const { id, as } = await claim('rises@lab.test', '20211112');
    expect((await call('/users', 'GET', undefined, as)).status).toBe(403);
    const answer = await call(`/users/${id}`, 'PUT', { secureLevel: 1 });
    expect(await answer.json()).toMatchObject({ id, secure_level: 1 });
    expect((await call('/users', 'GET', undefined, as)).status).toBe(200);
    await call(`/users/${id}`, 'PUT', { secureLevel: 8 });
    expect((await call('/users', 'GET', undefined, as)).status).toBe(403);
  });

  test('USER-3 SEC-9 a deleted user is gone with every session; the log keeps the id alone', async () => {
    const { id, as } = await claim('goes@lab.test', '20211113');
    expect((await call(`/users/${id}`, 'DELETE')).status).toBe(200);
    expect((await call('/login/status', 'POST', undefined, as)).status).toBe(401);
    expect(await find('goes@lab.test')).toBeUndefined();
    expect((await call(`/users/${id}`, 'DELETE')).status).toBe(404);
    const log = await (await call(`/access_log?person=${id}&action=delete`)).json();
    expect(log).toMatchObject([{ action: 'delete', person: { id, name: null, email: null } }]);
  });

  test('a refused change leaves no row in the log', async () => {
    const rows = () =>
      env.DB.prepare("SELECT count(*) AS n FROM access_log WHERE action <> 'read'").first('n');
    const before = await rows();
    expect((await call('/users/999999', 'PUT', { secureLevel: 5 })).status).toBe(404);
    expect((await call('/users/999999', 'DELETE')).status).toBe(404);
    expect((await call('/users/999999/univ_id', 'DELETE')).status).toBe(404);
    expect(await rows()).toBe(before);
  });

  test.each([0, -1, 2, '1', 1.5, null, [1], true, undefined])(
    'SEC-20 the level %j is refused by name',
    async (secureLevel) => {
      const { id } = await claim('fixed@lab.test', '20211114');
      const answer = await call(`/users/${id}`, 'PUT', { secureLevel });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: { field: 'secureLevel' } });
    },
  );
});

describe('student numbers', () => {
  test('AUTH-9 a claim is verified when the roster knows the number under the email', async () => {
    await env.DB.prepare(
      "INSERT INTO students (id, name, email) VALUES ('202211121', '가람', 'Roster@lab.test')",
    ).run();
    await claim('roster@lab.test', '202211121');
    expect(await find('roster@lab.test')).toMatchObject({ univ_id: '202211121', univ_id_verified: true });
  });

  test('AUTH-9 a verified owner displaces a claim that nobody has verified', async () => {
    await env.DB.prepare(
      "INSERT INTO students (id, name, email) VALUES ('202211122', '나래', 'owner@lab.test')",
    ).run();
    await claim('squatter@lab.test', '202211122');
    expect((await claim('owner@lab.test', '202211122')).status).toBe(200);
    expect(await find('squatter@lab.test')).toMatchObject({ univ_id: null });
    expect(await find('owner@lab.test')).toMatchObject({ univ_id_verified: true });
    expect((await claim('squatter@lab.test', '202211122')).status).toBe(409);
  });

  test('AUTH-9 an admin confirms the number that they saw, and no other', async () => {
    const { id } = await claim('confirmed@lab.test', '20211123');
    expect((await call(`/users/${id}/univ_id`, 'PUT', { univ_id: '20211999' })).status).toBe(409);
    expect(await (await call(`/users/${id}/univ_id`, 'PUT', { univ_id: '20211123' })).json()).toMatchObject({
      univ_id_verified: true,
    });
    expect((await claim('confirmed@lab.test', '20211123')).status).toBe(200);
    expect(await find('confirmed@lab.test')).toMatchObject({ univ_id_verified: true });
    await claim('confirmed@lab.test', '20211124');
    expect(await find('confirmed@lab.test')).toMatchObject({ univ_id: '20211124', univ_id_verified: false });
  });

  test('AUTH-9 an admin releases a number for somebody else', async () => {
    const { id } = await claim('holder@lab.test', '20211125');
    expect((await claim('waits@lab.test', '20211125')).status).toBe(409);
    expect(await (await call(`/users/${id}/univ_id`, 'DELETE')).json()).toMatchObject({ univ_id: null });
    expect((await claim('waits@lab.test', '20211125')).status).toBe(200);
  });

  test('SEC-21 of parallel claims to one number one wins', async () => {
    const racers = Array.from({ length: 8 }, (_, index) => claim(`racer-${index}@lab.test`, '20211126'));
    const statuses = (await Promise.all(racers)).map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
  });
});

test('a guarded request asks the database once for session and level together', async () => {
  const asked: string[] = [];
  const prepare = (query: string) => {
    asked.push(query);
    return env.DB.prepare(query);
  };
  const counting = new Proxy(env.DB, {
    get: (db, name) => (name === 'prepare' ? prepare : Reflect.get(db, name)),
  });
  const request = new Request(`${ORIGIN}/api/login/status`, { method: 'POST', headers: { cookie } });
  const answer = await worker.fetch(request, { ...env, DB: counting }, createExecutionContext());
  expect(answer.status).toBe(200);
  expect(asked).toHaveLength(1);
});

describe("one's own sessions", () => {
  test('AUTH-11 are listed without their tokens, and each can be ended', async () => {
    const first = await sessionOf('many@lab.test');
    const second = await sessionOf('many@lab.test');
    const sessions: OwnSession[] = await (await call('/login/sessions', 'GET', undefined, second)).json();
    expect(sessions).toHaveLength(2);
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    expect(Object.keys(sessions[0] ?? {}).sort()).toEqual([
      'created_at',
      'current',
      'id',
      'last_used_at',
      'user_agent',
    ]);
    const other = sessions.find(({ current }) => !current);
    expect((await call(`/login/sessions/${other?.id}`, 'DELETE', undefined, second)).status).toBe(200);
    expect((await call('/login/status', 'POST', undefined, first)).status).toBe(401);
    expect((await call('/login/status', 'POST', undefined, second)).status).toBe(200);
  });

  test("AUTH-11 somebody else's is not found", async () => {
    const sessions: OwnSession[] = await (await call('/login/sessions')).json();
    const stranger = await sessionOf('stranger@lab.test');
    expect((await call(`/login/sessions/${sessions[0]?.id}`, 'DELETE', undefined, stranger)).status).toBe(
      404,
    );
    expect((await call('/login/status', 'POST')).status).toBe(200);
  });
});
