import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { READINGS_BODY_MAX, READINGS_PER_BATCH, readingSchema, type Reading } from '#contract/readings';
import { createClock } from '../../firmware-bridge/src/clock.ts';
import { Delivery, DELIVERY_INTERVALS } from '../../firmware-bridge/src/deliver/delivery.ts';
import { BATCHES_AT_ONCE } from '../../firmware-bridge/src/deliver/batches.ts';
import { Health } from '../../firmware-bridge/src/health.ts';
import { createIngestClient } from '../../firmware-bridge/src/deliver/ingest-client.ts';
import { openSpool } from '../../firmware-bridge/src/spool/spool.ts';
import { knownClock } from './support/clocks.ts';
import { deadLettersIn } from './support/bridge.ts';
import { error, json, readingsIn, startIngestServer, type Answerer } from './support/ingest-server.ts';
import { freshFolder, until } from './support/processes.ts';

const KEY = 'a key for tests that nobody else uses';

beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

/** A worker that stores each reading once. If `refuse` returns an answer, it gives that answer instead. */
function worker(refuse: (reading: Reading[]) => Answerer | null) {
  const stored = new Map<string, number>();
  const answerer: Answerer = (response, request) => {
    const readings = readingsIn(request);
    const refusal = refuse(readings);
    if (refusal !== null) {
      refusal(response, request);
      return;
    }
    const results = readings.map(({ plant, datetime, seq, soil_moisture }) => {
      const key = `${plant} ${datetime} ${seq}`;
      const status = stored.has(key) ? 'duplicate' : 'stored';
      stored.set(key, soil_moisture);
      return { status };
    });
    json(200, { results })(response, request);
  };
  return { answerer, values: () => [...stored.values()].sort((a, b) => a - b) };
}

async function deliver(
  values: readonly number[],
  answerer: Answerer,
  { pace = DELIVERY_INTERVALS, plant = 'fern', clock = knownClock() } = {},
) {
  const file = join(freshFolder(), 'spool.sqlite');
  const spool = openSpool(file);
  const message = {
    topic: `lab/plants/${plant}/soil_moisture`,
    payload: Buffer.from(JSON.stringify(values)),
    retained: false,
    receivedAt: Date.now(),
  };
  spool.commit([message]);
  const server = await startIngestServer(answerer);
  const ingest = createIngestClient({ url: server.url, bridgeId: 'b', key: KEY, timeoutMs: 5000, clock });
  const health = new Health(() => spool.status());
  health.spoolOpened();
  health.brokerChanged(true);
  const delivery = new Delivery(() => spool, ingest, health, clock, pace);
  onTestFinished(async () => {
    await delivery.stop();
    spool.close();
  });
  const report = () => health.report(Date.now());
  return {
    server,
    delivery,
    spool,
    report,
    deadLetters: () =>
      deadLettersIn(file).map(({ payload, reason }) => ({
        values: z
          .array(readingSchema)
          .parse(JSON.parse(`[${Buffer.from(payload).toString()}]`).flat())
          .map(({ soil_moisture }) => soil_moisture),
        reason,
      })),
    empty: () => until('empty spool', () => spool.status().depth === 0),
    failed: (times: number) => until('failures', () => server.requests.length >= times),
  };
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
const busy = json(503, error('unavailable'));

describe('delivery', () => {
  test('ING-3 sends at most 500 at once, oldest first, until the spool is empty', async () => {
    const ingest = worker(() => null);
    const { server, empty, report } = await deliver(upTo(1023), ingest.answerer);
    await empty();
    expect(server.requests.map((request) => readingsIn(request).length)).toEqual([
      READINGS_PER_BATCH,
      READINGS_PER_BATCH,
      23,
    ]);
    expect(ingest.values()).toEqual(upTo(1023));
    expect(report()).toMatchObject({ ok: true, spool_depth: 0, oldest_age_ms: null });
  });

  test('ING-3 the next batch is made ready while one is away, and waits when that one has to go again', async () => {
    const ingest = worker(() => null);
    const { server, spool, empty } = await deliver(upTo(1024), (response, request) => {
      const answerer = server.requests.length === 1 ? busy : ingest.answerer;
      setTimeout(() => answerer(response, request), 40);
    });
    const oldest = vi.spyOn(spool, 'oldest');
    await empty();
    expect(oldest.mock.calls.filter(([, , besides = []]) => besides.length > 0).length).toBeGreaterThan(0);
    expect(server.requests.map((request) => readingsIn(request)[0]?.soil_moisture)).toEqual([
      0, 0, 500, 1000,
    ]);
    expect(ingest.values()).toEqual(upTo(1024));
  });

  test('ING-13 a backlog of plants with long names goes in bodies of at most 100,000 bytes, all of it', async () => {
    const ingest = worker(() => null);
    const { server, empty } = await deliver(upTo(1000), ingest.answerer, { plant: '화'.repeat(64) });
    await empty();
    expect(ingest.values()).toEqual(upTo(1000));
    const sizes = server.requests.map(({ body }) => body.byteLength);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(READINGS_BODY_MAX);
    expect(Math.max(...sizes)).toBeGreaterThan(READINGS_BODY_MAX * 0.99);
  });

  test('ING-13 readings that follow one another go together, a second after the first ones, which waited for nobody', async () => {
    let uptime = 5000;
    const clock = createClock(() => uptime, Date.now);
    clock.heard(Date.now(), uptime, uptime);
    const ingest = worker(() => null);
    const { server, spool, delivery, empty } = await deliver([0], ingest.answerer, { clock });
    await empty();
    const comes = async (value: number) => {
      const payload = Buffer.from(String(value));
      const topic = 'lab/plants/fern/soil_moisture';
      spool.commit([{ topic, payload, retained: false, receivedAt: Date.now() + value }]);
      delivery.wake();
      await nextTurn();
    };
    for (let value = 1; value < BATCHES_AT_ONCE; value++) {
      await comes(value);
      await empty();
    }
    for (let value = BATCHES_AT_ONCE; value < BATCHES_AT_ONCE + 20; value++) await comes(value);
    uptime += DELIVERY_INTERVALS.lingerMs;
    delivery.wake();
    await empty();
    expect(ingest.values()).toEqual(upTo(BATCHES_AT_ONCE + 20));
    const first = Array.from({ length: BATCHES_AT_ONCE }, () => 1);
    expect(server.requests.map((request) => readingsIn(request).length)).toEqual([...first, 20]);
  });

  test('ING-3 a lost answer costs nothing: the batch is sent again', async () => {
    const ingest = worker(() => null);
    let lost = false;
    const { empty, server } = await deliver(upTo(10), (response, request) => {
      if (lost) ingest.answerer(response, request);
      else {
        lost = true;
        json(200, { results: [] })(response, request);
      }
    });
    await empty();
    expect(server.requests).toHaveLength(2);
    expect(ingest.values()).toEqual(upTo(10));
  });

  test('ING-3 while the worker is busy nothing leaves the spool, and all of it afterwards', async () => {
    const ingest = worker(() => null);
    const { server, spool, empty, failed, report, deadLetters } = await deliver(upTo(20), busy);
    await failed(3);
    expect(spool.status()).toMatchObject({ depth: 20, deadLetters: 0 });
    expect(report()).toMatchObject({
      ok: false,
      ingest_reachable: false,
      spool_depth: 20,
      last_error: { event: 'ingest_unavailable', reason: 'HTTP 503: 거절' },
    });
    server.answerWith(ingest.answerer);
    await empty();
    expect(ingest.values()).toEqual(upTo(20));
    expect(deadLetters()).toEqual([]);
    expect(report()).toMatchObject({ ok: true });
  });

  test('ING-3 Retry-After is waited for', async () => {
    const { server, delivery, failed } = await deliver(
      upTo(3),
      json(429, error('too_many_requests'), { 'retry-after': '600' }),
    );
    await failed(1);
    delivery.wake();
    await delivery.stop();
    expect(server.requests).toHaveLength(1);
  });

  test.each([403, 400, 413])(
    'ING-3 of a batch answered with %d only the culprits become dead letters',
    async (status) => {
      const culprits = new Set([3, 17, 18]);
      const refusal = json(status, error('forbidden'));
      const ingest = worker((readings) =>
        readings.some(({ soil_moisture }) => culprits.has(soil_moisture)) ? refusal : null,
      );
      const { empty, deadLetters } = await deliver(upTo(100), ingest.answerer);
      await empty();
      expect(ingest.values()).toEqual(upTo(100).filter((value) => !culprits.has(value)));
      expect(deadLetters()).toEqual([{ values: [3, 17, 18], reason: `HTTP ${status}: 거절` }]);
    },
  );

  test('ING-3 rows that a refusal names are taken out at once, and the others are stored with the next request', async () => {
    const foreign = new Set([0, 17, 99]);
    const ingest = worker((readings) => {
      const rows = readings.flatMap(({ soil_moisture }, row) =>
        foreign.has(soil_moisture) ? [row + 1] : [],
      );
      return rows.length > 0 ? json(403, { ...error('forbidden'), rows }) : null;
    });
    const { empty, deadLetters, server } = await deliver(upTo(100), ingest.answerer);
    await empty();
    expect(ingest.values()).toEqual(upTo(100).filter((value) => !foreign.has(value)));
    expect(deadLetters()).toEqual([{ values: [0, 17, 99], reason: 'HTTP 403: 거절' }]);
    expect(server.requests).toHaveLength(2);
  });

  test('ING-3 a rejected reading becomes a dead letter with its reason', async () => {
    const { empty, deadLetters, report } = await deliver([1, 2], (response, request) => {
      const results = [{ status: 'rejected', reason: 'out of season' }, { status: 'stored' }];
      json(200, { results })(response, request);
    });
    await empty();
    expect(deadLetters()).toEqual([{ values: [1], reason: 'out of season' }]);
    expect(report()).toMatchObject({ dead_letters: 1 });
  });

  test('ING-3 a reading on which the worker always fails does not hold up its neighbours', async () => {
    const ingest = worker((readings) =>
      readings.some(({ soil_moisture }) => soil_moisture === 2) ? json(500, error('server_error')) : null,
    );
    const { spool } = await deliver(upTo(6), ingest.answerer);
    await until('neighbours stored', () => ingest.values().length === 5);
    await until('one left', () => spool.status().depth === 1);
    expect(ingest.values()).toEqual([0, 1, 3, 4, 5]);
    expect(spool.status().deadLetters).toBe(0);
  });

  test('ING-3 a reading on which the worker fails ten times while others pass becomes a dead letter', async () => {
    const ingest = worker((readings) =>
      readings.some(({ soil_moisture }) => soil_moisture === 2) ? json(500, error('server_error')) : null,
    );
    const { spool, delivery, empty, deadLetters } = await deliver([1, 2], ingest.answerer, {
      // Long enough that other readings are sent first, even on a busy machine.
      pace: { ...DELIVERY_INTERVALS, lingerMs: 2, putOff: { firstMs: 200, mostMs: 200 } },
    });
    for (let value = 3; spool.status().deadLetters === 0; value++) {
      const message = {
        topic: 'lab/plants/fern/soil_moisture',
        payload: Buffer.from(String(value)),
        retained: false,
        receivedAt: Date.now(),
      };
      spool.commit([message]);
      delivery.wake();
      await until('neighbour stored', () => spool.status().depth <= 1);
    }
    await empty();
    expect(deadLetters()).toEqual([{ values: [2], reason: 'HTTP 500: 거절 (10 times alone)' }]);
    expect(ingest.values()).not.toContain(2);
  });

  test('ING-3 while the worker fails on everything no reading is blamed', async () => {
    const ingest = worker(() => null);
    const { spool, server, empty, failed } = await deliver(upTo(4), json(500, error('server_error')), {
      pace: { ...DELIVERY_INTERVALS, lingerMs: 2, putOff: { firstMs: 20, mostMs: 20 } },
    });
    await failed(5);
    expect(spool.status()).toMatchObject({ depth: 4, deadLetters: 0 });
    server.answerWith(ingest.answerer);
    await empty();
    expect(ingest.values()).toEqual(upTo(4));
  });

  test('a stop lets the batch under way finish and begins no other', async () => {
    const ingest = worker(() => null);
    const { server, delivery, spool } = await deliver(upTo(700), (response, request) => {
      setTimeout(() => ingest.answerer(response, request), 50);
    });
    await until('a batch under way', () => server.requests.length === 1);
    await delivery.stop();
    expect(server.requests).toHaveLength(1);
    expect(spool.status().depth).toBe(200);
  });
});
