/** `npm run boards`: runs simulated boards (by default the demo's) at a broker without passwords. */
import { HOUR_MS } from '#contract/time';
import { readVariables, wholeNumber } from '#contract/variables';
import * as z from 'zod';
import {
  EXIT_USAGE,
  helpText,
  refuseExtraArguments,
  parseArguments,
  wantsHelp,
  usageErrorText,
  UsageError,
} from '../../firmware-bridge/src/commands/command-line.ts';
import { EXIT_CONFIG } from '../../firmware-bridge/src/config.ts';
import { boardEnvSchema } from '../settings.ts';
import { SIMULATED_PLANTS, demoSoilRaw, randomSoil } from '../soil.ts';
import { startMockBoard, type MockBoard } from './mock-board.ts';
import { moods, MOODS, type MoodName } from './moods.ts';
import { seededRandom } from './seeded-random.ts';

const HELP = {
  command: 'npm run boards --',
  does: 'runs simulated boards at a broker without passwords, until Ctrl-C.',
  ways: [['[--count <n>] [--mood <names>] [--seed <n>] [--every <ms>] [--measurements <n>]', '']],
  options: {
    count: {
      type: 'string',
      takes: '<n>',
      tells: 'number of boards, mock-1 to mock-N (1 to 10000; default: the boards of the demo)',
    },
    mood: {
      type: 'string',
      takes: '<names>',
      tells: `one or more, which the boards get in turn: ${MOODS.join(', ')} (steady)`,
    },
    seed: { type: 'string', takes: '<n>', tells: 'the same seed makes the same boards (1)' },
    every: { type: 'string', takes: '<ms>', tells: 'milliseconds between two measurements (5000)' },
    measurements: {
      type: 'string',
      takes: '<n>',
      tells: 'ends after this many measurements per board, and prints how many the broker acknowledged',
    },
  },
  notes: 'MQTT_URL (mqtt://127.0.0.1:1883, as of npm start) is the broker; it must need no password.',
  example: 'npm run boards -- --count 50 --mood sleeping,garbage',
  page: 'docs/operations.md#boards-bridges-and-recordings',
} as const;

const argumentsSchema = z.object({
  count: wholeNumber(1, 10_000).optional(),
  mood: z
    .string()
    .default('steady')
    .transform((names) => names.split(','))
    .pipe(z.array(z.enum(MOODS, `must be one of ${MOODS.join(', ')}`))),
  seed: wholeNumber(0, 2 ** 31).default(1),
  every: wholeNumber(10, HOUR_MS).default(5000),
  measurements: wholeNumber(1, 1_000_000).optional(),
});

type Order = z.output<typeof argumentsSchema>;

/** The parsed arguments, or a text to print instead, with its exit code. */
export function parseBoardsArguments(args: readonly string[]): Order | { exitCode: number; text: string } {
  if (wantsHelp(args)) return { exitCode: 0, text: helpText(HELP) };
  try {
    const { words, values } = parseArguments(HELP, args);
    refuseExtraArguments(words);
    const read = argumentsSchema.safeParse(values);
    if (read.success) return read.data;
    const wrong = read.error.issues.map(({ path, message }) => `--${String(path[0])} ${message}`);
    return { exitCode: EXIT_USAGE, text: `boards: ${wrong.join('; ')}` };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { exitCode: EXIT_USAGE, text: `boards: ${usageErrorText(HELP, error.message)}` };
  }
}

function end({ exitCode, text }: { exitCode: number; text: string }): never {
  (exitCode === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  process.exit(exitCode);
}

async function run(args: readonly string[]): Promise<void> {
  const order = parseBoardsArguments(args);
  if ('text' in order) end(order);
  const { count, mood: names, seed, every: everyMs, measurements } = order;
  const read = readVariables(boardEnvSchema, process.env);
  if ('problems' in read) end({ exitCode: EXIT_CONFIG, text: `boards: ${read.problems.join('; ')}` });
  const { MQTT_URL } = read.values;

  /** The boards to run, in order: the plant, the mood and the soil of each. */
  const planned: { plant: string; mood: MoodName; soil: (atMs: number) => number; random: () => number }[] =
    count === undefined
      ? SIMULATED_PLANTS.map((plant, at) => ({
          plant,
          mood: names[at % names.length] ?? 'steady',
          soil: (atMs) => demoSoilRaw(plant, atMs),
          random: seededRandom(seed + at),
        }))
      : Array.from({ length: count }, (_, at) => {
          const random = seededRandom(seed + at);
          return {
            plant: `mock-${at + 1}`,
            mood: names[at % names.length] ?? 'steady',
            soil: randomSoil(random),
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

  // Exits without a disconnect: the broker then publishes the boards' will, as it would for real boards.
  process.on('SIGTERM', () => process.exit(0));
  if (process.connected) {
    // Ignores Ctrl-C, which reaches all processes: the parent decides in which order the parts stop.
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
}

if (import.meta.main) await run(process.argv.slice(2));
