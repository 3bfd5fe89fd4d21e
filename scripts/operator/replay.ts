/**
 * `npm run replay -- <file.csv> [--speed N] [--plant name]`: publishes recorded readings as a board would.
 * The first line of the file must name the columns datetime, soil_moisture (or raw) and, without --plant,
 * topic or plant; it may name seq. --speed 60 publishes the readings of an hour in a minute; without --speed
 * there are no pauses. MQTT_URL, MQTT_USERNAME, MQTT_PASSWORD and MQTT_CA_FILE select the broker.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { connectAsync, ErrorWithReasonCode, type MqttClient } from 'mqtt';
import { unescapeFormula } from '#contract/spreadsheet';
import { printable } from '#contract/printable-text';
import * as z from 'zod';
import { plantIdSchema, plantTopic } from '#contract/plant-id';
import { instantSchema, rawMoistureSchema } from '#contract/plants';
import { refuseExtraArguments, UsageError } from '../../firmware-bridge/src/commands/command-line.ts';
import { withErrorPath } from '../../firmware-bridge/src/system-error.ts';
import { defineCommand, print, runAsProgram } from '../terminal.ts';
import { replayEnvSchema, parseSettings } from '../variables.ts';

const HELP = {
  command: 'npm run replay --',
  does: 'publishes recorded readings as boards do, and waits until the broker has acknowledged each.',
  ways: [['<file.csv> [--speed <number>] [--plant <topic>]', 'as fast as the broker takes them, or slower']],
  options: {
    speed: {
      type: 'string',
      takes: '<number>',
      tells: '60 replays an hour in a minute (default: no pauses)',
    },
    plant: {
      type: 'string',
      takes: '<topic>',
      tells: 'sends every reading for this plant, and ignores the columns topic and plant',
    },
  },
  notes: `The first line has the names of the columns:
  datetime        ISO 8601 with a zone, such as 2026-03-02T09:00:00+09:00
  soil_moisture   a whole number from 0 to 1023 (or raw)
  topic           the topic of the plant's board; or instead a column plant
  seq             the board's own counter, if it has one
MQTT_URL (mqtt://127.0.0.1:1883, the broker of npm start), MQTT_USERNAME, MQTT_PASSWORD and MQTT_CA_FILE choose the broker.`,
  example: 'npm run replay -- season.csv --speed 3600 --plant basil',
  page: 'docs/operations.md#boards-bridges-and-recordings',
} as const;
const IN_FLIGHT = 100;
const PROBLEMS_SHOWN = 10;

/** An empty text means that the reading has no seq. */
const seqSchema = z
  .string()
  .regex(/^(-?[0-9]+)?$/)
  .transform((text) => (text === '' ? undefined : Number(text)))
  .pipe(z.int().optional());

type Recorded = { plant: string; datetime: string; soilMoisture: number; seq: number | undefined };

/**
 * Reads the readings in a recording, the oldest first.
 * @throws Error with one line for each invalid row; then no reading is published
 */
function parseRecording(text: string, onlyPlant: string | undefined): Recorded[] {
  const [names = [], ...lines] = cellsOf(text.replace(/^\uFEFF/, ''));
  const column = (...wanted: string[]) => names.findIndex((name) => wanted.includes(name));
  const at = {
    datetime: column('datetime'),
    value: column('soil_moisture', 'raw'),
    // Prefers the column topic, because an admin can change a plant's name.
    plant: names.includes('topic') ? column('topic') : column('plant'),
    seq: column('seq'),
  };
  if (at.datetime === -1 || at.value === -1 || (at.plant === -1 && onlyPlant === undefined)) {
    throw new Error(
      'the first line must have the columns datetime, soil_moisture and topic or plant (or give --plant)',
    );
  }
  const problems: string[] = [];
  const readings = lines.flatMap((cells, index): Recorded[] => {
    if (cells.every((cell) => cell === '')) return [];
    const datetime = instantSchema.safeParse(cells[at.datetime]);
    const value = cells[at.value] ?? '';
    const soilMoisture = rawMoistureSchema.safeParse(/^[0-9]{1,4}$/.test(value) ? Number(value) : null);
    // The CSV from the plants screen has an apostrophe before names that a spreadsheet would change.
    const plant = plantIdSchema.safeParse(onlyPlant ?? unescapeFormula(cells[at.plant] ?? ''));
    const seq = seqSchema.safeParse(cells[at.seq] ?? '');
    if (datetime.success && soilMoisture.success && plant.success && seq.success) {
      return [{ plant: plant.data, datetime: datetime.data, soilMoisture: soilMoisture.data, seq: seq.data }];
    }
    const wrong = [
      ...(datetime.success ? [] : ['datetime must have a zone (ISO 8601)']),
      ...(soilMoisture.success ? [] : ['soil_moisture must be a whole number, 0 to 1023']),
      ...(plant.success ? [] : [`${names[at.plant] ?? ''} must be the topic or name of a plant`]),
      ...(seq.success ? [] : ['seq must be a whole number']),
    ];
    problems.push(`line ${index + 2}: ${wrong.join('; ')}`);
    return [];
  });
  if (problems.length > 0) {
    const more = problems.length - PROBLEMS_SHOWN;
    const rest = more > 0 ? [`and ${more} more`] : [];
    throw new Error([...problems.slice(0, PROBLEMS_SHOWN), ...rest].join('\n'));
  }
  return readings.sort((a, b) => Date.parse(a.datetime) - Date.parse(b.datetime));
}

/** Splits a text in CSV (RFC 4180) into lines and their cells. */
function cellsOf(text: string): string[][] {
  const lines: string[][] = [[]];
  for (const [, cell = '', end] of text.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/g)) {
    const isQuoted = cell.startsWith('"') && cell.length > 1;
    lines.at(-1)?.push(isQuoted ? cell.slice(1, -1).replaceAll('""', '"') : cell.trim());
    if (end === '') break;
    if (end !== ',') lines.push([]);
  }
  return lines;
}

/** How many readings have the same plant, time and seq as another: the server stores only one of them. */
function repeated(readings: readonly Recorded[]): number {
  const kept = new Set(
    readings.map(({ plant, datetime, seq }) => JSON.stringify([plant, Date.parse(datetime), seq])),
  );
  return readings.length - kept.size;
}

/** The code with which a broker refuses MQTT 5. */
const UNKNOWN_VERSION = 1;

/** Tries MQTT 5 first: with 3.1.1, a broker also acknowledges readings that the board may not publish. */
async function connect(): Promise<MqttClient> {
  const { MQTT_URL, MQTT_USERNAME, MQTT_PASSWORD, MQTT_CA_FILE } = parseSettings(replayEnvSchema);
  const options = {
    ...(MQTT_USERNAME === undefined ? {} : { username: MQTT_USERNAME }),
    ...(MQTT_PASSWORD === undefined ? {} : { password: MQTT_PASSWORD }),
    ...(MQTT_CA_FILE === undefined
      ? {}
      : { ca: withErrorPath(MQTT_CA_FILE, () => readFileSync(MQTT_CA_FILE)) }),
  };
  try {
    return await connectAsync(MQTT_URL, { ...options, protocolVersion: 5 });
  } catch (error) {
    if (!(error instanceof ErrorWithReasonCode) || error.code !== UNKNOWN_VERSION) throw error;
    return await connectAsync(MQTT_URL, { ...options, protocolVersion: 4 });
  }
}

/** @throws Error for the first reading that the broker rejects; it may have accepted later readings */
async function replay(readings: readonly Recorded[], speed: number): Promise<void> {
  const board = await connect();
  const began = Date.now();
  const recordedFrom = Date.parse(readings[0]?.datetime ?? '');
  const underway = new Set<Promise<void>>();
  const refusals: Error[] = [];

  async function publish({ plant, datetime, soilMoisture, seq }: Recorded): Promise<void> {
    const payload = JSON.stringify({ soil_moisture: soilMoisture, datetime, seq });
    try {
      await board.publishAsync(plantTopic(plant, 'soil_moisture'), payload, { qos: 1 });
    } catch (error) {
      refusals.push(
        new Error(`${printable(plant)} ${datetime}: ${printable(String(error))}`, { cause: error }),
      );
    }
  }

  for (const reading of readings) {
    const dueIn = began + (Date.parse(reading.datetime) - recordedFrom) / speed - Date.now();
    if (dueIn > 0) await wait(dueIn);
    if (underway.size >= IN_FLIGHT) await Promise.race(underway);
    if (refusals.length > 0) break;
    const publishing: Promise<void> = publish(reading).finally(() => underway.delete(publishing));
    underway.add(publishing);
  }
  await Promise.all(underway);
  await board.endAsync();
  if (refusals[0] !== undefined) throw refusals[0];
}

export const replayCommand = defineCommand(HELP, async ({ values, words: [file, ...more] }) => {
  if (file === undefined) throw new UsageError('the recording is missing: give a file.csv');
  refuseExtraArguments(more);
  const { speed: speedText = 'Infinity', plant } = values;
  const speed = /^([0-9.]+|Infinity)$/.test(speedText) ? Number(speedText) : Number.NaN;
  if (!(speed > 0)) throw new UsageError(`--speed ${printable(speedText)} must be a number above 0`);
  if (plant !== undefined && !plantIdSchema.safeParse(plant).success)
    throw new UsageError(`--plant ${printable(plant)} is not a plant's name`);
  const readings = parseRecording(
    withErrorPath(file, () => readFileSync(file, 'utf8')),
    plant,
  );
  await replay(readings, speed);
  print(`${readings.length} readings published and acknowledged`);
  const twice = repeated(readings);
  if (twice > 0)
    print(`${twice} readings repeat the plant, time and seq of another: the server stores each only once`);
});

if (import.meta.main) await runAsProgram(replayCommand);
