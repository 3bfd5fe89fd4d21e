import { setTimeout as wait } from 'node:timers/promises';
import { connectAsync } from 'mqtt';
import { openLocalD1 } from '../../scripts/database/local-d1.ts';
import { startStack } from '../support/stack.ts';
import { quantile, type Row } from './table.ts';

const A_SECOND = 50;
const SECONDS = 20;

/** Time from a reading's publication to the moment when another process sees its row in D1's file. */
export async function benchReading(): Promise<Row[]> {
  const stack = await startStack({ DEMO_DATA: 'off', SIMULATOR: 'off' });
  try {
    const d1 = openLocalD1(stack.dataDir, { database: 'PLANTS_DB', readOnly: true });
    const newer = d1.prepare(
      `SELECT seq FROM plant_readings JOIN plants ON plants.id = plant_id WHERE plants.name = 'bench' AND seq > ?`,
    );
    const board = await connectAsync(stack.brokerUrl);
    const publishedAt: number[] = [];
    const delays: number[] = [];
    const publish = async () => {
      const begin = performance.now();
      for (let seq = 0; seq < A_SECOND * SECONDS; seq++) {
        await wait(Math.max(0, begin + (seq * 1000) / A_SECOND - performance.now()));
        publishedAt.push(performance.now());
        const payload = JSON.stringify({
          soil_moisture: seq % 1024,
          datetime: new Date().toISOString(),
          seq,
        });
        board.publish('lab/plants/bench/soil_moisture', payload, { qos: 1 });
      }
    };
    const publishing = publish();
    for (let last = -1; delays.length < A_SECOND * SECONDS; await wait(1)) {
      const now = performance.now();
      for (const row of newer.all(last)) {
        const seq = Number(row['seq']);
        delays.push(now - (publishedAt[seq] ?? now));
        last = Math.max(last, seq);
      }
    }
    await publishing;
    await board.endAsync();
    d1.close();
    const ms = (at: number) => `${quantile(delays, at).toFixed(1)} ms`;
    return [
      { figure: `published → stored at ${A_SECOND} a second, p50`, value: ms(0.5), target: '≤ 100 ms' },
      { figure: `published → stored at ${A_SECOND} a second, p99`, value: ms(0.99), target: 'no target' },
    ];
  } finally {
    await stack.stop();
  }
}
