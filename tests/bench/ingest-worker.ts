import { createHash, createHmac } from 'node:crypto';
import { median, quantile, type Row } from './table.ts';

const BATCH = 500;
const BATCHES = 80;

/** Readings that the ingest worker takes a second, `bench` being a bridge with this key. */
export async function measureIngest(port: number, key: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, connections, plantOf] of [
    // A key brings 500 plants.
    ['one plant, one batch after the other', 1, () => 'plant 0'],
    ['one plant, four at a time', 4, () => 'plant 0'],
    ['ten plants, four at a time', 4, (n: number) => `plant ${n % 10}`],
    ['500 plants, four at a time', 4, (n: number) => `plant ${n % 500}`],
  ] as const) {
    const batches = Array.from({ length: BATCHES }, (_, batch) =>
      JSON.stringify({
        readings: Array.from({ length: BATCH }, (__, n) => {
          const at = new Date(Date.now() + rows.length * 1000 + n).toISOString();
          const seq = rows.length * 1e6 + batch * BATCH + n;
          return { plant: plantOf(n), datetime: at, soil_moisture: (seq * 7) % 1024, seq, received_at: at };
        }),
      }),
    );
    const times: number[] = [];
    const started = performance.now();
    const sender = async () => {
      for (let body = batches.pop(); body !== undefined; body = batches.pop()) {
        const sent = performance.now();
        await postBatch(port, key, body, BATCH);
        times.push(performance.now() - sent);
      }
    };
    await Promise.all(Array.from({ length: connections }, sender));
    const perSecond = (BATCHES * BATCH * 1000) / (performance.now() - started);
    rows.push({
      figure: name,
      value: `${perSecond.toFixed(0)}/s, a batch p50 ${median(times).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms`,
      target: '≥ 9000/s',
    });
  }
  return rows;
}

/** Sends readings as the bridge `bench`, signed. @throws Error when not all of them are stored */
export async function postBatch(port: number, key: string, body: string, count: number): Promise<void> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const hash = createHash('sha256').update(body).digest('hex');
  const answer = await fetch(`http://127.0.0.1:${port}/readings`, {
    method: 'POST',
    body,
    headers: {
      'x-bridge-id': 'bench',
      'x-bridge-timestamp': timestamp,
      'x-bridge-signature': createHmac('sha256', key)
        .update(`${timestamp}\nPOST\n/readings\n${hash}`)
        .digest('hex'),
    },
  });
  const text = await answer.text();
  if (answer.status !== 200 || text.split('"stored"').length - 1 !== count)
    throw new Error(text.slice(0, 500));
}
