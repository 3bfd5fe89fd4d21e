import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { peakMemory } from '../../support/peak-memory.ts';
import {
  bridgeEnv,
  deadLettersIn,
  startBridge,
  startBridgeProcess,
  untilConnected,
  untilError,
} from '../support/bridge.ts';
import { connectBoard, hasMosquitto } from '../support/brokers.ts';
import { fewOrMany } from '../../support/counts.ts';
import { startIngest } from '../support/ingest.ts';
import { freshFolder, until } from '../support/processes.ts';
import { startDoor } from './proxies.ts';
import { seededRandom } from '../../../local/boards/seeded-random.ts';
import {
  anyBroker,
  ownBroker,
  printTableAtTheEnd,
  proveNothingLost,
  seeds,
  startPublisher,
  startSystem,
  startSystemOfProcesses,
} from './support.ts';

printTableAtTheEnd();

const PRLIMIT = '/usr/bin/prlimit';
const MEBIBYTE = 1024 * 1024;

describe('fault 7: everything more than once', () => {
  test.each(seeds)(
    'FAULT-7 ING-3 every publish and every POST three times and two bridges at once store each reading once (seed %d)',
    async (seed) => {
      const [ingest, broker] = await Promise.all([startIngest(), ownBroker()]);
      const door = await startDoor(ingest.url, async (_request, response, forward) => {
        const answers = await Promise.all([forward(), forward(), forward()]);
        const { status, text } = answers[seed % 3] ?? { status: 500, text: '' };
        response.writeHead(status, { 'content-type': 'application/json' }).end(text);
      });
      const env = bridgeEnv(broker, door.url, freshFolder());
      const rival: Record<string, string> = {
        ...bridgeEnv(broker, door.url, freshFolder()),
        MQTT_CLIENT_ID: 'the-other-bridge',
      };
      for (const bridge of await Promise.all([startBridge(env), startBridge(rival)])) {
        await untilConnected(bridge);
      }
      const publisher = await startPublisher(broker, seededRandom(seed));
      await publisher.publish(fewOrMany(60, 2000), { times: 3 });
      await proveNothingLost('7 everything three times, two bridges', seed, { ingest, env }, publisher);
      expect(deadLettersIn(rival['SPOOL_FILE'] ?? '')).toEqual([]);
    },
  );
});

describe.skipIf(!hasMosquitto)('two bridges of one broker', () => {
  test.each(seeds)(
    'ING-6 each reading is stored once, also when one of them dies and comes back (seed %d)',
    async (seed) => {
      const [ingest, broker] = await Promise.all([startIngest(), ownBroker()]);
      const member = (name: string): Record<string, string> => ({
        ...bridgeEnv(broker, ingest.url, freshFolder()),
        MQTT_CLIENT_ID: name,
      });
      const [env, rival] = [member('one'), member('two')];
      const bridges = await Promise.all([startBridge(env), startBridgeProcess(rival)]);
      await Promise.all(bridges.map(untilConnected));
      const publisher = await startPublisher(broker, seededRandom(seed));
      await publisher.publish(fewOrMany(100, 5000));
      await until('all stored', async () => (await ingest.count()) === publisher.acknowledged.size);
      await bridges[1].end('SIGKILL');
      await publisher.publish(fewOrMany(60, 2000));
      await startBridge(rival);
      await proveNothingLost('two bridges, one dies', seed, { ingest, env }, publisher);
    },
  );
});

describe('fault 8: malformed payloads', () => {
  test.each(seeds)(
    'FAULT-8 ING-3 malformed payloads become dead letters, each of them; the good ones between are stored (seed %d)',
    async (seed) => {
      // The board sends more dead letters than are stored.
      const system = await startSystem(undefined, (config) => ({
        ...config,
        spoolLimits: { ...config.spoolLimits, deadLetterBytes: 200 * MEBIBYTE },
      }));
      const random = seededRandom(seed);
      const board = await connectBoard(system.broker);
      const publisher = await startPublisher(system.broker, random);
      const bad = new Set<string>();
      const kinds = [
        (n: number) => `NaN ${n}`,
        (n: number) => `-${n + 1}`,
        (n: number) => String(1024 + n),
        (n: number) => `"${n}"`,
        (n: number) => `{"__proto__":{"polluted":${n}}}`,
        (n: number) => '['.repeat(500 + n),
        (n: number) => `{"soil_moisture":${n}.5}`,
        (n: number) => 'x'.repeat(random() < 0.02 ? MEBIBYTE + n : 2000 + n),
      ];
      for (let n = 0; n < fewOrMany(160, 10_000); n++) {
        const payload = kinds[n % kinds.length]?.(n) ?? '';
        bad.add(payload);
        await board.publishAsync('lab/plants/fern/soil_moisture', payload, { qos: 1 });
        if (n % 8 === 0) await publisher.publish(1);
      }
      const all = {
        published: publisher.published + bad.size,
        acknowledged: new Set([...publisher.acknowledged, ...bad]),
      };
      await proveNothingLost('8 malformed payloads', seed, system, all, bad.size);
      expect(system.bridge.output()).not.toContain('broker_lost');
    },
  );

  test('FAULT-8 ING-5 SEC-46 messages of fifty thousand values that are none cost a dead letter and a line of the log each, and no memory', async () => {
    const messages = fewOrMany(2, 12);
    const values = 50_000;
    const system = await startSystemOfProcesses(() =>
      Promise.resolve({ BOARD_QUOTA_READINGS: String(2 * messages * values) }),
    );
    const board = await connectBoard(system.broker);
    const payload = JSON.stringify(Array.from({ length: values }, () => 'wet'));
    for (let n = 0; n < messages; n++) {
      await board.publishAsync('lab/plants/fern/soil_moisture', payload, { qos: 1 });
    }
    await board.publishAsync('lab/plants/fern/soil_moisture', '512', { qos: 1 });
    await until('stored', async () => (await system.ingest.count()) === 1, 300_000);
    await until('all dead', async () => {
      const { dead_letters, dead_letter_readings } = await system.bridge.health();
      return dead_letters === messages && dead_letter_readings === messages * values;
    });
    expect(system.bridge.output().split('"dead_letter"')).toHaveLength(1 + messages);
    expect(peakMemory(system.bridge.child)).toBeLessThan(250 * MEBIBYTE);
  });
});

describe('fault 10: the disk', () => {
  test.skipIf(!existsSync(PRLIMIT)).each(seeds)(
    'FAULT-10 ING-3 on a full disk nothing is acknowledged, an alarm is raised, and all arrives when there is room (seed %d)',
    async (seed) => {
      const system = await startSystemOfProcesses();
      const publisher = await startPublisher(system.broker, seededRandom(seed));
      await publisher.publish(20);
      await until('stored', async () => (await system.ingest.count()) === 20);
      const limit = (size: string) =>
        spawnSync(PRLIMIT, [`--pid=${system.bridge.child.pid}`, `--fsize=${size}:unlimited`]).status;
      expect(limit('4096')).toBe(0);
      await publisher.publish(fewOrMany(60, 1000));
      // It depends on what fails first: a commit, or opening the spool again.
      await until('alarm', async () =>
        /^spool_(failed|full)$/.test((await system.bridge.health()).last_error?.event ?? ''),
      );
      expect((await system.bridge.health()).status).toBe(503);
      expect(await system.ingest.count()).toBe(20);
      expect(limit('unlimited')).toBe(0);
      await proveNothingLost('10 disk full', seed, system, publisher);
      expect(system.bridge.child.exitCode).toBeNull();
    },
  );

  test('FAULT-10 ING-3 a corrupt spool is left alone, an alarm is raised, and the broker keeps what boards send', async () => {
    const [ingest, broker] = await Promise.all([startIngest(), anyBroker()]);
    const env = bridgeEnv(broker, ingest.url, freshFolder());
    const first = await startBridge(env);
    await untilConnected(first);
    await first.end();
    const file = env['SPOOL_FILE'] ?? '';
    writeFileSync(file, 'no database at all '.repeat(1000));
    const bridge = await startBridge(env);
    await untilError(bridge, 'spool_corrupt');
    const publisher = await startPublisher(broker, seededRandom(1));
    await publisher.publish(20);
    expect(await bridge.health()).toMatchObject({
      status: 503,
      broker_connected: false,
      spool_writable: false,
    });
    expect(readFileSync(file, 'utf8')).toContain('no database at all');
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    await untilConnected(bridge);
    await proveNothingLost('10 spool corrupt', 1, { ingest, env }, publisher);
  });
});

/** Root may write to every file, so the bridge must run without this right. */
const asMereMortal =
  process.getuid?.() === 0
    ? ['/usr/bin/setpriv', '--bounding-set=-dac_override', '--inh-caps=-dac_override']
    : [];

test.skipIf(!asMereMortal.slice(0, 1).every((program) => existsSync(program)))(
  'FAULT-10 ING-3 on a read-only spool nothing is acknowledged, an alarm is raised, and all arrives when it can be written',
  async () => {
    const [ingest, broker] = await Promise.all([startIngest(), anyBroker()]);
    const folder = freshFolder();
    const env = bridgeEnv(broker, ingest.url, folder);
    const first = await startBridge(env);
    await untilConnected(first);
    await first.end();
    const file = env['SPOOL_FILE'] ?? '';
    chmodSync(file, 0o444);
    chmodSync(folder, 0o555);
    const bridge = await startBridgeProcess(env, { behind: asMereMortal });
    await until('alarm', async () =>
      (await bridge.health()).failures.some((name) => /^spool_(readonly|failed)$/.test(name)),
    );
    const publisher = await startPublisher(broker, seededRandom(2));
    await publisher.publish(20);
    expect(await bridge.health()).toMatchObject({
      status: 503,
      broker_connected: false,
      spool_writable: false,
      last_error: {
        reason: expect.stringMatching(
          /spool\.sqlite cannot be used as a database: this user has no permission\./,
        ),
      },
    });
    expect(await ingest.count()).toBe(0);
    chmodSync(folder, 0o755);
    chmodSync(file, 0o644);
    await untilConnected(bridge);
    await proveNothingLost('10 spool read-only', 2, { ingest, env }, publisher);
  },
);

describe('fault 11: clocks', () => {
  test('FAULT-11 ING-3 reversed order and wrong clocks: all are stored, the unbelievable at their receipt and flagged', async () => {
    const system = await startSystem();
    const board = await connectBoard(system.broker);
    const began = Date.now();
    const day = 86_400_000;
    const clocks = [0, -day, -2 * day, day, Date.UTC(1970, 0, 1) - began, Date.UTC(2106, 1, 7) - began];
    for (const [seq, offset] of clocks.entries()) {
      const datetime = new Date(began + offset).toISOString();
      await board.publishAsync(
        'lab/plants/fern/soil_moisture',
        JSON.stringify({ soil_moisture: seq, datetime, seq }),
        {
          qos: 1,
        },
      );
    }
    await until('stored', async () => (await system.ingest.count()) === clocks.length);
    const rows = (await system.ingest.readings()).sort((a, b) => a.seq - b.seq);
    for (const [seq, offset] of clocks.entries()) {
      const row = rows[seq];
      const isBelievable = seq < 3;
      expect(row?.refused_time).toBe(isBelievable ? null : began + offset);
      expect(row?.measured_at).toBe(isBelievable ? began + offset : row?.received_at);
      // The bridge uses the server's clock, which it knows with an error of half a round trip.
      expect(row?.received_at).toBeGreaterThan(began - 1000);
    }
    const inOrder = await system.ingest.readings();
    expect(inOrder.map(({ measured_at }) => measured_at)).toEqual(
      inOrder.map(({ measured_at }) => measured_at).sort((a, b) => a - b),
    );
  });
});

describe('fault 12: a burst', () => {
  test.each(seeds)(
    'FAULT-12 ING-5 a burst, then 1,000 a second, stay within 200 MB of memory, and it stays flat (seed %d)',
    async (seed) => {
      const system = await startSystemOfProcesses();
      const publisher = await startPublisher(system.broker, seededRandom(seed));
      const peak = () => peakMemory(system.bridge.child);
      const stream = () => publisher.publish(fewOrMany(1000, 20_000), { inFlight: 100, aSecond: 1000 });
      await publisher.publish(fewOrMany(2000, 50_000), { inFlight: 100 });
      await stream();
      const before = peak();
      await stream();
      expect(peak() - before).toBeLessThan(32 * MEBIBYTE);
      await proveNothingLost('12 a burst, then 1,000 a second', seed, system, publisher);
      expect(peak()).toBeLessThan(200 * MEBIBYTE);
    },
  );
});

test('ING-1 what a board says of itself reaches D1 with the next heartbeat, at once when it changes', async () => {
  const system = await startSystem(() => Promise.resolve({ HEARTBEAT_SECONDS: '600' }));
  const board = await connectBoard(system.broker);
  const word = async () => {
    const file = system.ingest.openFile({ readOnly: true });
    const found = file
      .prepare('SELECT board_online FROM plant_states JOIN plants ON plants.id = plant_id WHERE name = ?')
      .get('moss');
    file.close();
    return found?.['board_online'];
  };
  for (const [said, stored] of [
    ['online', 1],
    ['offline', 0],
    ['online', 1],
  ] as const) {
    await board.publishAsync('lab/plants/moss/availability', said, { qos: 1, retain: true });
    await until(`${said} in D1`, async () => (await word()) === stored);
  }
  await board.publishAsync('lab/plants/moss/availability', 'perhaps', { qos: 1 });
  await board.publishAsync('lab/plants/moss/availability', 'or not', { qos: 1 });
  await board.publishAsync('lab/plants/moss/availability', 'offline', { qos: 1 });
  await until('offline in D1', async () => (await word()) === 0);
  expect(system.bridge.output().split('availability_not_understood')).toHaveLength(2);
});
