import { LEVELS } from '#contract/access-levels';
import { isSessionExpired, SESSION_TTL_HEADER, sessionEnd, BACKGROUND_HEADER } from '#contract/session';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { callerOf, guardedRoutes, send, validCall } from './route-table.ts';
import {
  api,
  credential,
  login,
  migrateDatabase,
  sessionCookie,
  sessionOf,
  standingBridge,
} from './support.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const unattended = { [BACKGROUND_HEADER]: '1' };

beforeAll(async () => {
  await migrateDatabase();
  await standingBridge();
});
afterEach(() => void vi.useRealTimers());

const lastUsed = async (email: string) =>
  await env.DB.prepare('SELECT last_used_at FROM sessions JOIN users ON users.id = user_id WHERE email = ?')
    .bind(email)
    .first<number>('last_used_at');

const leftOf = (answer: Response) => Number(answer.headers.get(SESSION_TTL_HEADER) ?? NaN);

/** A socket can bear no header, so opening one never counts: plants-live.test.ts. */
const LIVE = 'GET /api/plants/live';

test.each(guardedRoutes.filter((route) => route !== LIVE))(
  'SEC-10 %s counts as use, unless the page says that nobody did it',
  async (route) => {
    const caller = await callerOf(1);
    const opened = (await lastUsed(caller.email)) ?? 0;
    const byItself = await validCall(route, caller);
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(opened + HOUR);
    const quiet = await send({ ...byItself, headers: { ...byItself.headers, ...unattended } });
    await quiet.text();
    expect(quiet.ok).toBe(true);
    expect(leftOf(quiet)).toBe(3600);
    expect(await lastUsed(caller.email)).toBe(opened);
    const used = await send(await validCall(route, caller));
    await used.text();
    expect(leftOf(used)).toBe(7200);
    await expect.poll(() => lastUsed(caller.email)).toBe(opened + HOUR);
  },
);

test('SEC-10 a screen that asks by itself all the time ends with its two idle hours, not before', async () => {
  const cookie = await sessionOf('asks-by-itself@lab.test', 1);
  const opened = (await lastUsed('asks-by-itself@lab.test')) ?? 0;
  const ask = async (headers = {}) => await api('/plants/states', { headers: { cookie, ...headers } });
  vi.useFakeTimers({ toFake: ['Date'] });
  for (let at = 10 * MINUTE; at <= 2 * HOUR; at += 10 * MINUTE) {
    vi.setSystemTime(opened + at);
    const answer = await ask(unattended);
    expect(answer.status, `after ${at / MINUTE} minutes`).toBe(200);
    // What is told is what holds.
    expect(leftOf(answer)).toBe((2 * HOUR - at) / 1000);
  }
  vi.setSystemTime(opened + 2 * HOUR + 1);
  const ended = await ask(unattended);
  expect(ended.status).toBe(401);
  expect(ended.headers.has(SESSION_TTL_HEADER)).toBe(false);
  // Nor does saying afterwards that somebody was there bring it back.
  expect((await ask()).status).toBe(401);
});

test('SEC-10 whoever is there every few minutes stays signed in for twelve hours, and no longer', async () => {
  const cookie = await sessionOf('types-scores@lab.test', 1);
  const opened = (await lastUsed('types-scores@lab.test')) ?? 0;
  const status = () => api('/login/status', { method: 'POST', headers: { cookie } });
  vi.useFakeTimers({ toFake: ['Date'] });
  for (let at = HOUR; at <= 12 * HOUR; at += HOUR) {
    vi.setSystemTime(opened + at);
    const answer = await status();
    expect(answer.status).toBe(200);
    expect(leftOf(answer)).toBe(Math.min(2 * HOUR, 12 * HOUR - at) / 1000);
    await expect.poll(() => lastUsed('types-scores@lab.test')).toBe(opened + at);
  }
  vi.setSystemTime(opened + 12 * HOUR + 1);
  expect((await status()).status).toBe(401);
});

test.each([
  ['idle for two hours', 2 * HOUR + 1],
  ['twelve hours old', 12 * HOUR + 1],
])('SEC-66 a session that was ended by being %s does not come back with a lower level', async (_, age) => {
  const boss = await callerOf(1);
  const { id, email, cookie } = await callerOf(1);
  const opened = Date.now() - age;
  await env.DB.prepare('UPDATE sessions SET created_at = ?, last_used_at = ? WHERE user_id = ?')
    .bind(opened, age > 12 * HOUR ? Date.now() - HOUR : opened, id)
    .run();
  const living = await sessionOf(email);
  const status = async (as: string) =>
    (await api('/login/status', { method: 'POST', headers: { cookie: as } })).status;
  expect(await status(cookie)).toBe(401);
  for (const secureLevel of [5, 10, 3, 5]) {
    const answer = await api(`/users/${id}`, {
      method: 'PUT',
      headers: { cookie: boss.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ secureLevel }),
    });
    expect(answer.status).toBe(200);
    expect(await status(cookie)).toBe(401);
    expect(await status(living)).toBe(200);
  }
});

test('SEC-10 a session is alive until the instant that is told, and never after it', () => {
  for (const level of LEVELS) {
    for (const idle of [0, 1, HOUR, 3 * HOUR, 11 * HOUR, 40 * 24 * HOUR]) {
      const session = { createdAt: 1000, lastUsedAt: 1000 + idle };
      const end = sessionEnd(session, level);
      expect(isSessionExpired(session, level, end)).toBe(false);
      expect(isSessionExpired(session, level, end + 1)).toBe(true);
    }
  }
});

test('SEC-10 whoever is not signed in is told of no end, whoever signs in is', async () => {
  expect((await api('/courses')).headers.has(SESSION_TTL_HEADER)).toBe(false);
  expect((await api('/login/status', { method: 'POST' })).headers.has(SESSION_TTL_HEADER)).toBe(false);
});

test('SEC-97 the key of drafts is the same for a user in every session, another for each, and given to nobody else', async () => {
  const [one, other] = [await callerOf(1), await callerOf(5)];
  const keyOf = async (id: number, cookie: string) => {
    const answer = await api(`/login/${id}/draft-key`, { headers: { cookie } });
    return answer.ok ? (await answer.json<{ key: string }>()).key : answer.status;
  };
  const again = sessionCookie(await login(await credential(one.email, { sub: `of ${one.email}` }))) ?? '';
  const keys = [
    await keyOf(one.id, one.cookie),
    await keyOf(one.id, again),
    await keyOf(other.id, other.cookie),
  ];
  expect(keys).toEqual([keys[1], keys[0], expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/)]);
  expect(keys[0]).not.toBe(keys[2]);
  expect([await keyOf(one.id, other.cookie), await keyOf(one.id, '')]).toEqual([403, 401]);
});
