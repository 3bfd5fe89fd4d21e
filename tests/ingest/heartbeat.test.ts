import { env } from 'cloudflare:workers';
import { database } from '#db/client';
import { beforeEach, describe, expect, test } from 'vitest';
import { recordBoardPresence, recordHeartbeat } from '../../ingest/src/heartbeats-data.ts';
import { countedD1 } from '../support/counted-d1.ts';
import {
  addKey,
  freshDatabase,
  instant,
  KEY,
  NOW,
  OTHER_KEY,
  post,
  postReadings,
  reading,
  revoke,
} from './support.ts';
import * as z from 'zod';

beforeEach(freshDatabase);

type StoredHeartbeat = {
  bridge_id: string;
  broker_connected: number;
  reported_at: number;
  valid_until: number;
  broker_heard_at: number;
  spool_known_at: number;
  version: string | null;
};

async function heartbeats(): Promise<StoredHeartbeat[]> {
  return (await env.PLANTS_DB.prepare('SELECT * FROM bridge_heartbeats').all<StoredHeartbeat>()).results;
}

describe('heartbeat', () => {
  test("a bridge's last word replaces the one before, by the server clock", async () => {
    expect((await post('/heartbeat', { broker_connected: true, valid_for_ms: 75_000 })).status).toBe(200);
    expect((await post('/heartbeat', { broker_connected: false, valid_for_ms: 5000 })).status).toBe(200);
    const results = await heartbeats();
    expect(results).toHaveLength(1);
    const [row] = results;
    expect(row).toMatchObject({ bridge_id: 'greenhouse', broker_connected: 0 });
    expect(Math.abs((row?.reported_at ?? 0) - Date.now())).toBeLessThan(30_000);
    expect((row?.valid_until ?? 0) - (row?.reported_at ?? 0)).toBe(5000);
  });

  test('OPS-8 keeps the version that a bridge tells of itself, and takes one that tells none or nonsense', async () => {
    const told = async (headers: Record<string, string>) => {
      const answer = await post(
        '/heartbeat',
        { broker_connected: true, valid_for_ms: 5000 },
        { beside: headers },
      );
      expect(answer.status).toBe(200);
      return (await heartbeats())[0]?.version;
    };
    expect(await told({ 'x-bridge-version': '1.20.3' })).toBe('1.20.3');
    expect(await told({ 'x-bridge-version': '<b>1</b>' })).toBeNull();
    expect(await told({})).toBeNull();
  });

  test.each([
    ['{', 400],
    ['{"broker_connected":1,"valid_for_ms":5000}', 400],
    ['{"broker_connected":true,"valid_for_ms":5}', 400],
  ])('SEC-24 the heartbeat %s is %d', async (content, status) => {
    expect((await post('/heartbeat', content)).status).toBe(status);
    expect(await heartbeats()).toEqual([]);
  });

  test('ING-2 a forged heartbeat is 401', async () => {
    const heartbeat = { broker_connected: true, valid_for_ms: 75_000 };
    expect((await post('/heartbeat', heartbeat, { key: 'x'.repeat(40) })).status).toBe(401);
    expect(await heartbeats()).toEqual([]);
  });

  test('PLT-5 tells of the boards; the later word of two bridges counts, and no clock runs ahead', async () => {
    await postReadings([reading({ plant: 'fern' })]);
    const tell = (boards: { plant: string; online: boolean; at: string }[], key?: string) =>
      post(
        '/heartbeat',
        { broker_connected: true, valid_for_ms: 5000, boards },
        key === undefined ? {} : { key },
      );
    const told = async () => {
      const { results } = await env.PLANTS_DB.prepare(
        'SELECT name, board_online, board_at FROM plant_states JOIN plants ON plants.id = plant_id ORDER BY name',
      ).all<{ name: string; board_online: number; board_at: number }>();
      return results;
    };
    await tell([
      { plant: 'fern', online: true, at: instant(-5000) },
      { plant: '이끼', online: false, at: instant(-5000) },
    ]);
    await tell([{ plant: 'fern', online: false, at: instant(-9000) }]);
    expect(await told()).toEqual([
      { name: 'fern', board_online: 1, board_at: NOW - 5000 },
      { name: '이끼', board_online: 0, board_at: NOW - 5000 },
    ]);
    await tell([{ plant: 'fern', online: false, at: instant(86_400_000) }]);
    const [fern] = await told();
    expect(fern?.board_online).toBe(0);
    expect(Math.abs((fern?.board_at ?? 0) - Date.now())).toBeLessThan(30_000);

    // A bridge reports every board of its broker; boards that its key is not for are ignored.
    await addKey(OTHER_KEY, ['fern']);
    const answer = await tell([{ plant: '남의 화분', online: true, at: instant(0) }], OTHER_KEY);
    expect(answer.status).toBe(200);
    expect(await told()).toHaveLength(2);
  });

  test('ING-7 tells how much waits in the spool, and whether it takes more', async () => {
    const spool = { depth: 12, oldest_at: instant(-60_000), dead: 3 };
    const beat = (given?: object) =>
      post('/heartbeat', { broker_connected: true, valid_for_ms: 5000, ...(given && { spool: given }) });
    const stored = { spool_depth: 12, spool_oldest_at: NOW - 60_000, spool_dead: 3 };
    expect((await beat(spool)).status).toBe(400);
    for (const state of ['ok', 'full', 'readonly', 'corrupt', 'failed']) {
      await beat({ ...spool, state });
      expect(await heartbeats()).toMatchObject([{ ...stored, spool_state: state }]);
    }
    await beat({ state: 'corrupt', depth: null, oldest_at: null, dead: null });
    expect(await heartbeats()).toMatchObject([{ spool_depth: null, spool_state: 'corrupt' }]);
    // A newer bridge may send an unknown state; its heartbeat must still count.
    expect((await beat({ ...spool, state: 'melted' })).status).toBe(200);
    expect(await heartbeats()).toMatchObject([{ ...stored, spool_state: 'failed' }]);
    await beat();
    expect(await heartbeats()).toMatchObject([
      // The last number of dead letters stays, so that a rise is found later.
      { spool_depth: null, spool_oldest_at: null, spool_dead: 3, spool_state: null },
    ]);
  });

  test('OPS-10 tells of its machine; what it leaves out is not known, and what is unknown here costs nothing', async () => {
    const beat = (machine?: object) =>
      post('/heartbeat', { broker_connected: true, valid_for_ms: 5000, ...(machine && { machine }) });
    await beat({
      certificate_until: instant(86_400_000),
      disk: { free: 5, size: 10, kind: 'card' },
      dead_boards: [{ plant: 'a/b', messages: 3 }],
      boards_passed_over: 7,
      temperature: 41,
    });
    expect(await heartbeats()).toMatchObject([
      {
        certificate_until: NOW + 86_400_000,
        disk_free: 5,
        disk_size: 10,
        dead_boards: '[{"plant":"a/b","messages":3}]',
        boards_passed_over: 7,
      },
    ]);
    await beat();
    expect(await heartbeats()).toMatchObject([
      {
        certificate_until: null,
        disk_free: null,
        disk_size: null,
        dead_boards: null,
        boards_passed_over: null,
      },
    ]);
  });

  test('OPS-10 the time is kept when the number of its dead letters last rose', async () => {
    const rises: boolean[] = [];
    for (const dead of [null, 1, 2, 2, null, 2, 1, null, 3]) {
      await env.PLANTS_DB.prepare('UPDATE bridge_heartbeats SET dead_at = 1').run();
      const spool = { state: 'ok', depth: 0, oldest_at: null, dead };
      await post('/heartbeat', { broker_connected: true, valid_for_ms: 5000, spool });
      const at = await env.PLANTS_DB.prepare('SELECT dead_at FROM bridge_heartbeats').first<number | null>(
        'dead_at',
      );
      rises.push((at ?? 0) > 1);
    }
    expect(rises).toEqual([false, true, true, false, false, false, false, false, true]);
  });

  test('SEC-46 ING-9 tells which boards are over their quota, as far as its key covers them; what it leaves out stays', async () => {
    const over = (...plants: string[]) => plants.map((plant) => ({ plant, waiting: 12_000, refused: 3 }));
    const beat = (over_quota?: object[], key?: string) =>
      post(
        '/heartbeat',
        { broker_connected: true, valid_for_ms: 5000, ...(over_quota && { over_quota }) },
        key === undefined ? {} : { key },
      );
    const told = async () => {
      const [row] = (
        await env.PLANTS_DB.prepare(
          'SELECT over_quota, over_quota_at, reported_at FROM bridge_heartbeats',
        ).all<{
          over_quota: string | null;
          over_quota_at: number | null;
          reported_at: number;
        }>()
      ).results;
      const boards: unknown = JSON.parse(row?.over_quota ?? 'null');
      return { boards, isNow: row?.over_quota_at === row?.reported_at };
    };
    // A bridge of a version without quotas.
    expect((await beat()).status).toBe(200);
    expect(await told()).toEqual({ boards: null, isNow: false });
    await beat(over('fern', '이끼'));
    expect(await told()).toEqual({ boards: over('fern', '이끼'), isNow: true });
    await env.PLANTS_DB.prepare('UPDATE bridge_heartbeats SET over_quota_at = 1').run();
    await beat();
    expect(await told()).toEqual({ boards: over('fern', '이끼'), isNow: false });
    await beat([]);
    expect(await told()).toEqual({ boards: [], isNow: true });
    await addKey(OTHER_KEY, ['fern']);
    await beat(over('fern', '남의 화분'), OTHER_KEY);
    expect(await told()).toEqual({ boards: over('fern'), isNow: true });
    expect((await beat([{ plant: 'fern', waiting: -1, refused: 0 }])).status).toBe(400);
    expect((await beat(over(...Array.from({ length: 101 }, (_, n) => `p${n}`)))).status).toBe(400);
  });

  test('OPS-4 keeps when the bridge last heard its broker and knew its spool, from its first word on', async () => {
    const beat = (broker_connected: boolean, state?: string) =>
      post('/heartbeat', {
        broker_connected,
        valid_for_ms: 5000,
        ...(state !== undefined && { spool: { state, depth: 0, oldest_at: null, dead: 0 } }),
      });
    const known = async () => {
      const [row] = await heartbeats();
      return { heard: row?.broker_heard_at ?? 0, known: row?.spool_known_at ?? 0, at: row?.reported_at ?? 0 };
    };
    await beat(false);
    const first = await known();
    expect(first).toEqual({ heard: first.at, known: first.at, at: first.at });
    await env.PLANTS_DB.prepare(
      'UPDATE bridge_heartbeats SET broker_heard_at = 5, spool_known_at = 6, reported_at = reported_at - 9',
    ).run();
    await beat(false);
    expect(await known()).toMatchObject({ heard: 5, known: 6 });
    await beat(true);
    expect(await known()).toMatchObject({ heard: (await known()).at, known: 6 });
    await beat(false, 'full');
    const last = await known();
    expect(last.known).toBe(last.at);
    expect(last.heard).toBeLessThanOrEqual(last.at);
  });

  test('SEC-48 an older heartbeat, however late it comes, does not take the place of a newer one', async () => {
    const beat = (broker_connected: boolean, secondsOff: number) =>
      post('/heartbeat', { broker_connected, valid_for_ms: 5000 }, { secondsOff });
    await beat(true, -20);
    expect((await beat(false, -30)).status).toBe(200);
    expect(await heartbeats()).toMatchObject([{ broker_connected: 1 }]);
    await beat(false, -10);
    expect(await heartbeats()).toMatchObject([{ broker_connected: 0 }]);
    // After a clock that was ahead is corrected, the next heartbeat counts at once.
    await beat(true, 240);
    await beat(false, 0);
    expect(await heartbeats()).toMatchObject([{ broker_connected: 0 }]);
  });

  test('ING-13 writes its own row and one for each board that has something new to say', async () => {
    const boards = Array.from({ length: 500 }, (_, n) => ({
      plant: `fern-${n}`,
      online: true,
      at: NOW - 5000,
    }));
    let beats = 0;
    const written = async (told: typeof boards) => {
      const counts = { written: 0, size: 0 };
      beats += 1000;
      const db = database(countedD1(env.PLANTS_DB, counts));
      await recordHeartbeat(db, {
        bridgeId: 'greenhouse',
        brokerConnected: true,
        reportedAt: NOW + beats,
        signedAt: NOW + beats,
        validUntil: NOW + 75_000,
        version: null,
        machine: {},
        spool: null,
        overQuota: null,
      });
      if (told.length > 0) await recordBoardPresence(db, told, 0);
      return counts.written;
    };
    await written(boards);
    expect(await written(boards)).toBe(1);
    expect(await written([])).toBe(1);
    const changed = boards.map((board, n) => (n % 100 === 0 ? { ...board, online: false, at: NOW } : board));
    expect(await written(changed)).toBe(1 + 5);
    // Reports of another bridge about the same boards, from before or from the same time.
    expect(await written(changed)).toBe(1);
    expect(await written(boards)).toBe(1);
  });
});

describe('tasks', () => {
  const beat = async (more: object, signing = {}) => {
    const answer = await post('/heartbeat', { broker_connected: true, valid_for_ms: 5000, ...more }, signing);
    expect(answer.status).toBe(200);
    return await answer.json<{ tasks?: unknown }>();
  };
  const ask = (id: number, kind: string, ageMs = 0, bridge = 'greenhouse', plant?: string) =>
    env.PLANTS_DB.prepare('INSERT INTO bridge_tasks (id, bridge_id, task, created_at) VALUES (?, ?, ?, ?)')
      .bind(id, bridge, JSON.stringify({ kind, plant }), Date.now() - ageMs)
      .run();
  const does = { machine: { tasks: ['dead_letters', 'backup'] } };
  const results = async () => {
    const { results: rows } = await env.PLANTS_DB.prepare(
      'SELECT id, taken_at IS NOT NULL AS taken, result FROM bridge_tasks ORDER BY id',
    ).all<{ id: number; taken: number; result: string | null }>();
    return rows.map(({ id, taken, result }) => [id, taken, result && (JSON.parse(result) as unknown)]);
  };

  test('OPS-17 a bridge is given its open tasks until their results come, and the first result counts', async () => {
    await ask(2, 'backup');
    await ask(1, 'dead_letters');
    await ask(3, 'backup', 0, 'roof');
    await ask(4, 'backup', 121_000);
    // An older bridge reports no kinds of tasks, and gets no tasks.
    expect((await beat({})).tasks).toBeUndefined();
    const given = [
      { id: 1, task: { kind: 'dead_letters' } },
      { id: 2, task: { kind: 'backup' } },
    ];
    expect((await beat(does)).tasks).toEqual(given);
    expect((await beat(does)).tasks).toEqual(given);
    expect((await beat({ ...does, result: { id: 1, ok: true, text: 'none' } })).tasks).toEqual(
      given.slice(1),
    );
    // Results for another bridge's task, and for a task that is already done.
    await beat({ result: { id: 3, ok: true, text: 'not mine' } });
    await beat({ result: { id: 1, ok: false, text: 'again' } });
    expect(await results()).toEqual([
      [1, 1, { ok: true, text: 'none' }],
      [2, 1, null],
      [3, 0, null],
      [4, 0, null],
    ]);
  });

  test('SEC-106 a key for some plants is given, and answers, what is about these alone, and no file leads out of its folder', async () => {
    const weak = { key: OTHER_KEY };
    await addKey(OTHER_KEY, ['fern']);
    for (const [id, plant] of [
      [1, 'basil'],
      [2, 'fern'],
    ] as const)
      await ask(id, 'board_add', 0, 'greenhouse', plant);
    await ask(3, 'backup');
    const given = async (signing: object) => {
      const { tasks } = await beat(does, signing);
      return z
        .array(z.object({ id: z.int() }))
        .parse(tasks)
        .map(({ id }) => id);
    };
    expect(await given(weak)).toEqual([2]);
    for (const id of [1, 2, 3]) await beat({ result: { id, ok: true, text: '' } }, weak);
    expect((await results()).map(([id, , result]) => [id, result !== null])).toEqual([
      [1, false],
      [2, true],
      [3, false],
    ]);
    expect(await given({})).toEqual([1, 3]);
    for (const path of ['../../evil/main.py', '/etc/x', 'a/../b', 'C:\\x', 'a\u202e.py', '.profile', '']) {
      const result = { id: 1, ok: true, text: '', files: [{ path, text: '' }] };
      const said = await post('/heartbeat', { broker_connected: true, valid_for_ms: 5000, result });
      expect(said.status, path).toBe(400);
    }
    // If the key for all plants is revoked, the limited key gets the task.
    await revoke(KEY);
    expect(await given(weak)).toEqual([3]);
  });

  test('OPS-17 the last words of a bridge take back nothing of what it does', async () => {
    await beat(does);
    await beat({});
    const [row] = await heartbeats();
    expect(row).toMatchObject({ tasks: JSON.stringify(does.machine.tasks) });
    await beat({}, { beside: { 'x-bridge-version': '0.0.1' } });
    expect((await heartbeats())[0]).toMatchObject({ tasks: null });
  });
});
