import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { BRIDGE_TASK_RETENTION_MS, type BridgeList, type BridgeTask } from '#contract/bridges';
import { asAdmin, call } from './client.ts';
import { migrateDatabase } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();
beforeEach(async () => {
  await env.PLANTS_DB.batch(
    ['bridge_keys', 'bridge_heartbeats', 'bridge_tasks'].map((table) =>
      env.PLANTS_DB.prepare(`DELETE FROM ${table}`),
    ),
  );
});

const ENTRY = `$7$101$${'a'.repeat(16)}$${'b'.repeat(86)}==`;
const addBoard: BridgeTask = { kind: 'board_add', plant: 'fern', program: 'micropython', entry: ENTRY };

const list = async () => (await (await call('/bridges')).json<BridgeList>()).bridges;
const newKey = async (bridge: string, plants: string[] | null = null) =>
  await (await call('/bridges/keys', 'POST', { bridge, plants })).json<{ id: number; key: string }>();
const heard = (bridge: string, tasks: string[] | null) =>
  env.PLANTS_DB.prepare(
    `INSERT INTO bridge_heartbeats (bridge_id, broker_connected, reported_at, valid_until, tasks) VALUES (?, 1, ?2, ?2 + 60000, ?)`,
  )
    .bind(bridge, Date.now(), tasks && JSON.stringify(tasks))
    .run();
const ask = (bridge: string, task: unknown) => call(`/bridges/${bridge}/tasks`, 'POST', task);
const idOf = async (answer: Response) => {
  expect(answer.status).toBe(201);
  return (await answer.json<{ id: number }>()).id;
};
const log = async () => {
  const { results } = await env.DB.prepare(
    "SELECT action, detail FROM access_log WHERE subject = 'bridge' ORDER BY id DESC LIMIT 3",
  ).all<{ action: string; detail: string }>();
  return results.map(({ action, detail }) => [action, JSON.parse(detail) as unknown]).toReversed();
};

test('OPS-17 a key of a bridge is made, told once, replaced and revoked, each with its line in the log', async () => {
  const first = await newKey('greenhouse', ['fern']);
  expect(first.key).toMatch(/^[\w-]{43}$/);
  const second = await newKey('greenhouse', ['fern']);
  expect((await call(`/bridges/keys/${first.id}`, 'DELETE')).status).toBe(200);
  expect((await call('/bridges/keys/9999', 'DELETE')).status).toBe(404);
  const told = await (await call('/bridges')).text();
  expect(told).not.toContain(first.key);
  expect(told).not.toContain(second.key);
  expect(await list()).toMatchObject([
    {
      bridge: 'greenhouse',
      alive: false,
      does: null,
      keys: [
        { id: second.id, plants: ['fern'], revoked_at: null },
        { id: first.id, revoked_at: expect.any(String) },
      ],
    },
  ]);
  expect(await log()).toEqual([
    ['create', { bridge: 'greenhouse', key: 'new' }],
    ['create', { bridge: 'greenhouse', key: 'new' }],
    ['delete', { bridge: 'greenhouse', key: first.id }],
  ]);
});

test.each([
  ['a name that no bridge has', { bridge: 'two words', plants: null }],
  ['a plant that can be none', { bridge: 'roof', plants: ['a/b'] }],
  ['no plant at all', { bridge: 'roof', plants: [] }],
])('OPS-17 a key for %s is refused', async (_, body) => {
  expect((await call('/bridges/keys', 'POST', body)).status).toBe(400);
  expect(await list()).toEqual([]);
});

test('OPS-17 a task waits for its bridge, holds no password, and tells what became of it', async () => {
  await newKey('greenhouse');
  await heard('greenhouse', ['board_add']);
  const id = await idOf(await ask('greenhouse', addBoard));
  expect(await (await call(`/bridges/tasks/${id}`)).json()).toMatchObject({
    id,
    kind: 'board_add',
    plant: 'fern',
    taken_at: null,
    ok: null,
    result: null,
  });
  expect(await log()).toContainEqual(['create', { bridge: 'greenhouse', task: 'board_add', plant: 'fern' }]);
  await env.PLANTS_DB.prepare(
    `UPDATE bridge_tasks SET taken_at = ?1, done_at = ?1, result = '{"ok":false,"text":"no room"}' WHERE id = ?2`,
  )
    .bind(Date.now(), id)
    .run();
  expect(await (await call(`/bridges/tasks/${id}`)).json()).toMatchObject({
    ok: false,
    result: { ok: false, text: 'no room' },
  });
  expect((await list())[0]?.tasks).toMatchObject([{ id, ok: false }]);
  // What is old goes with the next one.
  await env.PLANTS_DB.prepare('UPDATE bridge_tasks SET created_at = created_at - ?')
    .bind(BRIDGE_TASK_RETENTION_MS + 1)
    .run();
  await idOf(await ask('greenhouse', addBoard));
  expect((await call(`/bridges/tasks/${id}`)).status).toBe(404);
});

test('OPS-17 what a bridge cannot do is said before it is asked', async () => {
  const statusOf = async (bridge: string, task: unknown) => (await ask(bridge, task)).status;
  expect(await statusOf('nowhere', addBoard)).toBe(404);
  await newKey('roof', ['moss']);
  expect(await (await ask('roof', addBoard)).json()).toMatchObject({
    error: { message: expect.stringContaining('업그레이드') },
  });
  await heard('roof', ['board_add', 'board_revoke', 'replay']);
  expect(await statusOf('roof', { kind: 'backup' })).toBe(409);
  for (const kind of ['board_add', 'board_revoke'])
    expect(await statusOf('roof', { ...addBoard, kind })).toBe(409);
  expect(await statusOf('roof', { ...addBoard, plant: 'moss' })).toBe(201);
  expect(await statusOf('roof', { ...addBoard, plant: 'moss', entry: 'plain password' })).toBe(400);
  expect(await statusOf('roof', { kind: 'reboot' })).toBe(400);
  for (let open = 1; open < 10; open++)
    expect(await statusOf('roof', { kind: 'replay', ids: [1] })).toBe(201);
  expect(await statusOf('roof', { kind: 'replay', ids: [1] })).toBe(409);
});
