import { readVariables } from '#contract/variables';
import mqtt from 'mqtt';
import { EXIT_CONFIGURATION } from './exit-codes.ts';
import { boardVariables } from './settings.ts';
import { SIMULATED_PLANTS, soilRaw, type DemoPlant } from './soil.ts';

/*
 * Simulated boards, one per plant, that behave like real ones: availability with a last will, a reading every few
 * seconds with the board's own time and number, and a small buffer for readings taken while the broker is away, which
 * are later sent as one array.
 */

/** Readings that a board buffers while offline; the oldest are dropped beyond that. */
const MEMORY = 500;

function complain(line: string): never {
  process.stderr.write(`board: ${line}\n`);
  process.exit(EXIT_CONFIGURATION);
}

const read = readVariables(boardVariables, process.env);
if ('problems' in read) complain(read.problems.join('; '));
const { MQTT_URL: url, BOARD_INTERVAL_MS: interval } = read.values;

type Report = { soil_moisture: number; datetime: string; seq: number };

function startBoard(plant: DemoPlant): void {
  const availability = `lab/plants/${plant}/availability`;
  const client = mqtt.connect(url, {
    // As the shipped Mosquitto configuration requires: client id = user name = plant.
    clientId: plant,
    reconnectPeriod: 1000,
    reconnectOnConnackError: true,
    will: { topic: availability, payload: Buffer.from('offline'), qos: 1, retain: true },
  });
  const memory: Report[] = [];
  let seq = 0;

  function publish(topic: string, payload: string, retain: boolean): void {
    client.publish(topic, payload, { qos: 1, retain }, (error) => {
      if (error) process.stderr.write(`board ${plant}: ${error.message}\n`);
    });
  }

  function measure(): void {
    const now = Date.now();
    memory.push({ soil_moisture: soilRaw(plant, now), datetime: new Date(now).toISOString(), seq });
    seq += 1;
    if (memory.length > MEMORY) memory.shift();
    if (!client.connected) return;
    const reports = memory.splice(0);
    publish(
      `lab/plants/${plant}/soil_moisture`,
      JSON.stringify(reports.length === 1 ? reports[0] : reports),
      false,
    );
  }

  let lastProblem = '';
  client.on('error', (error) => {
    // MQTT.js retries about once a second; report the problem once, not on every attempt.
    const problem = error.message || String(error);
    if (problem !== lastProblem) process.stderr.write(`board ${plant}: ${problem}\n`);
    lastProblem = problem;
  });
  client.on('connect', () => {
    lastProblem = '';
    publish(availability, 'online', true);
    measure();
  });
  setInterval(measure, interval);
}

for (const plant of SIMULATED_PLANTS) startBoard(plant);

// The broker publishes the boards' last will when the connection breaks, as with a real board.
process.on('SIGTERM', () => process.exit(0));
process.on('SIGINT', () => undefined);
if (process.connected) process.on('disconnect', () => process.exit(0));
