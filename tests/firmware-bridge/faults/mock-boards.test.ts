import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { startMockBoard } from '../../../local/boards/mock-board.ts';
import { parseBoardsArguments } from '../../../local/boards/run.ts';
import { moods, MOODS, type Mood, type MoodName } from '../../../local/boards/moods.ts';
import { seededRandom } from '../../../local/boards/seeded-random.ts';
import { randomSoil } from '../../../local/soil.ts';
import { brokers } from '../support/brokers.ts';
import { start, until } from '../support/processes.ts';
import { fewOrMany } from '../../support/counts.ts';
import { seeds, startSystem } from './support.ts';

const BOARDS = fewOrMany(6, 50);
const MEASUREMENTS = fewOrMany(6, 20);

/** The behaviour of a mood over many measurements. */
function behaviour(name: MoodName, seed: number) {
  const mood: Mood = moods[name](seededRandom(seed));
  return Array.from({ length: 40 }, (_, seq) => {
    const reading = { soil_moisture: 512, datetime: '2026-03-02T05:05:00.000Z', seq };
    const garbage = mood.garbage?.().map((payload) => Buffer.from(payload).toString('hex'));
    return { said: mood.measured?.(reading) ?? [reading], garbage, link: mood.link?.() };
  });
}

test.each(MOODS)('ING-12 the mood %s does the same with the same seed', (name) => {
  expect(behaviour(name, 7)).toEqual(behaviour(name, 7));
});

test.each(['sleeping', 'reconnecting', 'clock-wrong', 'garbage'] as const)(
  'ING-12 the mood %s is another with another seed',
  (name) => {
    const each = Array.from({ length: 20 }, (_, seed) => JSON.stringify(behaviour(name, seed)));
    expect(new Set(each).size).toBeGreaterThan(2);
  },
);

test.each(seeds)(
  'ING-12 ING-3 of boards of every mood what was acknowledged is stored once, and only garbage is a dead letter (seed %d)',
  async (seed) => {
    const { ingest, broker, bridge } = await startSystem();
    const boards = Array.from({ length: BOARDS }, (_, at) => {
      const random = seededRandom(seed + at);
      const mood = MOODS[at % MOODS.length] ?? 'steady';
      const board = startMockBoard(`${mood}-${at}`, moods[mood](random), {
        access: { MQTT_URL: broker.url },
        soil: randomSoil(random),
        everyMs: 20,
        measurements: MEASUREMENTS,
        complain: () => undefined,
      });
      onTestFinished(board.stop);
      return board;
    });
    await Promise.all(boards.map(({ ended }) => ended));
    const acknowledged = boards.flatMap(({ plant, acknowledged: numbers }) =>
      [...numbers].map((number) => `${plant} ${number}`),
    );
    expect(boards.map(({ measured }) => measured)).toEqual(boards.map(() => MEASUREMENTS));
    expect(acknowledged.length).toBeGreaterThanOrEqual(BOARDS * MEASUREMENTS);
    await until('all stored', async () => (await ingest.count()) >= acknowledged.length);
    const rows = await ingest.readings();
    expect(rows.map(({ plant, seq }) => `${plant} ${seq}`).sort()).toEqual(acknowledged.sort());

    const garbage = boards.reduce((sum, board) => sum + board.garbage, 0);
    expect(garbage).toBeGreaterThan(0);
    await until('garbage kept', async () => (await bridge.health()).dead_letters === garbage);
    const flagged = new Set(
      rows.flatMap(({ plant, refused_time }) => (refused_time === null ? [] : [plant])),
    );
    expect([...flagged].filter((plant) => !plant.startsWith('clock-wrong'))).toEqual([]);
  },
);

test('ING-12 npm run boards starts so many boards in these moods, and says what of theirs was acknowledged', async () => {
  const broker = await brokers.embedded();
  const boards = start(
    process.execPath,
    [
      'local/boards/run.ts',
      ...'--count 5 --mood steady,garbage --seed 3 --every 10 --measurements 4'.split(' '),
    ],
    { MQTT_URL: broker.url },
  );
  expect(await boards.ended).toBe(0);
  expect(boards.output().match(/^mock-\d +\w+ +4 +4/gm)).toHaveLength(5);
  expect(boards.output().match(/^mock-[24] +garbage/gm)).toHaveLength(2);
});

test.each(['--mood merry', '--colour green'])('ING-12 npm run boards -- %s says what is wrong', (args) => {
  expect(parseBoardsArguments(args.split(' '))).toEqual({
    exitCode: 64,
    text: expect.stringMatching(/^boards: .*(mood|colour)/m),
  });
});

test.each(['--help', '-h', '--count 5 --help'])(
  'ING-12 npm run boards -- %s lists every option and mood',
  (args) => {
    const options = ['--count', '--mood', '--seed', '--every', '--measurements'];
    const words = [...options, 'MQTT_URL', ...MOODS];
    const { exitCode, text } = z
      .object({ exitCode: z.int(), text: z.string() })
      .parse(parseBoardsArguments(args.split(' ')));
    expect(exitCode).toBe(0);
    for (const word of words) expect(text).toContain(word);
  },
);

test('ING-12 npm run boards tells of itself whatever the broker is', async () => {
  const boards = start(process.execPath, ['local/boards/run.ts', '--help'], { MQTT_URL: 'none' });
  expect(await boards.ended).toBe(0);
  expect(boards.output()).toContain('MQTT_URL');
});
