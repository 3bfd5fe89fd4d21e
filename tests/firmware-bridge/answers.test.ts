import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { BOARDS_MAX, createBoards } from '../../firmware-bridge/src/broker/boards.ts';
import { Delivery } from '../../firmware-bridge/src/deliver/delivery.ts';
import { Discovery } from '../../firmware-bridge/src/home-assistant/discovery.ts';
import { Health } from '../../firmware-bridge/src/health.ts';
import { startHeartbeat } from '../../firmware-bridge/src/deliver/heartbeat.ts';
import { createIngestClient } from '../../firmware-bridge/src/deliver/ingest-client.ts';
import { openSpool } from '../../firmware-bridge/src/spool/spool.ts';
import { knownClock } from './support/clocks.ts';
import { deadLettersIn } from './support/bridge.ts';
import { fewOrMany } from '../support/counts.ts';
import { error, json, readingsIn, startIngestServer, type Answerer } from './support/ingest-server.ts';
import { freshFolder, until } from './support/processes.ts';

beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

const nobodyTold = new Discovery(false, 'lab/bridges/b/availability');

const KEY = 'a key for tests that nobody else uses';
const BAD = 1023;
/** Short pauses, because the tests check only the order of events. */
const PACE = {
  lingerMs: 2,
  retry: { firstMs: 2, mostMs: 10 },
  putOff: { firstMs: 100, mostMs: 100 },
};

const stored: Answerer = (response, request) =>
  json(200, { results: readingsIn(request).map(() => ({ status: 'stored' })) })(response, request);

/** Every kind of answer, with the failure that the health report must show. */
const answers: Record<string, { answer: Answerer; failure: string | null }> = {
  'a receipt': { answer: stored, failure: null },
  'HTML with 200': {
    answer: (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hi</p>'),
    failure: 'ingest_no_receipt',
  },
  'a receipt cut short': {
    answer: (response) => {
      response.writeHead(200, { 'content-length': 500 }).write('{"results":[');
      setTimeout(() => response.destroy(), 5);
    },
    failure: 'ingest_unreachable',
  },
  '401 for a wrong clock': {
    answer: json(401, { ...error('unauthorized'), server_time: 1_800_000_000 }),
    failure: 'ingest_wrong_clock',
  },
  '401': { answer: json(401, error('unauthorized')), failure: 'ingest_unauthorized' },
  '403': { answer: json(403, error('forbidden')), failure: null },
  '413': { answer: json(413, error('payload_too_large')), failure: null },
  "a proxy's 403": {
    answer: (response) => void response.writeHead(403).end('<p>no</p>'),
    failure: 'ingest_refused',
  },
  '429 with Retry-After': {
    answer: json(429, error('too_many_requests'), { 'retry-after': '1' }),
    failure: 'ingest_too_many_requests',
  },
  '500': { answer: json(500, error('server_error')), failure: 'ingest_failing' },
  '503': { answer: json(503, error('unavailable')), failure: 'ingest_unavailable' },
  '503 of a proxy with another code': {
    answer: json(503, error('plants')),
    failure: 'ingest_unavailable',
  },
  'no answer in time': { answer: () => undefined, failure: 'ingest_timed_out' },
  'a broken connection': { answer: (response) => void response.destroy(), failure: 'ingest_unreachable' },
};
const kinds = Object.keys(answers);
/** A short run tests each thirteenth of the 196 pairs: each of the 14 kinds is then first and second. */
const pairs = kinds
  .flatMap((first) => kinds.map((second) => [first, second] as const))
  .filter((_, n) => n % fewOrMany(13, 1) === 0);
/** How many pairs run at once: they mostly wait. */
const AT_ONCE = fewOrMany(6, 17);
const groups = Array.from({ length: Math.ceil(pairs.length / AT_ONCE) }, (_, n) =>
  pairs.slice(n * AT_ONCE, (n + 1) * AT_ONCE),
);

/** Delivers twenty good readings and one reading on which the worker always fails. */
async function deliver(due: Answerer[], url?: string) {
  const file = join(freshFolder(), 'spool.sqlite');
  const spool = openSpool(file);
  const add = (values: readonly number[]) => {
    const message = {
      topic: 'lab/plants/fern/soil_moisture',
      payload: Buffer.from(JSON.stringify(values)),
      retained: false,
      receivedAt: Date.now(),
    };
    spool.commit([message]);
  };
  const good = Array.from({ length: 20 }, (_, n) => n);
  add([BAD, ...good]);
  const taken = new Set<number>();
  const server = await startIngestServer((response, request) => {
    const now = due.shift();
    if (now !== undefined && now !== stored) return now(response, request);
    const values = readingsIn(request).map(({ soil_moisture }) => soil_moisture);
    if (values.includes(BAD)) return json(500, error('server_error'))(response, request);
    for (const value of values) taken.add(value);
    return stored(response, request);
  });
  const clock = knownClock();
  const settings = { url: url ?? server.url, bridgeId: 'b', key: KEY, timeoutMs: 2000, clock };
  const health = new Health(() => spool.status());
  health.spoolOpened();
  health.brokerChanged(true);
  const delivery = new Delivery(() => spool, createIngestClient(settings), health, clock, PACE);
  onTestFinished(async () => {
    await delivery.stop();
    spool.close();
  });
  return { file, spool, delivery, health, add, good, taken };
}

test.each(groups.map((group, n) => [n + 1, group] as const))(
  'ING-3 FAULT-9 after a 500 as the first answer of all, every two kinds of answer: the bad reading alone becomes a dead letter (group %d)',
  async (_, group) => {
    await Promise.all(
      group.map(async ([a, b]) => {
        const due = ['500', a, b].map((kind) => answers[kind]?.answer ?? stored);
        const { file, spool, delivery, health, add, good, taken } = await deliver(due);
        const seen = new Set<string>();
        // A reading counts as the cause only if other readings are stored, so add some.
        for (let more = 100; spool.status().deadLetters === 0; more++) {
          add([more]);
          good.push(more);
          delivery.wake();
          await until(`${a}, ${b}: delivered but for the bad one`, () => {
            for (const name of health.report(Date.now()).failures) seen.add(name);
            return spool.status().depth <= 1;
          });
        }
        await until(`${a}, ${b}: empty`, () => spool.status().depth === 0);
        expect([...taken].sort((x, y) => x - y)).toEqual(good);
        const dead = deadLettersIn(file);
        expect(dead).toHaveLength(1);
        expect(Buffer.from(dead[0]?.payload ?? []).toString()).toContain(`"soil_moisture":${BAD}`);
        expect(dead[0]?.reason).toBe('HTTP 500: 거절 (10 times alone)');
        // No answer of the worker counts as a failure of the disk or the program.
        expect([...seen].filter((name) => !name.startsWith('ingest_'))).toEqual([]);
        expect(health.report(Date.now())).toMatchObject({ spool_writable: true });
      }),
    );
  },
);

describe('each kind of failure has its own name', () => {
  test.each(Object.entries(answers).filter(([, { failure }]) => failure !== null))(
    'ING-7 %s',
    async (_, { answer, failure }) => {
      const { health } = await deliver(Array.from({ length: 1000 }, () => answer));
      await until('noticed', () => health.report(Date.now()).last_error !== null);
      expect(health.report(Date.now())).toMatchObject({
        ok: false,
        spool_writable: true,
        ingest_reachable: false,
        failures: [failure],
        last_error: { event: failure },
      });
    },
  );

  test('ING-7 a worker that nobody listens for', async () => {
    const { health } = await deliver([], 'http://127.0.0.1:1');
    await until('noticed', () => health.report(Date.now()).last_error !== null);
    expect(health.report(Date.now()).failures).toEqual(['ingest_unreachable']);
  });

  test.each(Object.entries(answers).filter(([kind]) => !['a receipt', 'HTML with 200'].includes(kind)))(
    'ING-7 a heartbeat that gets %s is named also while no reading waits, until one arrives',
    async (_, { answer }) => {
      const server = await startIngestServer(answer);
      const clock = knownClock();
      const health = new Health(() => null);
      health.spoolOpened();
      health.brokerChanged(true);
      expect(health.report(Date.now())).toMatchObject({ ok: true, ingest_reachable: true });
      const settings = { url: server.url, bridgeId: 'b', key: KEY, timeoutMs: 500, clock };
      const boards = createBoards(clock, () => undefined);
      const heartbeat = startHeartbeat(20, createIngestClient(settings), health, boards, nobodyTold);
      onTestFinished(heartbeat.stop);
      await until('noticed', () => !health.report(Date.now()).ok);
      expect(health.report(Date.now())).toMatchObject({
        ingest_reachable: false,
        failures: ['heartbeat_failed'],
        last_error: { event: 'heartbeat_failed' },
      });
      server.answerWith(json(200, {}));
      await until('well again', () => health.report(Date.now()).ok);
    },
  );

  test('OPS-10 a heartbeat tells how many boards are passed over, and nothing of it while there are none', async () => {
    const server = await startIngestServer(json(200, {}));
    const clock = knownClock();
    const settings = { url: server.url, bridgeId: 'b', key: KEY, timeoutMs: 500, clock };
    const boards = createBoards(clock, () => undefined);
    const heartbeat = startHeartbeat(
      20,
      createIngestClient(settings),
      new Health(() => null),
      boards,
      nobodyTold,
    );
    onTestFinished(heartbeat.stop);
    await until('told', () => server.requests.length > 0);
    expect(server.requests[0]?.body).not.toContain('boards_passed_over');
    for (let n = 0; n < BOARDS_MAX + 3; n += 1) {
      const topic = `lab/plants/plant ${n}/availability`;
      boards.heard({ topic, payload: Buffer.from('online'), retained: false, ...clock.stamp() });
    }
    const last = () => server.requests.at(-1)?.body ?? '';
    await until('told', () => last().includes('"machine":{"boards_passed_over":3}'));
  });

  test('SEC-76 a board that goes on and off all the time makes a heartbeat a second, and its last word arrives', async () => {
    const server = await startIngestServer(json(200, {}));
    const clock = knownClock();
    const settings = { url: server.url, bridgeId: 'b', key: KEY, timeoutMs: 500, clock };
    const boards = createBoards(clock, () => heartbeat.tell());
    const health = new Health(() => null);
    const heartbeat = startHeartbeat(60_000, createIngestClient(settings), health, boards, nobodyTold);
    onTestFinished(heartbeat.stop);
    const startedAt = Date.now();
    for (let time = 0; time < 100; time += 1) {
      const payload = Buffer.from(time % 2 === 0 ? 'online' : 'offline');
      boards.heard({ topic: 'lab/plants/fern/availability', payload, retained: false, ...clock.stamp() });
      await wait(5);
    }
    const seconds = (Date.now() - startedAt) / 1000;
    expect(server.requests.length).toBeLessThanOrEqual(2 + seconds);
    await until('told', () => server.requests.at(-1)?.body.includes('"online":false') ?? false);
    expect(server.requests.length).toBeLessThanOrEqual(2 + (Date.now() - startedAt) / 1000);
  });

  test('ING-7 an exception of the program is neither the disk’s nor the worker’s fault, and ends with the next success', async () => {
    const { health, spool } = await deliver([stored]);
    const broken = vi.spyOn(spool, 'oldest').mockImplementation(() => {
      throw new TypeError('nobody thought of this');
    });
    await until('noticed', () => health.report(Date.now()).failures.includes('delivery_broken'));
    expect(health.report(Date.now())).toMatchObject({
      ok: false,
      spool_writable: true,
      last_error: { event: 'delivery_broken', reason: 'nobody thought of this' },
    });
    broken.mockRestore();
    await until('well again', () => !health.report(Date.now()).failures.includes('delivery_broken'));
  });
});
