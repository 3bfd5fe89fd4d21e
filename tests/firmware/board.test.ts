import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fewOrMany } from '../support/counts.ts';
import type { Broker } from '../firmware-bridge/support/brokers.ts';
import { seeded, seeds, startSystem, type System } from '../firmware-bridge/faults/support.ts';
import { freshFolder, start, until, type Started } from '../firmware-bridge/support/processes.ts';
import { PLANT } from './plant.ts';

const READINGS = fewOrMany(600, 10_000);
const EVERY_MS = 2;
/** Bytes of a record in the board's flash, whose first four are its number. */
const RECORD = 14;
const MEMORY_MAX = 64 * 1024;

function startBoard(broker: Broker, file: string, readings = READINGS): Started {
  return start(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'tests/firmware/board-process.ts'],
    { MQTT_URL: broker.url, FLASH_FILE: file, READINGS: String(readings), EVERY_MS: String(EVERY_MS) },
  );
}

/** How many readings the board has numbered. */
function numbered(file: string): number {
  const flash = readFileSync(file);
  return flash.readUInt32BE(flash.length - (flash.length % RECORD) - RECORD) + 1;
}

const through = (board: Started) =>
  until(`the board is through:\n${board.output()}`, () => board.output().includes('through'), 300_000);

/** Every reading that the board numbered is stored, once, and none was refused. */
async function expectAllOnce({ ingest }: System, count: number): Promise<void> {
  await until(`${count} stored`, async () => (await ingest.count()) >= count, 120_000);
  const rows = await ingest.readings();
  expect(rows.map(({ plant }) => plant).filter((plant) => plant !== PLANT)).toEqual([]);
  expect(rows.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(
    Array.from({ length: count }, (_, seq) => seq),
  );
}

test.each(seeds)(
  'ING-11 FAULT-1 the board keeps what it measures while the broker is gone, and all of it is stored once (seed %d)',
  async (seed) => {
    const system = await startSystem();
    const random = seeded(seed);
    const file = join(freshFolder(), 'readings.bin');
    const board = startBoard(system.broker, file);
    await until('the first are stored', async () => (await system.ingest.count()) > 20);
    await system.broker.process.end('SIGTERM');
    await wait(300 + random() * 300);
    await system.broker.restart();
    await through(board);
    expect(board.output()).toContain('no connection');
    expect(numbered(file)).toBeGreaterThanOrEqual(READINGS);
    await expectAllOnce(system, numbered(file));
    const memory = Number(/memory=(\d+)/.exec(board.output())?.[1]);
    expect(memory).toBeGreaterThan(0);
    expect(memory).toBeLessThanOrEqual(MEMORY_MAX);
  },
);

test.each(seeds)(
  'ING-11 FAULT-4 kill -9 of the broker loses none of a board that sends its last again (seed %d)',
  async (seed) => {
    const system = await startSystem();
    const random = seeded(seed);
    const file = join(freshFolder(), 'readings.bin');
    let { broker } = system;
    const board = startBoard(broker, file);
    for (let kill = 0; kill < fewOrMany(2, 10); kill++) {
      const stored = await system.ingest.count();
      await until('more are stored', async () => (await system.ingest.count()) > stored + random() * 60);
      await broker.process.end('SIGKILL');
      broker = await broker.restart();
    }
    await through(board);
    await expectAllOnce(system, numbered(file));
  },
);

test.each(seeds)(
  'ING-11 a board whose power is cut, again and again, sends all that it has numbered, once (seed %d)',
  async (seed) => {
    const system = await startSystem();
    const random = seeded(seed);
    const file = join(freshFolder(), 'readings.bin');
    for (let cut = 0; cut < fewOrMany(2, 10); cut++) {
      const board = startBoard(system.broker, file, 1_000_000);
      const stored = await system.ingest.count();
      await until('more are stored', async () => (await system.ingest.count()) > stored + random() * 60);
      await board.end('SIGKILL');
    }
    await through(startBoard(system.broker, file, 50));
    await expectAllOnce(system, numbered(file));
  },
);
