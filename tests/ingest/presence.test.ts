import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { database } from '#db/client';
import { listPlantStates } from '#db/plant-states';
import { freshDatabase, instant, NOW, post, postReadings, reading, stored } from './support.ts';

const MINUTE = 60_000;

beforeEach(freshDatabase);

type Word = { plant: string; online: boolean | null; at: string; retained?: boolean };

async function tell(...boards: Word[]): Promise<void> {
  const answer = await post('/heartbeat', { broker_connected: true, valid_for_ms: 5000, boards });
  expect(answer.status).toBe(200);
}

const run = (sql: string) => env.PLANTS_DB.prepare(sql).run();
const states = async () =>
  (await listPlantStates(database(env.PLANTS_DB))).map(({ topic, board, board_at }) => ({
    topic,
    board,
    board_at,
  }));

/** Removes a plant at the instant, as the API worker does. */
async function remove(topic: string, at: number): Promise<void> {
  await run(`INSERT OR REPLACE INTO removed_topics VALUES ('${topic}', ${at})`);
  await run(`DELETE FROM plant_states WHERE plant_id = (SELECT id FROM plants WHERE topic = '${topic}')`);
  await run(`UPDATE plants SET topic = '/' || id, name = '/' || id WHERE topic = '${topic}'`);
}

describe('what is known of a board', () => {
  test('PLT-24 a reading that was received after `offline` proves that it is there', async () => {
    await postReadings([reading({ received_at: instant(-9 * MINUTE), datetime: instant(-9 * MINUTE) })]);
    await tell({ plant: 'fern', online: false, at: instant(-8 * MINUTE) });
    expect(await states()).toEqual([{ topic: 'fern', board: 'offline', board_at: instant(-8 * MINUTE) }]);
    // Delivered later, but received before.
    await postReadings([reading({ received_at: instant(-8.5 * MINUTE), datetime: instant(-8.5 * MINUTE) })]);
    expect(await states()).toMatchObject([{ board: 'offline' }]);
    await postReadings([reading({ received_at: instant(-7 * MINUTE), datetime: instant(-120 * MINUTE) })]);
    expect(await states()).toEqual([{ topic: 'fern', board: 'online', board_at: instant(-7 * MINUTE) }]);
    await tell({ plant: 'fern', online: false, at: instant(-6 * MINUTE) });
    expect(await states()).toMatchObject([{ board: 'offline' }]);
  });

  test('PLT-24 an `offline` that was retained says nothing of a board that keeps its limit', async () => {
    await postReadings([reading({ received_at: instant(-20 * MINUTE), datetime: instant(-20 * MINUTE) })]);
    const retained = { plant: 'fern', online: false, at: instant(0), retained: true };
    await tell(retained);
    expect(await states()).toMatchObject([{ board: null }]);
    await run('UPDATE plant_states SET stale_after_minutes = 15');
    await tell(retained);
    expect(await states()).toMatchObject([{ board: 'offline' }]);
    await tell({ ...retained, online: true, at: instant(1) });
    expect(await states()).toMatchObject([{ board: 'online' }]);
  });

  test('PLT-24 when its retained word was taken away nothing is known, as of a board that never had one', async () => {
    await postReadings([reading()]);
    const before = await states();
    await tell({ plant: 'fern', online: false, at: instant(-5000) });
    await tell({ plant: 'fern', online: null, at: instant(-4000) });
    expect(await states()).toEqual(before);
    // Another bridge has received the message earlier.
    await tell({ plant: 'fern', online: false, at: instant(-4500) });
    expect(await states()).toEqual(before);
    await tell({ plant: 'fern', online: true, at: instant(-3000) });
    expect(await states()).toMatchObject([{ board: 'online' }]);
    await tell({ plant: 'moss', online: null, at: instant(0) });
    expect(await states()).toHaveLength(1);
  });

  test('PLT-24 the boards that connect again and again are kept with the heartbeat that names them', async () => {
    const beat = async (machine: object) => {
      const heartbeat = { broker_connected: true, valid_for_ms: 5000, machine };
      expect((await post('/heartbeat', heartbeat)).status).toBe(200);
      return await env.PLANTS_DB.prepare('SELECT boards_reconnecting FROM bridge_heartbeats').first(
        'boards_reconnecting',
      );
    };
    expect(await beat({ boards_reconnecting: ['fern', '이끼'] })).toBe('["fern","이끼"]');
    expect(await beat({})).toBeNull();
  });
});

describe('a removed plant', () => {
  const old = reading({ datetime: instant(-30 * MINUTE), received_at: instant(-30 * MINUTE) });

  test('PLT-24 is not brought back by what its board had said before, and nobody has to look after it', async () => {
    await postReadings([old]);
    await remove('fern', NOW - 10 * MINUTE);
    await tell({ plant: 'fern', online: false, at: instant(0), retained: true });
    await tell({ plant: 'fern', online: true, at: instant(1) });
    expect(await states()).toEqual([]);
    const kept = await stored();
    const before = [old, { ...old, seq: 3, received_at: instant(-20 * MINUTE) }, reading({ plant: 'moss' })];
    expect(await postReadings(before)).toEqual([
      { status: 'duplicate' },
      { status: 'duplicate' },
      { status: 'stored' },
    ]);
    expect((await states()).map(({ topic }) => topic)).toEqual(['moss']);
    expect(await stored()).toHaveLength(kept.length + 1);
  });

  test.each([
    ['received', { datetime: instant(-60 * MINUTE) }],
    ['measured', { received_at: instant(-60 * MINUTE) }],
  ])('PLT-24 comes back with a reading that was %s since, and without the older ones', async (_, changes) => {
    await postReadings([old]);
    await remove('fern', NOW - 10 * MINUTE);
    expect(await postReadings([reading(changes), { ...old, seq: 9 }])).toEqual([
      { status: 'stored' },
      { status: 'duplicate' },
    ]);
    const count =
      "SELECT count(*) AS n FROM plant_readings JOIN plants ON plants.id = plant_id WHERE topic = 'fern'";
    expect(await env.PLANTS_DB.prepare(count).first('n')).toBe(1);
    await tell({ plant: 'fern', online: true, at: instant(0) });
    expect(await states()).toMatchObject([{ topic: 'fern', board: 'online' }]);
  });
});

describe('names', () => {
  test.each([
    'tom ',
    ' tom',
    'tom\u200b',
    'tom\ufeff',
    't\u200dom',
    'ｔｏｍ',
    'tom\ufe0f',
    'tom\u3164',
    '\ufe0ftom',
  ])('PLT-24 %j looks like tom: it begins no plant, and the operator is told why', async (plant) => {
    const batch = [reading({ plant: 'tom' }), reading({ plant }), reading({ plant, seq: 2 })];
    const refused = {
      status: 'rejected',
      reason: 'a new plant whose name looks like another one: call it "tom" in its topic',
    };
    expect(await postReadings(batch)).toEqual([{ status: 'stored' }, refused, refused]);
    await tell({ plant, online: true, at: instant(0) });
    expect((await states()).map(({ topic }) => topic)).toEqual(['tom']);
  });

  test('PLT-24 decomposed Hangul is composed, and a name of which nothing is seen is none', async () => {
    const decomposed = '고무나무'.normalize('NFD');
    expect(await postReadings(['고무나무', decomposed, '\u3164'].map((plant) => reading({ plant })))).toEqual(
      [
        { status: 'stored' },
        { status: 'rejected', reason: expect.stringContaining('"고무나무"') },
        { status: 'rejected', reason: 'a new plant whose name cannot be seen' },
      ],
    );
  });

  test('PLT-24 a plant of such a name that was there before goes on', async () => {
    await run("INSERT INTO plants (name) VALUES ('tom ')");
    expect(await postReadings([reading({ plant: 'tom ' }), reading({ plant: 'tom' })])).toEqual([
      { status: 'stored' },
      { status: 'stored' },
    ]);
    await tell({ plant: 'tom ', online: true, at: instant(0) });
    expect(await states()).toMatchObject([{ topic: 'tom ', board: 'online' }, { topic: 'tom' }]);
  });
});
