/**
 * `npm run replay -- <file.csv> [--speed N] [--plant name]`: publishes recorded readings as a board would. The header
 * must contain datetime, soil_moisture (or raw) and, unless --plant is given, plant. --speed 60 plays an hour in a
 * minute; without it each reading follows as soon as the previous one is acknowledged. MQTT_URL, MQTT_USERNAME,
 * MQTT_PASSWORD and MQTT_CA_FILE select the broker.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connectAsync, ErrorWithReasonCode, type MqttClient } from 'mqtt';
import { instantSchema, plantNameSchema, rawMoistureSchema } from '#contract/plants';
import { replayVariables, settings } from './variables.ts';

const IN_FLIGHT = 100;
const PROBLEMS_SHOWN = 10;

type Recorded = { plant: string; datetime: string; soilMoisture: number };

/**
 * The readings of a recording, oldest first.
 * @throws Error with one line per invalid row; then nothing is published
 */
function parseRecording(text: string, onlyPlant: string | undefined): Recorded[] {
  const [header = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const names = header.split(',').map((name) => name.trim());
  const column = (...wanted: string[]) => names.findIndex((name) => wanted.includes(name));
  const at = { datetime: column('datetime'), value: column('soil_moisture', 'raw'), plant: column('plant') };
  if (at.datetime === -1 || at.value === -1 || (at.plant === -1 && onlyPlant === undefined)) {
    throw new Error(
      'the first line must name the columns datetime, soil_moisture and plant (or give --plant)',
    );
  }
  const problems: string[] = [];
  const readings = lines.flatMap((line, index): Recorded[] => {
    if (line.trim() === '') return [];
    const cells = line.split(',').map((cell) => cell.trim());
    const datetime = instantSchema.safeParse(cells[at.datetime]);
    const value = cells[at.value] ?? '';
    const soilMoisture = rawMoistureSchema.safeParse(/^[0-9]{1,4}$/.test(value) ? Number(value) : null);
    const plant = plantNameSchema.safeParse(onlyPlant ?? cells[at.plant]);
    if (datetime.success && soilMoisture.success && plant.success) {
      return [{ plant: plant.data, datetime: datetime.data, soilMoisture: soilMoisture.data }];
    }
    const wrong = [
      ...(datetime.success ? [] : ['datetime needs ISO 8601 with a zone']),
      ...(soilMoisture.success ? [] : ['soil_moisture is no integer from 0 to 1023']),
      ...(plant.success ? [] : ['plant has no usable name']),
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

/** The code with which a broker rejects MQTT 5. */
const UNKNOWN_VERSION = 1;

/** Prefers MQTT 5, because a 3.1.1 broker acknowledges even what it then drops for lack of permission. */
async function connect(): Promise<MqttClient> {
  const { MQTT_URL, MQTT_USERNAME, MQTT_PASSWORD, MQTT_CA_FILE } = settings(replayVariables);
  const options = {
    ...(MQTT_USERNAME === undefined ? {} : { username: MQTT_USERNAME }),
    ...(MQTT_PASSWORD === undefined ? {} : { password: MQTT_PASSWORD }),
    ...(MQTT_CA_FILE === undefined ? {} : { ca: readFileSync(MQTT_CA_FILE) }),
  };
  try {
    return await connectAsync(MQTT_URL, { ...options, protocolVersion: 5 });
  } catch (error) {
    if (!(error instanceof ErrorWithReasonCode) || error.code !== UNKNOWN_VERSION) throw error;
    return await connectAsync(MQTT_URL, { ...options, protocolVersion: 4 });
  }
}

/** @throws Error at the first reading that the broker rejects; some that were in flight may have been accepted */
async function replay(readings: readonly Recorded[], speed: number): Promise<void> {
  const board = await connect();
  const began = Date.now();
  const recordedFrom = Date.parse(readings[0]?.datetime ?? '');
  const underway = new Set<Promise<void>>();
  const refusals: Error[] = [];

  async function publish({ plant, datetime, soilMoisture }: Recorded): Promise<void> {
    const payload = JSON.stringify({ soil_moisture: soilMoisture, datetime });
    try {
      await board.publishAsync(`lab/plants/${plant}/soil_moisture`, payload, { qos: 1 });
    } catch (error) {
      refusals.push(new Error(`${plant} ${datetime}: ${String(error)}`, { cause: error }));
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

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { speed: { type: 'string' }, plant: { type: 'string' } },
  });
  const speed = values.speed === undefined ? Infinity : Number(values.speed);
  const [file] = positionals;
  if (file === undefined || positionals.length > 1 || !(speed > 0)) {
    throw new Error('usage: npm run replay -- <file.csv> [--speed N] [--plant name]');
  }
  const readings = parseRecording(readFileSync(file, 'utf8'), values.plant);
  await replay(readings, speed);
  console.log(`${readings.length} readings published and acknowledged`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
