import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { PLANTS_ON_THE_WAY } from '#contract/errors';
import { groupOf } from '#contract/plant-group';
import { startDelivery } from '../../firmware-bridge/src/delivery.ts';
import { createHealth } from '../../firmware-bridge/src/health.ts';
import { createIngestClient } from '../../firmware-bridge/src/ingest-client.ts';
import { openSpool } from '../../firmware-bridge/src/spool.ts';
import { deadLettersIn } from './support/bridge.ts';
import { knownClock } from './support/clocks.ts';
import { error, json, readingsIn, startIngestServer, type Answerer } from './support/ingest-server.ts';
import { freshFolder, until } from './support/processes.ts';

beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

const KEY = 'a key for tests that nobody else uses';
/** On which the worker fails. */
const BAD = 1023;
const PACE = { lingerMs: 2, firstRetryMs: 2, longestRetryMs: 10, firstPutOffMs: 20, longestPutOffMs: 20 };

/** A bridge of every group, and a worker of several databases: groups in `closed` are on their way. */
async function bridgeOfEveryGroup(first: readonly (readonly [plant: string, value: number])[]) {
  const closed = new Set<string>();
  const taken: string[] = [];
  const asked: string[][] = [];
  let instead: Answerer | undefined;
  const server = await startIngestServer((response, request) => {
    const readings = readingsIn(request);
    asked.push(readings.map(({ plant, soil_moisture: raw }) => `${plant} ${raw}`));
    if (instead) return instead(response, request);
    const isMoving = readings.map(({ plant }) => closed.has(groupOf(plant)));
    if (readings.some(({ soil_moisture: raw }, at) => raw === BAD && !isMoving[at]))
      return json(500, error('server_error'))(response, request);
    const fresh = (asked.at(-1) ?? []).filter((words, at) => !isMoving[at] && !taken.includes(words));
    taken.push(...fresh);
    const rows = isMoving.flatMap((is, at) => (is ? [at + 1] : []));
    if (rows.length > 0)
      return json(503, { ...error(PLANTS_ON_THE_WAY), rows }, { 'retry-after': '0' })(response, request);
    return json(200, { results: readings.map(() => ({ status: 'stored' })) })(response, request);
  });
  const file = join(freshFolder(), 'spool.sqlite');
  const spool = openSpool(file);
  const clock = knownClock();
  const health = createHealth(spool.status);
  health.spoolOpened();
  health.brokerChanged(true);
  let delivery: ReturnType<typeof startDelivery> | undefined;
  onTestFinished(async () => {
    await delivery?.stop();
    spool.close();
  });
  const add = (readings: typeof first) => {
    for (const [plant, value] of readings)
      spool.commit([
        {
          topic: plant.includes('/')
            ? `lab/${plant.replace('/', '/plants/')}/soil_moisture`
            : `lab/plants/${plant}/soil_moisture`,
          payload: Buffer.from(String(value)),
          retained: false,
          receivedAt: Date.now(),
        },
      ]);
    delivery?.wake();
  };
  add(first);
  return {
    closed,
    taken,
    asked,
    spool,
    add,
    start: () => {
      const settings = { url: server.url, bridgeId: 'b', key: KEY, timeoutMs: 5000, clock };
      delivery = startDelivery(() => spool, createIngestClient(settings), health, clock, PACE);
    },
    answerWith: (answerer?: Answerer) => (instead = answerer),
    deadLetters: () => deadLettersIn(file),
    report: () => health.report(Date.now()),
  };
}

const waits = { ok: true, ingest_reachable: true, failures: [], last_error: { event: PLANTS_ON_THE_WAY } };

test('ING-17 FAULT-5 of several groups the one on its way waits, all of it and in its order, while the others are delivered', async () => {
  const moss = [1, 2, 3].map((value) => ['moss-lab/fern', value] as const);
  const bridge = await bridgeOfEveryGroup([...moss, ['fern', 4], ['reed-lab/fern', 5], ['moss-lab/ivy', 6]]);
  bridge.closed.add('moss-lab');
  bridge.start();
  await until('the others are settled', () => bridge.spool.status().depth === 4);
  expect(bridge.asked[1]).toEqual(['fern 4', 'reed-lab/fern 5']);
  // Those that come meanwhile too, however often the group is asked for again.
  for (let value = 10; value < 15; value++) {
    bridge.add([
      ['reed-lab/fern', value],
      ['moss-lab/fern', value],
    ]);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await until('delivered meanwhile', () => bridge.taken.includes(`reed-lab/fern ${value}`));
  }
  await until('settled', () => bridge.spool.status().depth === 9);
  expect(bridge.report()).toMatchObject(waits);
  const before = bridge.taken.length;
  bridge.closed.clear();
  await until('all is there', () => bridge.spool.status().depth === 0);
  expect(bridge.taken.slice(before).filter((words) => words.startsWith('moss-lab/fern'))).toEqual(
    [1, 2, 3, 10, 11, 12, 13, 14].map((value) => `moss-lab/fern ${value}`),
  );
  expect(bridge.report()).toMatchObject({ ok: true, dead_letters: 0 });
});

test.each([
  [
    'before',
    [
      ['moss-lab/fern', 1],
      ['fern', BAD],
      ['fern', 2],
    ],
  ],
  [
    'behind',
    [
      ['fern', BAD],
      ['fern', 2],
      ['moss-lab/fern', 1],
    ],
  ],
  [
    'on both sides of',
    [
      ['moss-lab/fern', 1],
      ['fern', BAD],
      ['moss-lab/ivy', 3],
      ['fern', 2],
    ],
  ],
] as const)(
  'ING-17 FAULT-9 a group on its way %s a reading on which the worker fails: that one alone becomes a dead letter',
  async (_, first) => {
    const bridge = await bridgeOfEveryGroup(first);
    bridge.closed.add('moss-lab');
    bridge.start();
    for (let value = 100; bridge.spool.status().deadLetters === 0; value++) {
      bridge.add([['reed-lab/fern', value]]);
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await until('delivered meanwhile', () => bridge.taken.includes(`reed-lab/fern ${value}`));
    }
    expect(bridge.taken).toContain('fern 2');
    expect(bridge.taken.filter((words) => words.startsWith('moss-lab'))).toEqual([]);
    bridge.closed.clear();
    await until('all is there', () => bridge.spool.status().depth === 0);
    expect(bridge.taken).toContain('moss-lab/fern 1');
    expect(bridge.deadLetters()).toMatchObject([{ reason: 'HTTP 500: 거절 (10 times alone)' }]);
  },
);

test('ING-7 ING-17 a group on its way is told of after ten minutes, whatever was wrong before, and no more once it has arrived', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1000);
  const bridge = await bridgeOfEveryGroup([['moss-lab/fern', 1]]);
  bridge.closed.add('moss-lab');
  bridge.answerWith(json(503, error('unavailable')));
  bridge.start();
  await until('failed', () => bridge.report().failures.length > 0);
  bridge.answerWith();
  await until('on its way', () => bridge.report().ok);
  expect(bridge.report()).toMatchObject(waits);
  bridge.add([['fern', 2]]);
  await until('the other is delivered', () => bridge.spool.status().depth === 1);
  now.mockReturnValue(1000 + 10 * 60_000 - 1);
  expect(bridge.report()).toMatchObject(waits);
  now.mockReturnValue(1000 + 10 * 60_000);
  expect(bridge.report()).toMatchObject({ ok: false, ingest_reachable: true, failures: [PLANTS_ON_THE_WAY] });
  bridge.closed.clear();
  await until('all is there', () => bridge.spool.status().depth === 0);
  expect(bridge.report()).toMatchObject({ ok: true, failures: [] });
});

test('ING-17 a worker that names rows of another batch is asked again as after any failure, and nothing is left out', async () => {
  const bridge = await bridgeOfEveryGroup([['fern', 1]]);
  bridge.answerWith(json(503, { ...error(PLANTS_ON_THE_WAY), rows: [2] }));
  bridge.start();
  await until('asked again', () => bridge.asked.length > 2);
  expect(bridge.taken).toEqual([]);
  bridge.answerWith();
  await until('all is there', () => bridge.spool.status().depth === 0);
  expect(bridge.taken).toEqual(['fern 1']);
});

const named = { ...error('forbidden'), rows: [1] };
test.each([
  ['a receipt', json(200, { results: [1, 2, 3].map(() => ({ status: 'stored' })) })],
  ['a refusal of one row', json(403, named)],
  ['a refusal of the whole', json(413, error('payload_too_large'))],
  ['a failure', json(500, error('server_error'))],
  ['a group on its way', json(503, { ...error(PLANTS_ON_THE_WAY), rows: [1] })],
] as const)(
  'FAULT-10 ING-3 a spool that is replaced while %s comes: nothing of the new file is settled, blamed or lost by it',
  async (_, answer) => {
    const [old, fresh] = [1, 2].map(() => openSpool(join(freshFolder(), 'spool.sqlite')));
    if (!old || !fresh) throw new Error('no spools');
    const add = (spool: typeof old, values: readonly number[]) => {
      const payload = Buffer.from(JSON.stringify(values));
      const topic = 'lab/plants/fern/soil_moisture';
      spool.commit([{ topic, payload, retained: false, receivedAt: Date.now() }]);
    };
    add(old, [1, 2, 3]);
    // The same numbers in the file, of other readings.
    add(fresh, [11, 12, 13]);
    let now = old;
    const taken: number[] = [];
    const server = await startIngestServer((response, request) => {
      if (now === old) {
        now = fresh;
        return answer(response, request);
      }
      const values = readingsIn(request).map(({ soil_moisture: raw }) => raw);
      taken.push(...values);
      return json(200, { results: values.map(() => ({ status: 'stored' })) })(response, request);
    });
    const clock = knownClock();
    const settings = { url: server.url, bridgeId: 'b', key: KEY, timeoutMs: 5000, clock };
    const health = createHealth(() => now.status());
    const delivery = startDelivery(() => now, createIngestClient(settings), health, clock, PACE);
    onTestFinished(async () => {
      await delivery.stop();
      old.close();
      fresh.close();
    });
    await until('the new file is empty', () => fresh.status().depth === 0);
    expect(taken).toEqual([11, 12, 13]);
    expect(fresh.status().deadLetters).toBe(0);
    expect(old.status()).toMatchObject({ depth: 3, deadLetters: 0 });
  },
);
