/**
 * A process that publishes numbered readings with QoS 1, for the benchmark.
 * Arguments: plant, how many, most in flight, a second (0: as fast as it goes). It reaches the broker by MQTT_URL,
 * MQTT_CA_FILE, MQTT_USERNAME and MQTT_PASSWORD. After a reconnect it repeats its last reading.
 * Prints the instant of the first publish and that of the last acknowledgement, in milliseconds since 1970.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { connectBoard } from './board.ts';

const [plant = '', count = '', window = '', rate = '0'] = process.argv.slice(2);
const board = await connectBoard(process.env);
const clock = () => performance.timeOrigin + performance.now();
const topic = `lab/plants/${plant}/soil_moisture`;
const datetime = new Date().toISOString();
const began = clock();
let next = 0;
let last: string | undefined;
let lastBefore: string | undefined;
board.on('close', () => {
  lastBefore = last;
});
board.on('connect', () => {
  if (lastBefore !== undefined) board.publish(topic, lastBefore, { qos: 1 });
});

async function lane(): Promise<void> {
  while (next < Number(count)) {
    const seq = next++;
    if (rate !== '0') await wait(Math.max(0, began + (seq * 1000) / Number(rate) - clock()));
    const reading = `{"soil_moisture":${seq % 1024},"datetime":"${datetime}","seq":${seq}}`;
    await board.publishAsync(topic, reading, { qos: 1 });
    last = reading;
  }
}

await Promise.all(Array.from({ length: Number(window) }, lane));
process.stdout.write(`${JSON.stringify({ began, acknowledged: clock() })}\n`);
await board.endAsync();
