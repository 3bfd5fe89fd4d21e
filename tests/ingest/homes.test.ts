import {
  applyD1Migrations,
  createExecutionContext,
  createMessageBatch,
  getQueueResult,
} from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { PLANTS_ON_THE_WAY } from '#contract/errors';
import { BRIDGE_PLANTS_HEADER, heartbeatAnswerSchema, readingReceiptSchema } from '#contract/readings';
import { withMethods } from '#db/client';
import worker, { app } from '../../ingest/src/app.ts';
import type { QueuedReadings } from '../../ingest/src/readings-data.ts';
import { addGroupKey, bytesOf, freshDatabase, instant, reading, rowOf, signature } from './support.ts';

declare global {
  namespace Cloudflare {
    interface Env {
      /** Bound under another name: a test hands it to the worker. */
      A_SECOND_HOME: D1Database;
    }
  }
}

const MOSS = { bridgeId: 'moss-pi', key: 'a key for the plants of the moss lab' };
const EVERY = { bridgeId: 'every-pi', key: 'a key for the plants of every group' };
const several = { ...env, PLANTS_DB_2: env.A_SECOND_HOME };

beforeEach(async () => {
  await freshDatabase();
  await applyD1Migrations(env.A_SECOND_HOME, env.MIGRATIONS);
  await env.A_SECOND_HOME.batch(
    ['plant_readings', 'plants', 'plant_groups_gone'].map((table) =>
      env.A_SECOND_HOME.prepare(`DELETE FROM ${table}`),
    ),
  );
  await env.PLANTS_DB.batch([
    env.PLANTS_DB.prepare('DELETE FROM plant_groups_gone'),
    env.PLANTS_DB.prepare('DELETE FROM plant_homes'),
    env.PLANTS_DB.prepare('DELETE FROM refused_readings'),
    env.PLANTS_DB.prepare("INSERT INTO plant_homes (plant_group, home) VALUES ('moss-lab', 'PLANTS_DB_2')"),
    env.PLANTS_DB.prepare("INSERT INTO plant_groups_gone (plant_group, closed_at) VALUES ('moss-lab', 1)"),
  ]);
  await addGroupKey('moss-lab', MOSS);
  await addGroupKey('+', EVERY);
});

const closeMossLab = () =>
  env.A_SECOND_HOME.prepare(
    "INSERT INTO plant_groups_gone (plant_group, closed_at) VALUES ('moss-lab', 1)",
  ).run();

async function post(
  path: string,
  content: unknown,
  signing: object,
  bound: object = several,
): Promise<Response> {
  const body = bytesOf(content);
  const headers = { ...(await signature(path, body, signing)), [BRIDGE_PLANTS_HEADER]: '' };
  return await app.request(
    `https://ingest.test${path}`,
    { method: 'POST', body, headers },
    bound,
    createExecutionContext(),
  );
}

const stored = async (home: D1Database) =>
  (
    await home
      .prepare('SELECT topic, soil_moisture FROM plant_readings JOIN plants ON id = plant_id ORDER BY 1, 2')
      .all()
  ).results.map(({ topic, soil_moisture: raw }) => `${String(topic)} ${String(raw)}`);

test('ING-17 each row of a batch is stored in the home of its group, once, however often it comes', async () => {
  const readings = ['fern', 'moss-lab/fern', 'reed-lab/fern', 'moss-lab/ivy'].map((plant, raw) =>
    reading({ plant, soil_moisture: raw }),
  );
  for (const status of ['stored', 'duplicate']) {
    const answer = await post('/readings', { readings }, EVERY);
    const { results } = readingReceiptSchema.parse(await answer.json());
    expect(results).toEqual(readings.map(() => ({ status })));
  }
  expect(await stored(env.PLANTS_DB)).toEqual(['fern 0', 'reed-lab/fern 2']);
  expect(await stored(env.A_SECOND_HOME)).toEqual(['moss-lab/fern 1', 'moss-lab/ivy 3']);
});

test('ING-17 a heartbeat tells of boards where they live, and its answer lists the plants of every home', async () => {
  const boards = ['moss-lab/fern', 'fern'].map((plant) => ({ plant, online: true, at: instant(0) }));
  const answer = await post('/heartbeat', { broker_connected: true, valid_for_ms: 75_000, boards }, EVERY);
  const { plants } = heartbeatAnswerSchema.parse(await answer.json());
  expect(plants?.listed.map(({ plant }) => plant).toSorted()).toEqual(['fern', 'moss-lab/fern']);
  const online = (home: D1Database) =>
    home.prepare('SELECT topic FROM plant_states JOIN plants ON id = plant_id WHERE board_online').all();
  expect((await online(env.PLANTS_DB)).results).toEqual([{ topic: 'fern' }]);
  expect((await online(env.A_SECOND_HOME)).results).toEqual([{ topic: 'moss-lab/fern' }]);
});

test('ING-17 FAULT-5 a group that is closed where the directory still says it is gets 503 and nothing is stored', async () => {
  // As while it moves, and as for whoever has read the directory a moment before.
  await closeMossLab();
  const readings = [reading({ plant: 'moss-lab/fern' })];
  const boards = [{ plant: 'moss-lab/fern', online: true, at: instant(0) }];
  for (const answer of [
    await post('/readings', { readings }, MOSS),
    await post('/heartbeat', { broker_connected: true, valid_for_ms: 75_000, boards }, MOSS),
  ]) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    // By which a bridge knows that nothing is wrong.
    expect(await answer.json()).toMatchObject({ error: { code: PLANTS_ON_THE_WAY } });
  }
  expect(await stored(env.A_SECOND_HOME)).toEqual([]);
  expect(await stored(env.PLANTS_DB)).toEqual([]);
  const beats = await env.PLANTS_DB.prepare('SELECT bridge_id FROM bridge_heartbeats').all();
  expect(beats.results).toEqual([{ bridge_id: 'moss-pi' }]);
});

test('ING-17 FAULT-5 of a batch of several groups what is not on its way is stored, the rest is named, and stored when it comes again', async () => {
  await closeMossLab();
  await env.PLANTS_DB.batch([
    env.PLANTS_DB.prepare("INSERT INTO plant_groups_gone (plant_group, closed_at) VALUES ('reed-lab', 1)"),
    env.PLANTS_DB.prepare("INSERT INTO plant_homes (plant_group, home) VALUES ('ivy-lab', 'PLANTS_DB_2')"),
  ]);
  const readings = ['fern', 'moss-lab/fern', 'reed-lab/fern', 'ivy-lab/fern'].map((plant, raw) =>
    reading({ plant, soil_moisture: raw }),
  );
  // What is no reading counts too, where it stands.
  const answer = await post('/readings', { readings: [{}, ...readings] }, EVERY);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ error: { code: PLANTS_ON_THE_WAY }, rows: [3, 4] });
  expect(await stored(env.PLANTS_DB)).toEqual(['fern 0']);
  expect(await stored(env.A_SECOND_HOME)).toEqual(['ivy-lab/fern 3']);
  for (const home of [env.PLANTS_DB, env.A_SECOND_HOME])
    // oxlint-disable-next-line no-await-in-loop -- one home after the other
    await home.prepare("DELETE FROM plant_groups_gone WHERE plant_group <> 'ivy-lab'").run();
  const { results } = readingReceiptSchema.parse(await (await post('/readings', { readings }, EVERY)).json());
  expect(results.map(({ status }) => status)).toEqual(['duplicate', 'stored', 'stored', 'duplicate']);
});

test('ING-17 of a heartbeat about boards of several groups the words are stored but for those on its way, and all when it comes again', async () => {
  await closeMossLab();
  await env.PLANTS_DB.prepare(
    "INSERT INTO plant_homes (plant_group, home) VALUES ('ivy-lab', 'PLANTS_DB_2')",
  ).run();
  const boards = ['fern', 'moss-lab/fern', 'ivy-lab/fern'].map((plant) => ({
    plant,
    online: true,
    at: instant(0),
  }));
  const beat = { broker_connected: true, valid_for_ms: 75_000, boards };
  const online = async (home: D1Database) =>
    (
      await home
        .prepare('SELECT topic FROM plant_states JOIN plants ON id = plant_id WHERE board_online ORDER BY 1')
        .all()
    ).results.map(({ topic }) => topic);
  expect((await post('/heartbeat', beat, EVERY)).status).toBe(503);
  expect(await online(env.PLANTS_DB)).toEqual(['fern']);
  expect(await online(env.A_SECOND_HOME)).toEqual(['ivy-lab/fern']);
  await env.A_SECOND_HOME.prepare('DELETE FROM plant_groups_gone').run();
  expect((await post('/heartbeat', beat, EVERY)).status).toBe(200);
  expect(await online(env.A_SECOND_HOME)).toEqual(['ivy-lab/fern', 'moss-lab/fern']);
});

/** What the platform hands to the worker, a message for each list of plants, and what it answers. */
async function deliver(
  queue: string,
  messages: readonly (readonly string[])[],
  { attempts = 1, bound = several }: { attempts?: number; bound?: typeof several } = {},
) {
  const batch = createMessageBatch<QueuedReadings>(
    queue,
    messages.map((plants, at) => ({
      id: String(at),
      timestamp: new Date(),
      attempts,
      body: { rows: plants.map((plant) => rowOf(1, { plant })) },
    })),
  );
  // The result does not tell when a message is to come again.
  const delays = new Map<string, number | undefined>();
  const noted = batch.messages.map((message) =>
    withMethods(message, {
      retry: (options?: QueueRetryOptions) => {
        delays.set(message.id, options?.delaySeconds);
        message.retry(options);
      },
    }),
  );
  await worker.queue(withMethods(batch, { messages: noted }), { ...bound, LOG_LEVEL: 'error' });
  const { retryMessages, explicitAcks } = await getQueueResult(batch, createExecutionContext());
  return { done: explicitAcks, again: retryMessages.map(({ msgId }) => [msgId, delays.get(msgId)]) };
}

const refusedRows = () => env.PLANTS_DB.prepare('SELECT count(*) AS n FROM refused_readings').first('n');

test('ING-17 ING-14 behind a queue the rows of a closed group wait, those of others are stored, and none is a dead letter', async () => {
  await closeMossLab();
  for (const [queue, seconds] of [
    ['readings', 1],
    ['readings-failed', 60],
  ] as const)
    // oxlint-disable-next-line no-await-in-loop -- one queue after the other
    expect(await deliver(queue, [['moss-lab/fern'], ['fern']])).toEqual({
      done: ['1'],
      again: [['0', seconds]],
    });
  expect(await stored(env.PLANTS_DB)).toEqual(['fern 512']);
  expect(await refusedRows()).toBe(0);
});

test('ING-17 ING-14 of one message what is not on its way is stored, the rest when it comes again, and it waits a minute at most', async () => {
  await closeMossLab();
  const message = [['fern', 'moss-lab/fern', 'reed-lab/fern']];
  for (const [attempts, seconds] of [
    [1, 1],
    [3, 4],
    [19, 60],
  ] as const)
    // oxlint-disable-next-line no-await-in-loop -- one try after the other
    expect(await deliver('readings', message, { attempts })).toEqual({ done: [], again: [['0', seconds]] });
  expect(await stored(env.PLANTS_DB)).toEqual(['fern 512', 'reed-lab/fern 512']);
  expect(await stored(env.A_SECOND_HOME)).toEqual([]);
  await env.A_SECOND_HOME.prepare('DELETE FROM plant_groups_gone').run();
  expect(await deliver('readings', message)).toEqual({ done: ['0'], again: [] });
  expect(await stored(env.A_SECOND_HOME)).toEqual(['moss-lab/fern 512']);
  expect(await refusedRows()).toBe(0);
});

test('ING-17 ING-14 of a repeated reading whose group leaves while it is looked for none is taken for a plant too many', async () => {
  await deliver('readings', [['moss-lab/fern']]);
  const d1 = env.A_SECOND_HOME;
  let batches = 0;
  // It is tried as a new one, then beside what is there, and then it is looked for.
  const leaving: D1Database = withMethods(d1, {
    batch: async (statements: D1PreparedStatement[]) => {
      batches += 1;
      if (batches === 3) {
        await closeMossLab();
        await d1.prepare("UPDATE plants SET topic = '/1'").run();
      }
      return await d1.batch(statements);
    },
  });
  const bound = { ...several, PLANTS_DB_2: leaving };
  expect(await deliver('readings', [['moss-lab/fern']], { bound })).toEqual({ done: [], again: [['0', 1]] });
  expect(batches).toBe(3);
  expect(await refusedRows()).toBe(0);
});

/** The second home, but what it is asked by such words fails. */
const failingAt = (words: string, d1: D1Database = env.A_SECOND_HOME): typeof several => ({
  ...several,
  PLANTS_DB_2: withMethods(d1, {
    prepare: (query: string) => d1.prepare(query.includes(words) ? 'SELECT nothing' : query),
  }),
});

test('ING-17 FAULT-5 whether a group is on its way cannot be told: its rows wait, and none is blamed', async () => {
  await closeMossLab();
  const bound = failingAt('select "plant_group", "closed_at" from "plant_groups_gone"');
  for (const queue of ['readings', 'readings-failed'])
    // oxlint-disable-next-line no-await-in-loop -- one queue after the other
    expect((await deliver(queue, [['moss-lab/fern']], { bound })).done).toEqual([]);
  const readings = [reading({ plant: 'moss-lab/fern' })];
  expect((await post('/readings', { readings }, MOSS, bound)).status).toBe(503);
  expect(await refusedRows()).toBe(0);
});

test('ING-14 FAULT-9 with one of several databases away no row of its is at fault, and with it back the bad one alone is', async () => {
  const plants = ['moss-lab/ivy', 'moss-lab/fern', 'moss-lab/moss', 'moss-lab/reed', 'moss-lab/sage'];
  const away = await deliver('readings-failed', [plants], { bound: failingAt('INSERT') });
  expect(away).toEqual({ done: [], again: [['0', 900]] });
  expect(await refusedRows()).toBe(0);
  const d1 = env.A_SECOND_HOME;
  const bad: D1Database = withMethods(d1, {
    prepare: (query: string) => {
      const statement = d1.prepare(query);
      return query.includes('refused_readings')
        ? statement
        : withMethods(statement, {
            bind: (...values: unknown[]) =>
              values.some((value) => String(value).includes('moss-lab/moss'))
                ? d1.prepare('SELECT nothing')
                : statement.bind(...values),
          });
    },
  });
  const back = await deliver('readings-failed', [plants], { bound: { ...several, PLANTS_DB_2: bad } });
  expect(back).toEqual({ done: ['0'], again: [] });
  expect(await stored(env.A_SECOND_HOME)).toEqual(
    plants
      .filter((plant) => plant !== 'moss-lab/moss')
      .toSorted()
      .map((plant) => `${plant} 512`),
  );
  expect(await env.PLANTS_DB.prepare('SELECT reading FROM refused_readings').first('reading')).toBe(
    JSON.stringify(rowOf(1, { plant: 'moss-lab/moss' })),
  );
  expect(await d1.prepare('SELECT count(*) AS n FROM refused_readings').first('n')).toBe(0);
});

test('ING-17 PLT-11 screens are told at once of what is stored while the rest of its batch must come again', async () => {
  const told: string[] = [];
  const LIVE = {
    getByName: (group: string) => ({
      changed: async (topics: readonly string[]) => void told.push(`${group}: ${topics.join(' ')}`),
    }),
  };
  await closeMossLab();
  const plants = ['reed-lab/fern', 'moss-lab/fern', 'reed-lab/ivy'];
  const sent = { readings: plants.map((plant) => reading({ plant })) };
  for (const status of [503, 503]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await post('/readings', sent, EVERY, { ...several, LIVE })).status).toBe(status);
    // What comes again is no news.
    expect(told).toEqual(['lab/reed-lab: reed-lab/fern reed-lab/ivy']);
  }
});

test('ING-17 a plant whose topic is the name of another one is called by a number in its home too', async () => {
  await post('/readings', { readings: [reading({ plant: 'moss-lab/fern' })] }, MOSS);
  await env.A_SECOND_HOME.prepare("UPDATE plants SET name = 'moss-lab/ivy'").run();
  await post('/readings', { readings: [reading({ plant: 'moss-lab/ivy' })] }, MOSS);
  const { results } = await env.A_SECOND_HOME.prepare(
    'SELECT id, name, topic FROM plants ORDER BY topic',
  ).all();
  expect(results).toEqual([
    { id: expect.any(Number), name: 'moss-lab/ivy', topic: 'moss-lab/fern' },
    { id: expect.any(Number), name: `moss-lab/ivy #${String(results[1]?.['id'])}`, topic: 'moss-lab/ivy' },
  ]);
});
