import {
  LIVE_RECHECK_MS,
  LIVE_CLOSE_CODE,
  LIVE_SOCKETS_PER_USER,
  type LiveMessage,
} from '#contract/plants-socket';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bytesOf, signature } from '../ingest/support.ts';
import { call } from './client.ts';
import { potHistory } from '../support/pot.ts';
import { defaults, HOUR, MINUTE, putSettings, storeAt, withPlant } from './plant.ts';
import { api, credential, login, ORIGIN, sessionOf } from './support.ts';

withPlant();

const BRIDGE = { bridgeId: 'live-bridge', key: 'a key of the tests of live screens' };
const opened: WebSocket[] = [];
let email = '';
let cookie = '';

beforeEach(async () => {
  await env.PLANTS_DB.prepare(
    'INSERT OR IGNORE INTO bridge_keys (bridge_id, key, created_at) VALUES (?, ?, 0)',
  )
    .bind(BRIDGE.bridgeId, BRIDGE.key)
    .run();
  email = `${crypto.randomUUID()}@lab.test`;
  cookie = await sessionOf(email, 1);
});

afterEach(() => {
  for (const socket of opened.splice(0)) socket.close();
});

const knock = (headers: Record<string, string> = {}) =>
  api('/plants/live', { headers: { upgrade: 'websocket', cookie, ...headers } });

/** An open screen: what it has been told, and with which code it was closed. */
async function openScreen() {
  const { status, webSocket: socket } = await knock();
  expect(status).toBe(101);
  if (!socket) throw new Error('there is no socket');
  opened.push(socket);
  const told: LiveMessage[] = [];
  const answers: string[] = [];
  const closed = Promise.withResolvers<number>();
  socket.addEventListener('message', ({ data }) => {
    const text = String(data);
    if (text.startsWith('{')) told.push(JSON.parse(text));
    else answers.push(text);
  });
  socket.addEventListener('close', ({ code }) => closed.resolve(code));
  socket.accept();
  await vi.waitUntil(() => told.length > 0, { timeout: 30_000 });
  return { socket, told, answers, closed: closed.promise };
}

const untilTold = (told: LiveMessage[], messages: number) =>
  vi.waitUntil(() => told.length >= messages, { timeout: 30_000 });

/** To the real ingest worker, as a bridge sends it. */
async function send(path: string, content: unknown): Promise<void> {
  const body = bytesOf(content);
  const headers = await signature(path, body, BRIDGE);
  const answer = await env.INGEST.fetch(`https://ingest.test${path}`, { method: 'POST', body, headers });
  expect(answer.status).toBe(200);
}

const reading = (plant: string, soil_moisture: number, seq: number) => ({
  plant,
  datetime: new Date().toISOString(),
  soil_moisture,
  seq,
  received_at: new Date().toISOString(),
});

describe('an open screen', () => {
  test('PLT-22 PLT-11 is told of what is said of a plant as soon as it is judged', async () => {
    const now = Date.now();
    const dry = potHistory({ from: now - 12 * HOUR, to: now, every: 10 * MINUTE, raw: 900, perDay: 10 });
    await storeAt(dry);
    const { told } = await openScreen();
    expect(told).toMatchObject([{ whole: true, states: [{ plant: 'basil', alert_since: null }] }]);
    expect((await call('/plants/states')).status).toBe(200);
    await untilTold(told, 2);
    expect(told[1]).toMatchObject({
      whole: false,
      states: [{ plant: 'basil', alert_since: expect.any(String), days_until_dry: 0 }],
    });
  });

  test('PLT-11 is told the whole list when it opens, and of each arrival the plants that it changed', async () => {
    await env.PLANTS_DB.prepare("INSERT INTO plants (id, name) VALUES (2, '고무나무')").run();
    const one = await openScreen();
    const other = await openScreen();
    expect(one.told).toMatchObject([
      { whole: true, states: [{ plant: 'basil', readings: 0, ...defaults }, { plant: '고무나무' }] },
    ]);
    await send('/readings', { readings: [reading('basil', 611, 1), reading('basil', 612, 2)] });
    for (const { told } of [one, other]) {
      await untilTold(told, 2);
      expect(told[1]).toMatchObject({ whole: false, states: [{ plant: 'basil', readings: 2 }] });
      expect(told[1]?.states).toHaveLength(1);
    }
  });

  test('PLT-11 is told of a board that came or went, and not of a reading that was there already', async () => {
    const again = reading('basil', 611, 1);
    await send('/readings', { readings: [again] });
    const { told } = await openScreen();
    await send('/readings', { readings: [again] });
    const boards = [{ plant: 'basil', online: false, at: new Date().toISOString() }];
    await send('/heartbeat', { broker_connected: true, valid_for_ms: 5000, boards });
    await untilTold(told, 2);
    expect(told[1]).toMatchObject({ whole: false, states: [{ board: 'offline', readings: 1 }] });
  });

  test('PLT-11 PLT-13 is told the whole list when somebody names, hides, shows or removes a plant', async () => {
    const { told } = await openScreen();
    expect((await putSettings({ ...defaults, name: '바질' })).status).toBe(200);
    await untilTold(told, 2);
    expect(told[1]).toMatchObject({ whole: true, states: [{ plant: '바질', topic: 'basil', version: 2 }] });
    await call('/plants/hidden?topic=basil', 'PUT', { is_hidden: true });
    await untilTold(told, 3);
    expect(told[2]).toEqual({ whole: true, states: [] });
    await call('/plants/hidden?topic=basil', 'PUT', { is_hidden: false });
    await untilTold(told, 4);
    expect(told[3]?.states).toHaveLength(1);
    await call('/plants?topic=basil', 'DELETE');
    await untilTold(told, 5);
    expect(told[4]).toEqual({ whole: true, states: [] });
  });

  test('PLT-11 is told nothing of a hidden plant', async () => {
    await env.PLANTS_DB.prepare('UPDATE plant_states SET is_hidden = 1').run();
    const { told } = await openScreen();
    await send('/readings', { readings: [reading('basil', 400, 1)] });
    await send('/readings', { readings: [reading('fern', 500, 1)] });
    await untilTold(told, 2);
    expect(told).toMatchObject([
      { whole: true, states: [] },
      { whole: false, states: [{ plant: 'fern' }] },
    ]);
  });

  test('SEC-92 is answered a ping, and closed for anything else that it says', async () => {
    const { socket, told, answers, closed } = await openScreen();
    socket.send('ping');
    await vi.waitUntil(() => answers.length > 0, { timeout: 30_000 });
    expect(answers).toEqual(['pong']);
    socket.send(JSON.stringify({ whole: true, states: [] }));
    expect(await closed).toBe(1008);
    expect(told).toHaveLength(1);
  });
});

describe('the door', () => {
  test.each([
    ['a page of another origin', { origin: 'https://evil.example' }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling site', { 'sec-fetch-site': 'same-site' }],
    ['a page without an origin', { origin: 'null' }],
  ])('SEC-92 is shut for %s, whose socket would bear our cookie', async (_, headers) => {
    const { status, webSocket } = await knock(headers);
    expect([status, webSocket]).toEqual([403, null]);
  });

  test('SEC-92 opens for our own page', async () => {
    const { status, webSocket } = await knock({ origin: ORIGIN, 'sec-fetch-site': 'same-origin' });
    expect(status).toBe(101);
    webSocket?.accept();
    webSocket?.close();
  });

  test('SEC-92 is shut without a session, for a weaker level, and for a request of another kind', async () => {
    expect((await knock({ cookie: '' })).status).toBe(401);
    expect((await knock({ upgrade: 'h2c' })).status).toBe(400);
    await env.DB.prepare('UPDATE users SET secure_level = 3 WHERE email = ?').bind(email).run();
    expect((await knock()).status).toBe(403);
  });

  test('SEC-92 lets a user open a bounded number, and another when one is closed', async () => {
    const [first] = await Promise.all(Array.from({ length: LIVE_SOCKETS_PER_USER }, () => openScreen()));
    expect((await knock()).status).toBe(429);
    first?.socket.close();
    await vi.waitUntil(async () => {
      const { status, webSocket } = await knock();
      if (webSocket) opened.push(webSocket);
      webSocket?.accept();
      return status === 101;
    }, 30_000);
  });

  test('SEC-94 is shut for names of parts that there are not', async () => {
    for (const query of ['?group=lab', '?group=', '?x']) {
      const { status } = await api(`/plants/live${query}`, { headers: { upgrade: 'websocket', cookie } });
      expect(status).toBe(400);
    }
  });

  test('SEC-92 counts as no use of the session', async () => {
    const before = Date.now() - HOUR;
    await env.DB.prepare(
      'UPDATE sessions SET last_used_at = ? WHERE user_id = (SELECT id FROM users WHERE email = ?)',
    )
      .bind(before, email)
      .run();
    await openScreen();
    const kept = await env.DB.prepare(
      'SELECT last_used_at FROM sessions WHERE user_id = (SELECT id FROM users WHERE email = ?)',
    )
      .bind(email)
      .first('last_used_at');
    expect(kept).toBe(before);
  });
});

describe('the end of a session closes its sockets, and no others:', () => {
  const idOf = () => env.DB.prepare('SELECT id FROM users WHERE email = ?').bind(email).first<number>('id');

  const ends: Record<string, () => Promise<Response>> = {
    'a logout': () => api('/logout', { method: 'POST', headers: { cookie } }),
    'another sign-in of the browser': async () => login(await credential(email), { cookie }),
    'its end from another device': async () => {
      const other = await sessionOf(email);
      const listed = await api('/login/sessions', { headers: { cookie: other } });
      const list = await listed.json<{ id: number; current: boolean }[]>();
      const id = list.find(({ current }) => !current)?.id;
      return await api(`/login/sessions/${id}`, { method: 'DELETE', headers: { cookie: other } });
    },
    'a change of the level': async () => call(`/users/${await idOf()}`, 'PUT', { secureLevel: 5 }),
    'the removal of the user': async () => call(`/users/${await idOf()}`, 'DELETE'),
  };

  test.each(Object.entries(ends))('SEC-92 %s', async (_, end) => {
    const ending = await openScreen();
    const own = cookie;
    const standing = await (async () => {
      cookie = await sessionOf(`${crypto.randomUUID()}@lab.test`, 1);
      return await openScreen();
    })();
    cookie = own;
    expect((await end()).status).toBe(200);
    expect(await ending.closed).toBe(LIVE_CLOSE_CODE);
    await send('/readings', { readings: [reading('basil', 640, 1)] });
    await untilTold(standing.told, 2);
    expect(ending.told).toHaveLength(1);
  });

  const theirs = 'user_id = (SELECT id FROM users WHERE email = ?)';
  test.each([
    ['a session that an operator ended', `DELETE FROM sessions WHERE ${theirs}`],
    ['a level that an operator lowered', 'UPDATE users SET secure_level = 5 WHERE email = ?'],
    ['a user whom a restore took away', 'DELETE FROM users WHERE email = ?'],
  ])('SEC-94 %s, of which nobody told the screens, before the next push', async (_, sql) => {
    const { socket, told, closed } = await openScreen();
    await env.DB.prepare(sql).bind(email).run();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + LIVE_RECHECK_MS);
    await send('/readings', { readings: [reading('basil', 640, 1)] });
    await vi.waitUntil(() => told.length > 1 || socket.readyState !== WebSocket.OPEN, { timeout: 30_000 });
    vi.restoreAllMocks();
    expect(told).toHaveLength(1);
    expect(await closed).toBe(LIVE_CLOSE_CODE);
  });

  test('SEC-92 the time that it may last', async () => {
    const staffIdle = 2 * HOUR;
    await env.DB.prepare(
      'UPDATE sessions SET last_used_at = ? WHERE user_id = (SELECT id FROM users WHERE email = ?)',
    )
      .bind(Date.now() - staffIdle + 6000, email)
      .run();
    const { closed } = await openScreen();
    expect(await closed).toBe(LIVE_CLOSE_CODE);
    await vi.waitUntil(async () => (await knock()).status === 401, { timeout: 30_000, interval: 100 });
  });
});
