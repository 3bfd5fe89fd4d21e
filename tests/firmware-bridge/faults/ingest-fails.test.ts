import type { Change } from '../support/bridge.ts';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Delivery } from '../../../firmware-bridge/src/deliver/delivery.ts';
import { Health } from '../../../firmware-bridge/src/health.ts';
import type { IngestAnswer } from '../../../firmware-bridge/src/deliver/ingest-client.ts';
import { openSpool } from '../../../firmware-bridge/src/spool/spool.ts';
import { knownClock } from '../support/clocks.ts';
import { fewOrMany } from '../../support/counts.ts';
import { error, json } from '../support/ingest-server.ts';
import { freshFolder, until } from '../support/processes.ts';
import { honest, startDoor, type Door, type Meddler } from './proxies.ts';
import { seededRandom } from '../../../local/boards/seeded-random.ts';
import { printTableAtTheEnd, proveNothingLost, seeds, startPublisher, startSystem } from './support.ts';

printTableAtTheEnd();

async function startWithDoor(change?: Change) {
  let door: Door | undefined;
  const system = await startSystem(async ({ ingest }) => {
    door = await startDoor(ingest.url);
    return { INGEST_URL: door.url };
  }, change);
  if (door === undefined) throw new Error('no door');
  return { ...system, door };
}

const refusals = [500, 503, 429];
/** Wrong answers instead of a receipt, some of them after the rows were stored. */
const lies: Meddler[] = [
  async (_request, _response, forward) => void (await forward()),
  async (_request, response, forward) => {
    const { text } = await forward();
    // A correct receipt, sent letter by letter, which would take minutes.
    const letters = text[Symbol.iterator]();
    response.writeHead(200, { 'content-type': 'application/json' });
    const trickle = setInterval(() => response.write(letters.next().value ?? ' '), 100);
    response.on('close', () => clearInterval(trickle));
  },
  async (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hi</html>'),
  async (_request, response) => void response.destroy(),
  async (_request, response) => void response.writeHead(200).end('{"results":[]}'),
  async (_request, response, forward) => {
    const { text } = await forward();
    response.writeHead(200, { 'content-length': text.length }).write(text.slice(0, -5));
    response.destroy();
  },
  async (_request, response, forward) => {
    await forward();
    response.writeHead(502).end();
  },
  async (_request, response, forward) => {
    const { text } = await forward();
    // A receipt with fewer rows than were sent.
    response.writeHead(200).end(text.replace('{"status":"stored"}', ''));
  },
];

describe('fault 5: the ingest worker answers 500, 503 and 429', () => {
  test('FAULT-5 ING-3 for half an hour: attempts grow rarer up to a cap, Retry-After is obeyed, nothing is lost', async () => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
      vi.restoreAllMocks();
    });
    const spool = openSpool(join(freshFolder(), 'spool.sqlite'));
    const message = {
      topic: 'lab/plants/fern/soil_moisture',
      payload: Buffer.from('[1,2,3]'),
      retained: false,
      receivedAt: Date.now(),
    };
    spool.commit([message]);
    const attempts: { at: number; asked: number }[] = [];
    const began = Date.now();
    const halfAnHour = 30 * 60_000;
    const health = new Health(() => spool.status());
    const delivery = new Delivery(
      () => spool,
      {
        askTime: () => Promise.resolve(null),
        sendHeartbeat: () => Promise.resolve({ arrived: true }),
        sendReadings: (readings): Promise<IngestAnswer> => {
          const late = Date.now() - began > halfAnHour;
          const status = refusals[attempts.length % refusals.length] ?? 500;
          const retryAfterMs = status === 429 ? 120_000 : 0;
          attempts.push({ at: Date.now(), asked: retryAfterMs });
          return Promise.resolve(
            late
              ? { kind: 'accepted', results: readings.map(() => ({ status: 'stored' })) }
              : {
                  kind: 'failed',
                  failure: 'ingest_failing',
                  reason: `HTTP ${status}`,
                  status,
                  retryAfterMs,
                  requestId: 'test',
                  rows: [],
                },
          );
        },
      },
      health,
      knownClock(),
    );
    await vi.advanceTimersByTimeAsync(halfAnHour);
    expect(spool.status()).toMatchObject({ depth: 3, deadLetters: 0 });
    const gaps = attempts.slice(1).map(({ at }, index) => at - (attempts[index]?.at ?? 0));
    for (const [index, gap] of gaps.entries())
      expect(gap).toBeGreaterThanOrEqual(attempts[index]?.asked ?? 0);
    // At its maximum, a reading is postponed for a minute, added to the backoff.
    expect(Math.max(...gaps)).toBeLessThanOrEqual(120_000);
    expect(attempts.length).toBeGreaterThan(halfAnHour / 120_000);
    expect(attempts.length).toBeLessThan(halfAnHour / 10_000);
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(spool.status()).toMatchObject({ depth: 0, deadLetters: 0 });
    await delivery.stop();
    spool.close();
  });

  test.each(seeds)(
    'FAULT-5 ING-3 the bridge stays with its broker and keeps taking readings (seed %d)',
    async (seed) => {
      const { door, ...system } = await startWithDoor();
      const random = seededRandom(seed);
      const publisher = await startPublisher(system.broker, random);
      door.meddleWith(async (_request, response) => {
        const status = refusals[Math.floor(random() * 3)] ?? 500;
        json(
          status,
          error('unavailable'),
          status === 429 ? { 'retry-after': '1' } : {},
        )(response, {
          path: '',
          headers: {},
          body: Buffer.alloc(0),
        });
      });
      await publisher.publish(fewOrMany(60, 2000));
      await until(
        'all spooled',
        async () => (await system.bridge.health()).spool_depth === publisher.acknowledged.size,
      );
      await until('refused', async () => !(await system.bridge.health()).ingest_reachable);
      expect(await system.bridge.health()).toMatchObject({ broker_connected: true });
      expect(system.bridge.output()).not.toContain('broker_lost');
      door.meddleWith(honest);
      await proveNothingLost('5 ingest answers 500, 503, 429', seed, system, publisher);
    },
  );
});

describe('fault 6: the ingest worker lies', () => {
  test.each(seeds)(
    'FAULT-6 ING-3 a reading leaves the spool on nothing but a receipt (seed %d)',
    async (seed) => {
      const { door, ...system } = await startWithDoor((config) => ({
        ...config,
        ingest: { ...config.ingest, timeoutMs: 1000 },
      }));
      const random = seededRandom(seed);
      const publisher = await startPublisher(system.broker, random);
      const due: Meddler[] = [];
      door.meddleWith((request, response, forward) => {
        const chance = random() < fewOrMany(0, 0.3) ? lies[Math.floor(random() * lies.length)] : undefined;
        return (due.pop() ?? chance ?? honest)(request, response, forward);
      });
      // After each wrong answer comes a correct answer, so that the pauses between attempts stay short.
      for (const lie of lies) {
        due.push(lie);
        await publisher.publish(fewOrMany(15, 400));
        await until('lie told', () => due.length === 0);
        await until('spool empty', async () => (await system.bridge.health()).spool_depth === 0);
      }
      await proveNothingLost('6 ingest times out, trickles, truncates, lies', seed, system, publisher);
      expect(await system.ingest.count()).toBe(publisher.acknowledged.size);
    },
  );
});

describe('faults 9 and 13: D1 aborts a batch', () => {
  test.each(seeds)(
    'FAULT-9 FAULT-13 ING-3 one row on which D1 fails is found; its neighbours pass, whole batches (seed %d)',
    async (seed) => {
      const system = await startSystem();
      const publisher = await startPublisher(system.broker, seededRandom(seed));
      await system.ingest.run(
        "CREATE TRIGGER poison BEFORE INSERT ON plant_readings WHEN NEW.seq = 17 BEGIN SELECT raise(ABORT, 'no'); END",
      );
      const count = fewOrMany(60, 3000);
      await publisher.publish(count);
      await until('its neighbours stored', async () => (await system.ingest.count()) === count - 1);
      expect((await system.bridge.health()).dead_letters).toBe(0);
      await system.ingest.run('DROP TRIGGER poison');
      await proveNothingLost('9 one row fails until D1 is mended', seed, system, publisher);
    },
  );

  test.each(seeds)(
    'FAULT-9 ING-3 one row that is always rejected becomes a dead letter (seed %d)',
    async (seed) => {
      const system = await startSystem();
      const publisher = await startPublisher(system.broker, seededRandom(seed));
      await publisher.publish(20);
      await until('stored', async () => (await system.ingest.count()) === 20);
      // Stores another value for a later reading, so that this reading conflicts.
      await system.ingest.run(
        `CREATE TRIGGER rival BEFORE INSERT ON plant_readings WHEN NEW.seq = 25 AND NEW.refused_time IS NULL BEGIN
         INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at, refused_time)
         SELECT NEW.plant_id, NEW.measured_at, NEW.seq, 1023 - NEW.soil_moisture, NEW.received_at, 0; END`,
      );
      await publisher.publish(20);
      await until('rejected', async () => (await system.bridge.health()).dead_letters === 1);
      await system.ingest.run('DELETE FROM plant_readings WHERE seq = 25');
      await proveNothingLost('9 one row is rejected', seed, system, publisher, 1);
    },
  );
});

test.each(seeds)('FAULT-13 ING-3 while D1 is locked nothing is stored or lost (seed %d)', async (seed) => {
  const system = await startSystem();
  const publisher = await startPublisher(system.broker, seededRandom(seed));
  await publisher.publish(20);
  await until('stored', async () => (await system.ingest.count()) === 20);
  const lock = system.ingest.openFile();
  onTestFinished(() => lock.close());
  lock.exec('BEGIN IMMEDIATE');
  await publisher.publish(fewOrMany(60, 3000));
  await until('noticed', async () => !(await system.bridge.health()).ingest_reachable);
  lock.exec('ROLLBACK');
  await proveNothingLost('13 D1 is locked', seed, system, publisher);
});
