/**
 * A process that publishes numbered readings with QoS 1, for the benchmark.
 * Arguments: address, plant, how many, most in flight, a second (0: as fast as it goes).
 * Prints the instant of the first publish and that of the last acknowledgement, in milliseconds since 1970.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { connectAsync } from 'mqtt';

const [url = '', plant = '', count = '', window = '', rate = '0'] = process.argv.slice(2);
const board = await connectAsync(url, { protocolVersion: 5 });
const clock = () => performance.timeOrigin + performance.now();
const topic = `lab/plants/${plant}/soil_moisture`;
const datetime = new Date().toISOString();
const began = clock();
let next = 0;

async function lane(): Promise<void> {
  while (next < Number(count)) {
    const seq = next++;
    if (rate !== '0') await wait(Math.max(0, began + (seq * 1000) / Number(rate) - clock()));
    await board.publishAsync(topic, `{"soil_moisture":${seq % 1024},"datetime":"${datetime}","seq":${seq}}`, {
      qos: 1,
    });
  }
}

await Promise.all(Array.from({ length: Number(window) }, lane));
process.stdout.write(`${JSON.stringify({ began, acknowledged: clock() })}\n`);
await board.endAsync();
