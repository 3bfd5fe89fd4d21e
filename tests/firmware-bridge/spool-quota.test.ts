import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { MqttMessage } from '../../firmware-bridge/src/broker/decode.ts';
import type { BoardLimits } from '../../firmware-bridge/src/spool/quota.ts';
import { openSpool, type Spool } from '../../firmware-bridge/src/spool/spool.ts';
import { fewOrMany } from '../support/counts.ts';
import { seededRandom } from '../../local/boards/seeded-random.ts';

import { freshFolder } from './support/processes.ts';

const NOW = Date.UTC(2026, 2, 2);
const LATER = NOW + 1_000_000;
const MEGABYTE = 1024 * 1024;

const limits: BoardLimits = {
  burst: 1000,
  perMinute: 60,
  waitingReadings: 3000,
  waitingBytes: MEGABYTE,
  deadLetterBytes: MEGABYTE,
  boards: 1000,
};

/** A spool with quotas, and with a clock that the test sets. */
function open(
  file: string,
  {
    changes = {},
    boot = 'a',
    at = 0,
  }: {
    changes?: Partial<BoardLimits>;
    boot?: string;
    at?: number;
  } = {},
) {
  const clock = { now: at };
  const spool = openSpool(file, { ...limits, ...changes }, { boot, uptime: () => clock.now });
  let isOpen = true;
  const close = () => {
    if (isOpen) spool.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { spool, clock, close };
}

const freshFile = () => join(freshFolder(), 'spool.sqlite');

function message(plant: string, payload: unknown, changes: Partial<MqttMessage> = {}): MqttMessage {
  return {
    topic: `lab/plants/${plant}/soil_moisture`,
    payload: Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)),
    retained: false,
    receivedAt: NOW,
    ...changes,
  };
}

/** So many numbered readings. */
const readings = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => ({
    soil_moisture: (from + n) % 1024,
    seq: from + n,
    datetime: new Date(NOW).toISOString(),
  }));

/** Delivers all due readings, and returns their numbers. */
function deliver(spool: Spool): number[] {
  const numbers: number[] = [];
  for (;;) {
    spool.unpack();
    const batch = spool.oldest(500, LATER);
    if (batch.length === 0) return numbers;
    numbers.push(...batch.map(({ reading }) => reading.seq ?? -1));
    spool.settle(batch, [], NOW);
  }
}

const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, n) => from + n);

describe('a board beyond its quota', () => {
  test('ING-9 SEC-46 what is within it goes first, the rest waits in order and goes as its tokens come back', () => {
    const { spool, clock } = open(freshFile());
    expect(spool.commit([message('fern', readings(1400))])).toMatchObject({ over: ['fern'], within: [] });
    spool.commit([message('fern', readings(1, 1400)[0]), message('moss', readings(1)[0])]);
    expect(spool.status()).toMatchObject({
      depth: 1001,
      waiting: 401,
      overQuota: [{ plant: 'fern', waiting: 401, refused: 0 }],
      deadLetters: 0,
    });
    expect(deliver(spool).toSorted((a, b) => a - b)).toEqual([0, ...upTo(1000)]);
    expect(spool.status()).toMatchObject({ depth: 0, oldestReceivedAt: null, waiting: 401 });
    expect(spool.nextTokenIn()).toBe(1000);

    clock.now = 60_000;
    spool.unpack();
    // The readings have waited for their quota, not for the ingest worker, so there is no oldest reading.
    expect(spool.status()).toMatchObject({ depth: 60, oldestReceivedAt: null, waiting: 341 });
    expect(deliver(spool)).toEqual(upTo(60, 1000));
    clock.now = 401_000;
    expect(deliver(spool)).toEqual(upTo(341, 1060));
    expect(spool.status()).toMatchObject({ waiting: 0, overQuota: [{ plant: 'fern', waiting: 0 }] });
    clock.now = 501_000;
    expect(spool.unpack()).toMatchObject({
      within: [{ plant: 'fern', refused_messages: 0, refused_readings: 0 }],
    });
    expect(spool.status().overQuota).toEqual([]);
    expect(spool.nextTokenIn()).toBeNull();
  });

  test('ING-9 the time in which the worker is away costs no board its quota', () => {
    const { spool, clock } = open(freshFile(), { changes: { perMinute: 6000 } });
    for (let second = 0; second < 30; second++) {
      clock.now = second * 1000;
      spool.commit([message('fern', readings(100, second * 100))]);
    }
    expect(spool.status()).toMatchObject({ depth: 3000, waiting: 0, overQuota: [] });
    expect(deliver(spool)).toEqual(upTo(3000));
  });

  test.each([
    ['the same boot goes on with the tokens and with the time since', 'a', 30_000, 30],
    ['another boot begins with the tokens that were left', 'b', 5, 0],
  ])('ING-9 over a restart nothing that waits is lost: %s', (_, boot, at, back) => {
    const file = freshFile();
    const before = open(file);
    before.spool.commit([message('fern', readings(1200))]);
    before.spool.unpack();
    const sent = before.spool.oldest(300, LATER);
    before.spool.settle(sent, [], NOW);
    before.close();

    const { spool, clock } = open(file, { boot, at });
    expect(spool.status().overQuota).toEqual([{ plant: 'fern', waiting: 200, refused: 0 }]);
    expect(deliver(spool)).toEqual(upTo(700 + back, 300));
    clock.now = at + 200_000;
    expect(deliver(spool)).toEqual(upTo(200 - back, 1000 + back));
  });

  test('ING-9 whatever is sent in whatever order and however often the bridge dies, each reading leaves once', () => {
    const random = seededRandom(20_261_122);
    const roomy = { waitingReadings: 1e9, waitingBytes: 1e9 };
    for (let run = 0; run < fewOrMany(1, 60); run++) {
      const file = freshFile();
      let now = 0;
      const sent: number[] = [];
      const left: number[] = [];
      for (let life = 0; life < 4; life++) {
        const { spool, clock, close } = open(file, { at: now, changes: roomy });
        for (let step = 0; step < 8; step++) {
          clock.now = now += Math.floor(random() * 20_000);
          const count = 1 + Math.floor(random() ** 3 * 3000);
          const from = sent.length;
          sent.push(...upTo(count, from));
          spool.commit([message(random() < 0.8 ? 'fern' : 'moss', readings(count, from))]);
          spool.unpack();
          const batch = spool.oldest(Math.floor(random() * 700), LATER);
          spool.settle(batch, [], NOW);
          left.push(...batch.map(({ reading }) => reading.seq ?? -1));
        }
        close();
      }
      const { spool, clock } = open(file, { at: now, changes: roomy });
      while (spool.status().waiting > 0) {
        clock.now += 1_000_000;
        left.push(...deliver(spool));
      }
      left.push(...deliver(spool));
      expect(left).toHaveLength(sent.length);
      expect(new Set(left).size).toBe(sent.length);
    }
  });
});

describe('what is too much even to wait', () => {
  test('ING-9 SEC-46 is refused message by message, counted, and folded into one count: the disk is bounded', () => {
    const file = freshFile();
    const { spool } = open(file, { changes: { deadLetterBytes: 200_000 } });
    const flood = message('fern', readings(1000));
    const messages = fewOrMany(100, 2000);
    let refused = 0;
    for (let n = 0; n < messages; n++) {
      refused += spool.commit([flood]).outcomes.filter((outcome) => outcome === 'refused').length;
    }
    // A thousand readings are due, and three thousand wait.
    expect(refused).toBe(messages - 4);
    expect(spool.status()).toMatchObject({
      depth: 1000,
      waiting: 3000,
      overQuota: [{ plant: 'fern', waiting: 3000, refused: refused * 1000 }],
      deadLetters: refused,
      deadReadings: refused * 1000,
    });
    const db = new DatabaseSync(file);
    const [counted] = db.prepare('SELECT * FROM dead_letters WHERE folded = 1').all();
    const rows = db.prepare('SELECT count(*) AS rows FROM dead_letters').get()?.['rows'];
    db.close();
    expect(counted).toMatchObject({
      topic: 'lab/plants/fern/soil_moisture',
      reason: expect.stringContaining('quota'),
      payload: new Uint8Array(),
    });
    expect(Number(counted?.['messages'])).toBe(refused - Number(rows) + 1);
    expect(statSync(file).size).toBeLessThan(2 * MEGABYTE);
  });

  test('ING-9 by bytes as well as by readings, and one board’s room is not another’s', () => {
    const { spool } = open(freshFile(), { changes: { waitingBytes: 10_000 } });
    spool.commit([message('fern', readings(1000))]);
    const long = `${JSON.stringify({ soil_moisture: 1 })}${' '.repeat(4800)}`;
    const outcomes = [1, 2, 3].flatMap(() => spool.commit([message('fern', long)]).outcomes);
    expect(outcomes).toEqual(['kept', 'kept', 'refused']);
    expect(spool.commit([message('moss', long)]).outcomes).toEqual(['kept']);
    expect(spool.status().overQuota.map(({ plant }) => plant)).toEqual(['fern']);
  });
});

describe('one message', () => {
  test('SEC-46 is one dead letter, whatever it holds, and its good elements are stored', () => {
    const { spool } = open(freshFile(), { changes: { burst: 100_000 } });
    const elements = upTo(40_000).map((n) => (n % 100 === 0 ? n : 'wet'));
    spool.commit([
      message(
        'fern',
        elements.map((element) => (typeof element === 'number' ? 7 : element)),
      ),
    ]);
    expect(spool.status()).toMatchObject({ depth: 40_000, deadLetters: 0 });
    const delivered = deliver(spool);
    expect(delivered).toHaveLength(400);
    expect(spool.status()).toMatchObject({ depth: 0, deadLetters: 1, deadReadings: 39_600 });
    expect(JSON.parse(Buffer.from(spool.nextDeadLetter(0)?.payload ?? []).toString())).toHaveLength(39_600);
  });

  test('SEC-46 of which the worker rejects everything is one dead letter, that can be replayed', () => {
    const { spool } = open(freshFile(), { changes: { burst: 100_000 } });
    spool.commit([message('fern', readings(3000))]);
    for (;;) {
      spool.unpack();
      const batch = spool.oldest(500, LATER);
      if (batch.length === 0) break;
      spool.settle(
        [],
        batch.map((row) => Object.assign(row, { reason: 'another value is stored' })),
        NOW,
      );
    }
    expect(spool.status()).toMatchObject({ depth: 0, deadLetters: 1, deadReadings: 3000 });
    expect(spool.nextDeadLetter(0)).toMatchObject({ reason: 'another value is stored', messages: 1 });
  });
});

test('ING-9 a message of a megabyte, and each step with what it holds, take less than a second of the processor', () => {
  const shipped = { burst: 50_000, waitingReadings: 200_000, waitingBytes: 20 * MEGABYTE };
  const { spool } = open(freshFile(), { changes: shipped });
  const flood = message('flood', readings(14_000));
  const neighbour = message('fern', readings(1)[0]);
  expect(flood.payload.byteLength).toBeGreaterThan(0.9 * MEGABYTE);
  // Messages within the burst, beyond the burst, and refused messages: other boards wait for this time.
  for (let n = 0; n < 22; n++) {
    const before = process.cpuUsage();
    spool.commit([flood, neighbour]);
    spool.unpack();
    const batch = spool.oldest(500, LATER);
    spool.settle(batch, [], NOW);
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(1_000_000);
    expect(batch.filter(({ reading }) => reading.plant === 'fern')).toHaveLength(1);
  }
});

test('ING-9 a batch holds as much of each board as of any other, and what some leave is not wasted', () => {
  const { spool } = open(freshFile(), { changes: { burst: 100_000 } });
  spool.commit(readings(5000).map((one) => message('flood', one)));
  spool.commit([message('fern', readings(3)), message('moss', readings(300))]);
  const count = (batch: ReturnType<Spool['oldest']>) =>
    Object.fromEntries(
      [...Map.groupBy(batch, ({ reading }) => reading.plant)].map(([plant, of]) => [plant, of.length]),
    );
  expect(count(spool.oldest(500, LATER))).toEqual({ flood: 331, fern: 3, moss: 166 });
  expect(count(spool.oldest(1, LATER))).not.toEqual(count(spool.oldest(1, LATER)));
});

test('SEC-88 rejected readings have four times the room of other dead letters, and are only counted beyond it', () => {
  const { spool } = open(freshFile(), { changes: { deadLetterBytes: 2000 } });
  spool.commit(readings(100).map((reading) => message('fern', reading)));
  const rows = spool.oldest(100, LATER);
  spool.settle(
    [],
    rows.map((row) => Object.assign(row, { reason: 'another value' })),
    NOW,
  );
  expect(spool.status()).toMatchObject({ depth: 0, deadLetters: 100, deadReadings: 100 });
  expect(spool.deadLetterBytes()).toBeGreaterThan(6000);
  expect(spool.deadLetterBytes()).toBeLessThan(8500);
  // Readings of another board are stored.
  spool.commit([message('moss', readings(1)[0])]);
  const [row] = spool.oldest(1, LATER);
  if (row) spool.settle([], [{ ...row, reason: 'another value' }], NOW);
  expect(spool.nextDeadLetter(spool.newestDeadLetter() - 1)).toMatchObject({ folded: 0, readings: 1 });
});

test('SEC-89 names that somebody makes up at an open broker fill neither quotas nor dead letters, and let go again', () => {
  const { spool, clock } = open(freshFile());
  const names = Array.from({ length: 1100 }, (_, n) => `made-up-${n}`);
  const { outcomes } = spool.commit(names.map((name) => message(name, readings(1)[0])));
  expect(outcomes.filter((outcome) => outcome === 'kept')).toHaveLength(1000);
  expect(outcomes.slice(1000)).toEqual(Array.from({ length: 100 }, () => 'refused'));
  // Readings of a known board are stored.
  expect(spool.commit([message('made-up-3', readings(1, 1)[0])]).outcomes).toEqual(['kept']);
  clock.now += 61_000;
  expect(spool.commit([message('fern', readings(1)[0])]).outcomes).toEqual(['kept']);

  spool.commit(names.map((name) => message(`other-${name}`, 'wet')));
  const before = spool.deadLetterBytes();
  spool.commit(names.map((name) => message(`third-${name}`, 'wet')));
  expect(spool.deadLetterBytes()).toBe(before);
  expect(spool.status().deadLetters).toBe(100 + 2200);
});
