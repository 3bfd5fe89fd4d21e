/** `npm run boards`: boards that are none, at a broker that takes anybody; without arguments those of the demo. */
import { groupSchema, inGroup, OWN_GROUP } from '#contract/plant-group';
import { readVariables, wholeNumber } from '#contract/variables';
import * as z from 'zod';
import {
  EXIT_USAGE,
  helpText,
  noMore,
  readLine,
  wantsHelp,
  wrongUse,
  WrongUse,
} from '../../firmware-bridge/src/command-line.ts';
import { EXIT_CONFIGURATION } from '../exit-codes.ts';
import { boardVariables } from '../settings.ts';
import { SIMULATED_PLANTS, soilRaw, someSoil } from '../soil.ts';
import { startMockBoard, type MockBoard } from './mock-board.ts';
import { moods, MOODS, type MoodName } from './moods.ts';
import { seeded } from './seeded.ts';

const HELP = {
  command: 'npm run boards --',
  does: 'runs boards that are none at a broker that takes anybody, until Ctrl-C.',
  ways: [['[--count <n>] [--mood <names>] [--group <group>] [--seed <n>] [--measurements <n>]', '']],
  options: {
    count: {
      type: 'string',
      takes: '<n>',
      tells: 'so many boards, mock-1 to mock-N (1 to 10000); without it those of the demo',
    },
    mood: {
      type: 'string',
      takes: '<names>',
      tells: `one or more, which the boards have in turn: ${MOODS.join(', ')} (steady)`,
    },
    group: {
      type: 'string',
      takes: '<group>',
      tells: 'boards of this group, such as moss-lab; without it of none',
    },
    seed: { type: 'string', takes: '<n>', tells: 'the same seed makes the same boards (1)' },
    measurements: {
      type: 'string',
      takes: '<n>',
      tells: 'ends after so many of each board, and says what was acknowledged',
    },
  },
  notes: `Their broker is MQTT_URL (mqtt://127.0.0.1:1883, that of npm start; it has to take anybody), and BOARD_INTERVAL_MS (5000)
is the time between two measurements.`,
  example: 'npm run boards -- --count 50 --mood sleeping,garbage',
  page: 'docs/operations.md#boards-bridges-and-recordings',
} as const;

function complain(line: string, exitCode = EXIT_CONFIGURATION): never {
  process.stderr.write(`boards: ${line}\n`);
  process.exit(exitCode);
}

const argumentsSchema = z.object({
  count: wholeNumber(1, 10_000).optional(),
  mood: z
    .string()
    .default('steady')
    .transform((names) => names.split(','))
    .pipe(z.array(z.enum(MOODS, `must be of ${MOODS.join(', ')}`))),
  group: groupSchema.default(OWN_GROUP),
  seed: wholeNumber(0, 2 ** 31).default(1),
  measurements: wholeNumber(1, 1_000_000).optional(),
});

function readArguments(): z.output<typeof argumentsSchema> {
  const args = process.argv.slice(2);
  if (wantsHelp(args)) {
    process.stdout.write(`${helpText(HELP)}\n`);
    process.exit(0);
  }
  try {
    const { words, values } = readLine(HELP, args);
    noMore(words);
    const read = argumentsSchema.safeParse(values);
    if (read.success) return read.data;
    return complain(
      read.error.issues.map(({ path, message }) => `--${String(path[0])} ${message}`).join('; '),
      EXIT_USAGE,
    );
  } catch (error) {
    if (!(error instanceof WrongUse)) throw error;
    return complain(wrongUse(HELP, error.message), EXIT_USAGE);
  }
}

const { count, mood: names, group, seed, measurements } = readArguments();
const read = readVariables(boardVariables, process.env);
if ('problems' in read) complain(read.problems.join('; '));
const { MQTT_URL, BOARD_INTERVAL_MS: everyMs } = read.values;

/** The boards in their order: which plant, in which mood, over which soil. */
const planned: { plant: string; mood: MoodName; soil: (atMs: number) => number; random: () => number }[] =
  count === undefined
    ? SIMULATED_PLANTS.map((plant, at) => ({
        plant: inGroup(group, plant),
        mood: names[at % names.length] ?? 'steady',
        soil: (atMs) => soilRaw(plant, atMs),
        random: seeded(seed + at),
      }))
    : Array.from({ length: count }, (_, at) => {
        const random = seeded(seed + at);
        return {
          plant: inGroup(group, `mock-${at + 1}`),
          mood: names[at % names.length] ?? 'steady',
          soil: someSoil(random),
          random,
        };
      });

const started = planned.map(({ plant, mood, soil, random }): [MoodName, MockBoard] => [
  mood,
  startMockBoard(plant, moods[mood](random), {
    access: { MQTT_URL },
    soil,
    everyMs,
    ...(measurements === undefined ? {} : { measurements }),
    complain: (problem) => void process.stderr.write(`board ${plant}: ${problem}\n`),
  }),
]);

// The broker publishes the boards' last will when the connection breaks, as with a real board.
process.on('SIGTERM', () => process.exit(0));
if (process.connected) {
  // Ctrl-C reaches the whole group; the parent decides the order.
  process.on('SIGINT', () => undefined);
  process.on('disconnect', () => process.exit(0));
}

await Promise.all(started.map(([, board]) => board.ended));
const rows = started.map(([mood, { plant, measured, acknowledged, garbage }]) => [
  plant,
  mood,
  String(measured),
  String(acknowledged.size),
  String(garbage),
]);
for (const row of [['board', 'mood', 'measured', 'acknowledged', 'garbage'], ...rows]) {
  process.stdout.write(
    `${row
      .map((cell) => cell.padEnd(14))
      .join('')
      .trimEnd()}\n`,
  );
}
