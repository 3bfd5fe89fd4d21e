/**
 * `npm run bench -- ingest`: the whole way of a reading in real processes (publisher, Mosquitto as it is shipped, the
 * bundled bridge, the ingest worker on D1), in turn with what others do with a careless broker. Compare ratios.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { connectBoardAndWait, FIRMWARE_REPEATS } from '../../local/boards/publisher.ts';
import { malformedPayloads } from '../../local/boards/moods.ts';
import { buildChangedParts } from '../../scripts/build/build.ts';
import { hasMosquitto } from '../firmware-bridge/support/shipped-mosquitto.ts';
import { peakMemory } from '../support/peak-memory.ts';
import { clearAway, clock, counted, counting, launchBridge, publish, until } from './ingest/parts.ts';
import { gatheringOf } from './ingest/gathering.ts';
import { lostToBroker } from './ingest/lost-to-broker.ts';
import { hasPipe, rateOf } from './ingest/peers.ts';
import { settled, startSystem } from './ingest/system.ts';
import { median, printTable, quantile, type Row } from './table.ts';

const ROUNDS = 3;
const MESSAGES = 20_000;
const IN_FLIGHT = 100;
/** As fast as the broker takes them. */
const BURST_IN_FLIGHT = 1000;
const TIMELY_A_SECOND = 200;
const TIMELY_SECONDS = 15;
const MALFORMED = 10_000;

/**
 * Readings a second from the first publish until the last is stored. Those of months ago write the rollups anew in which
 * they lie, which readings that come in time do not.
 */
async function ours(count: number, when: 'now' | 'late' = 'now'): Promise<number> {
  const system = await startSystem();
  const stored = counting(system.d1);
  const publishing = publish(system.broker, count, IN_FLIGHT, { when });
  const end = await until('stored', () => (counted(stored) >= count ? clock() : undefined));
  const { began } = await publishing;
  await system.bridge.end();
  await system.stop();
  return (count / (end - began)) * 1000;
}

/** In turn, so that whatever else the machine does falls on both. */
async function throughput(): Promise<Row[]> {
  const rates = { ours: [] as number[], late: [] as number[], plain: [] as number[], pipe: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    rates.ours.push(await ours(MESSAGES));
    rates.late.push(await ours(MESSAGES, 'late'));
    rates.plain.push(await rateOf('plain', MESSAGES, IN_FLIGHT));
    if (hasPipe) rates.pipe.push(await rateOf('pipe', MESSAGES, IN_FLIGHT));
  }
  const spread = (values: number[]) =>
    `${median(values).toFixed(0)}/s (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`;
  return [
    {
      figure: 'published → spooled → acknowledged → in D1, all as shipped',
      value: spread(rates.ours),
      target: `≥ 0.55 of the plain limit: ${(median(rates.ours) / median(rates.plain)).toFixed(2)}`,
    },
    {
      figure: 'the same with readings of months ago',
      value: spread(rates.late),
      target: 'same machine',
    },
    {
      figure: 'mosquitto_sub | sqlite3, a transaction a row',
      value: hasPipe ? spread(rates.pipe) : 'not installed',
      target: 'less than ours',
    },
    {
      figure: 'the plain limit, a transaction a hundred rows',
      value: spread(rates.plain),
      target: 'same machine',
    },
  ];
}

async function timely(): Promise<Row[]> {
  const system = await startSystem();
  const board = await connectBoardAndWait(system.broker.forBoard, { protocolVersion: 5 });
  const count = TIMELY_A_SECOND * TIMELY_SECONDS;
  const newer = system.d1.prepare('SELECT seq FROM plant_readings WHERE seq > ?');
  const publishedAt: number[] = [];
  const delays: number[] = [];
  const publishing = (async () => {
    const began = clock();
    for (let seq = 0; seq < count; seq++) {
      await wait(Math.max(0, began + (seq * 1000) / TIMELY_A_SECOND - clock()));
      publishedAt.push(clock());
      board.publish('lab/plants/bench/soil_moisture', `{"soil_moisture":${seq % 1024},"seq":${seq}}`, {
        qos: 1,
      });
    }
  })();
  for (let last = -1; delays.length < count; await wait(1)) {
    const now = clock();
    for (const row of newer.all(last)) {
      const seq = Number(row['seq']);
      delays.push(now - (publishedAt[seq] ?? now));
      last = Math.max(last, seq);
    }
  }
  await publishing;
  await board.endAsync();
  await system.bridge.end();
  await system.stop();
  const ms = (at: number) => `${quantile(delays, at).toFixed(1)} ms`;
  return [
    { figure: `published → in D1 at ${TIMELY_A_SECOND} a second, p50`, value: ms(0.5), target: '≤ 550 ms' },
    { figure: `published → in D1 at ${TIMELY_A_SECOND} a second, p99`, value: ms(0.99), target: '≤ 1050 ms' },
  ];
}

/** How long a good reading waits, from its publication to its receipt by the bridge, among malformed messages. */
async function neighbours(): Promise<Row[]> {
  const system = await startSystem();
  const board = await connectBoardAndWait(system.broker.forBoard, { protocolVersion: 5 });
  const topic = 'lab/plants/bench/soil_moisture';
  const bad = malformedPayloads(MALFORMED);
  let good = 0;
  for (const [index, payload] of bad.entries()) {
    await board.publishAsync(topic, Buffer.from(payload), { qos: 1 });
    if (index % 10 !== 0) continue;
    const datetime = new Date().toISOString();
    await board.publishAsync(topic, `{"soil_moisture":1,"datetime":"${datetime}","seq":${good}}`, { qos: 1 });
    good += 1;
  }
  await settled(system, good);
  const row = system.d1.prepare(
    'SELECT max(received_at - measured_at) AS longest, count(*) AS n FROM plant_readings',
  );
  const { longest, n } = row.get() ?? {};
  await board.endAsync();
  await system.bridge.end();
  await system.stop();
  return [
    {
      figure: `a good reading among ${MALFORMED} malformed messages waits at most (${String(n)} of ${good} stored)`,
      value: `${String(longest)} ms`,
      target: '≤ 1000 ms',
    },
  ];
}

async function lostToKill(): Promise<Row[]> {
  const count = 3000;
  const system = await startSystem();
  const publishing = publish(system.broker, count, IN_FLIGHT, { aSecond: 1000 });
  await until('a third stored', () => (counted(counting(system.d1)) >= count / 3 ? true : undefined));
  await system.bridge.end('SIGKILL');
  await wait(2000);
  const again = await launchBridge(system.broker, system.ingest.url, system.spool);
  await publishing;
  await settled(system, count);
  const lost = count - counted(counting(system.d1));
  await again.end();
  await system.stop();
  return [
    { figure: 'SIGKILL of the bridge, back after 2 s', value: `${lost} of ${count} lost`, target: '0' },
  ];
}

async function lostToLock(): Promise<Row[]> {
  const count = 4000;
  const system = await startSystem();
  const publishing = publish(system.broker, count, IN_FLIGHT, { aSecond: 400 });
  await until('some stored', () => (counted(counting(system.d1)) >= 400 ? true : undefined));
  const lock = system.ingest.openFile();
  lock.exec('BEGIN IMMEDIATE');
  await wait(10_000);
  lock.exec('ROLLBACK');
  lock.close();
  await publishing;
  await settled(system, count);
  const lost = count - counted(counting(system.d1));
  await system.bridge.end();
  await system.stop();
  return [{ figure: 'D1 refuses for 10 s', value: `${lost} of ${count} lost`, target: '0' }];
}

async function burst(): Promise<Row[]> {
  const count = 50_000;
  const system = await startSystem();
  const before = peakMemory(system.bridge.child);
  const began = clock();
  await publish(system.broker, count, BURST_IN_FLIGHT);
  await settled(system, count);
  const seconds = (clock() - began) / 1000;
  const peak = peakMemory(system.bridge.child);
  const stored = counted(counting(system.d1));
  await system.bridge.end();
  await system.stop();
  const mb = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MB`;
  return [
    {
      figure: `a burst of ${count}, stored`,
      value: `${stored} in ${seconds.toFixed(1)} s`,
      target: String(count),
    },
    { figure: "the bridge's memory, at most", value: mb(peak), target: `≤ 200 MB (idle ${mb(before)})` },
  ];
}

if (!hasMosquitto) {
  console.error('npm run bench -- ingest needs Mosquitto (/usr/sbin/mosquitto) and openssl');
  process.exit(1);
}
await buildChangedParts(['bridge', 'ingest worker']);
const [only] = process.argv.slice(2);
const gathering = () => [1, 20, 200, 1000].map((boards) => gatheringOf(boards));
const figures = {
  gathering,
  throughput,
  timely,
  neighbours,
  lostToKill,
  lostToBroker: async () => [await lostToBroker(FIRMWARE_REPEATS), await lostToBroker(0)],
  lostToLock,
  burst,
};
const rows: Row[] = [];
try {
  for (const [name, figure] of Object.entries(figures)) {
    if (only === undefined || only === name) rows.push(...(await figure()));
  }
} finally {
  clearAway();
}
printTable(`Ingestion, ${MESSAGES} messages of QoS 1 with ${IN_FLIGHT} in flight`, rows);
