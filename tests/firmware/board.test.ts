import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fewOrMany } from '../support/counts.ts';
import type { Broker } from '../firmware-bridge/support/brokers.ts';
import { seededRandom } from '../../local/boards/seeded-random.ts';
import { seeds, startSystemOfOwnBroker, type System } from '../firmware-bridge/faults/support.ts';
import { freshFolder, start, until, type Started } from '../firmware-bridge/support/processes.ts';
import { CXX, compiledSketch } from './arduino/sketch.ts';
import { PLANT } from './plant.ts';

const READINGS = fewOrMany(300, 10_000);
/** How many readings the board stores while its broker is away. */
const AWAY = fewOrMany(100, 1000);
/** How often broker and board fail. */
const FAILURES = fewOrMany(1, 10);
const EVERY_MS = 2;
/** Bytes of a record in the board's flash, whose first four are its number. */
const RECORD = 14;
const MEMORY_MAX = 64 * 1024;
/** A board waits up to 15 s before each attempt, and a full run has ten failures. */
const PATIENCE_MS = 300_000;

/** The programs of firmware/, each with a function that starts it with its flash in the folder. */
const programs: Record<string, (broker: Broker, folder: string) => Started> = {
  'MicroPython program': (broker, folder) =>
    start(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--expose-gc', 'tests/firmware/board-process.ts'],
      {
        MQTT_URL: broker.url,
        FLASH_FILE: join(folder, 'readings.bin'),
        EVERY_MS: String(EVERY_MS),
      },
    ),
  'Arduino sketch': (broker, folder) =>
    start('/usr/bin/env', ['-C', folder, compiledSketch(EVERY_MS)], { PORT: new URL(broker.url).port }),
};

/** How many readings the board has measured. */
function numbered(folder: string): number {
  const file = join(folder, 'readings.bin');
  const flash = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const last = flash.length - (flash.length % RECORD) - RECORD;
  return last < 0 ? 0 : flash.readUInt32BE(last) + 1;
}

/** Waits for an effect of the board; fails if the board has ended. */
async function untilIt(board: Started, what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  await until(
    what,
    async () => {
      const { exitCode, signalCode } = board.child;
      if (exitCode !== null || signalCode !== null) throw new Error(`the board ended:\n${board.output()}`);
      return check();
    },
    PATIENCE_MS,
  );
}

const untilItNumbered = (board: Started, folder: string, count: number) =>
  untilIt(board, `${count} numbered`, () => numbered(folder) >= count);

/** Waits until a random number of further readings, up to sixty, is stored. */
async function untilMoreAreStored(board: Started, { ingest }: System, random: () => number): Promise<void> {
  const enough = (await ingest.count()) + 1 + random() * 60;
  await untilIt(board, 'more are stored', async () => (await ingest.count()) >= enough);
}

/** Lets the board finish, and returns its output. */
async function finish(board: Started): Promise<string> {
  board.child.kill('SIGTERM');
  expect(await board.ended).toBe(0);
  return board.output();
}

/** Expects that every reading of the board is stored once, and none was refused. */
async function expectAllOnce({ ingest }: System, count: number): Promise<void> {
  await until(`${count} stored`, async () => (await ingest.count()) >= count, PATIENCE_MS);
  const rows = await ingest.readings();
  expect(rows.map(({ plant }) => plant).filter((plant) => plant !== PLANT)).toEqual([]);
  expect(rows.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(
    Array.from({ length: count }, (_, seq) => seq),
  );
}

describe.each(Object.entries(programs).filter(([name]) => name !== 'Arduino sketch' || existsSync(CXX)))(
  'the %s',
  (name, startBoard) => {
    test.each(seeds)(
      'ING-11 FAULT-1 FAULT-4 keeps what it measures while the broker is gone, killed, or its own power cut, and all of it is stored once (seed %d)',
      async (seed) => {
        const system = await startSystemOfOwnBroker();
        const random = seededRandom(seed);
        const folder = freshFolder();
        let { broker } = system;
        let board = startBoard(broker, folder);
        // The board is killed first, so that the last board has to store readings while the broker is away.
        const failures: (() => Promise<void>)[] = [
          async () => {
            await board.end('SIGKILL');
            board = startBoard(broker, folder);
          },
          async () => {
            await broker.process.end('SIGTERM');
            await untilItNumbered(board, folder, numbered(folder) + AWAY);
            broker = await broker.restart();
          },
          async () => {
            await broker.process.end('SIGKILL');
            broker = await broker.restart();
          },
        ];
        for (let time = 0; time < FAILURES; time++)
          for (const fail of failures) {
            await untilMoreAreStored(board, system, random);
            await fail();
          }
        await untilItNumbered(board, folder, Math.max(READINGS, numbered(folder) + 10));
        const output = await finish(board);
        await expectAllOnce(system, numbered(folder));
        if (name !== 'MicroPython program') return;
        const memory = Number(/memory=(\d+)/.exec(output)?.[1]);
        process.stdout.write(`\nthe MicroPython program held ${memory} bytes at most\n`);
        expect(memory).toBeGreaterThan(0);
        expect(memory).toBeLessThanOrEqual(MEMORY_MAX);
      },
    );
  },
);
