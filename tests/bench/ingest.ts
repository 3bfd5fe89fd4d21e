/**
 * `npm run bench:ingest`: the whole way of a reading in real processes (publisher, Mosquitto, the bundled bridge, the
 * ingest worker on D1), in turn with the plainest program that stores what the broker brings. Compare ratios.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { buildChanged } from '../../scripts/build.ts';
import { launchIngest, type Ingest } from '../support/ingest-worker.ts';
import {
  clearAway,
  folder,
  launch,
  launchBridge,
  launchMosquitto,
  peakMemory,
  until,
} from './ingest/parts.ts';
import { median, printTable, quantile, type Row } from './table.ts';

const ROUNDS = 3;
const MESSAGES = 20_000;
const IN_FLIGHT = 100;
const TIMELY_A_SECOND = 200;
const TIMELY_SECONDS = 15;

const clock = () => performance.timeOrigin + performance.now();
const publishedSchema = z.object({ began: z.number(), acknowledged: z.number() });

/** Publishes in a process of its own; resolves when the last is acknowledged. */
async function publish(url: string, count: number, inFlight: number, aSecond = 0) {
  const args = ['tests/bench/ingest/publisher.ts', url, 'bench', count, inFlight, aSecond].map(String);
  const publisher = launch(process.execPath, args);
  await until('published', () => (publisher.child.exitCode === null ? undefined : true));
  return publishedSchema.parse(JSON.parse(publisher.output()));
}

const counting = (db: DatabaseSync) => db.prepare('SELECT count(*) AS n FROM plant_readings');
const counted = (statement: StatementSync) => Number(statement.get()?.['n']);

type System = { ingest: Ingest; url: string; spool: string; d1: DatabaseSync; stop: () => Promise<void> };

async function startSystem(safe = false) {
  const ingest = await launchIngest(folder());
  const mosquitto = await launchMosquitto(safe);
  const spool = folder();
  const d1 = ingest.openFile({ readOnly: true });
  const system: System = {
    ingest,
    url: mosquitto.url,
    spool,
    d1,
    stop: async () => {
      d1.close();
      await mosquitto.part.end();
      await ingest.stop();
    },
  };
  return { ...system, bridge: await launchBridge(mosquitto.url, ingest.url, spool) };
}

/** Readings a second from the first publish until the last is stored. */
async function ours(count: number, safe: boolean): Promise<number> {
  const system = await startSystem(safe);
  const stored = counting(system.d1);
  const publishing = publish(system.url, count, IN_FLIGHT);
  const end = await until('stored', () => (counted(stored) >= count ? clock() : undefined));
  const { began } = await publishing;
  await system.bridge.end();
  await system.stop();
  return (count / (end - began)) * 1000;
}

async function plain(count: number, safe: boolean): Promise<number> {
  const mosquitto = await launchMosquitto(safe);
  const file = join(folder(), 'plain.sqlite');
  const sink = launch(process.execPath, ['tests/bench/ingest/plain.ts', mosquitto.url, file]);
  await until('the plain program listens', () => (sink.output().includes('ready') ? true : undefined));
  const db = new DatabaseSync(file, { readOnly: true });
  const stored = counting(db);
  const publishing = publish(mosquitto.url, count, IN_FLIGHT);
  const end = await until('stored', () => (counted(stored) >= count ? clock() : undefined));
  const { began } = await publishing;
  db.close();
  await sink.end();
  await mosquitto.part.end();
  return (count / (end - began)) * 1000;
}

/** In turn, so that whatever else the machine does falls on both. */
async function compare(count: number, safe: boolean, rounds: number): Promise<Row[]> {
  const figures = { ours: [] as number[], plain: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    figures.ours.push(await ours(count, safe));
    figures.plain.push(await plain(count, safe));
  }
  const spread = (values: number[]) =>
    `${median(values).toFixed(0)}/s (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`;
  const broker = safe ? 'broker that saves each' : 'broker that saves now and then';
  return [
    {
      figure: `published → spooled → acknowledged → in D1, ${broker}`,
      value: spread(figures.ours),
      target: safe ? 'no target' : '≥ 5000/s, aim 8000/s',
    },
    {
      figure: 'the plain limit, neither safe nor checked',
      value: spread(figures.plain),
      target: 'same machine',
    },
    {
      figure: 'ours ÷ the plain limit',
      value: (median(figures.ours) / median(figures.plain)).toFixed(2),
      target: safe ? 'no target' : 'Node-RED in WAL 0.23, a pipe 0.38',
    },
  ];
}

const throughput = () => compare(MESSAGES, false, ROUNDS);
const throughputOfSafeBroker = () => compare(MESSAGES / 10, true, 1);

async function timely(): Promise<Row[]> {
  const system = await startSystem();
  const { connectAsync } = await import('mqtt');
  const board = await connectAsync(system.url, { protocolVersion: 5 });
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
    { figure: `published → in D1 at ${TIMELY_A_SECOND} a second, p50`, value: ms(0.5), target: '≤ 40 ms' },
    { figure: `published → in D1 at ${TIMELY_A_SECOND} a second, p99`, value: ms(0.99), target: '≤ 150 ms' },
  ];
}

async function lostToKill(): Promise<Row[]> {
  const count = 3000;
  const system = await startSystem();
  const publishing = publish(system.url, count, IN_FLIGHT, 1000);
  await until('a third stored', () => (counted(counting(system.d1)) >= count / 3 ? true : undefined));
  await system.bridge.end('SIGKILL');
  await wait(2000);
  const again = await launchBridge(system.url, system.ingest.url, system.spool);
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
  const publishing = publish(system.url, count, IN_FLIGHT, 400);
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
  const before = peakMemory(system.bridge);
  await system.bridge.end();
  // All of it waits in the broker when the bridge comes back.
  await publish(system.url, count, IN_FLIGHT);
  const began = clock();
  const bridge = await launchBridge(system.url, system.ingest.url, system.spool);
  await settled(system, count);
  const seconds = (clock() - began) / 1000;
  const peak = peakMemory(bridge);
  const stored = counted(counting(system.d1));
  await bridge.end();
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

/** Waits until everything is stored, or nothing more comes. */
async function settled(system: System, count: number): Promise<void> {
  const stored = counting(system.d1);
  let last = -1;
  let still = 0;
  while (counted(stored) < count && still < 600) {
    const now = counted(stored);
    still = now === last ? still + 1 : 0;
    last = now;
    await wait(50);
  }
}

if (!existsSync('/usr/sbin/mosquitto')) {
  console.error('bench:ingest needs Mosquitto (/usr/sbin/mosquitto)');
  process.exit(1);
}
await buildChanged(['bridge']);
const [only] = process.argv.slice(2);
const figures = { throughput, throughputOfSafeBroker, timely, lostToKill, lostToLock, burst };
const rows: Row[] = [];
try {
  for (const [name, figure] of Object.entries(figures)) {
    if (only === undefined || only === name) rows.push(...(await figure()));
  }
} finally {
  clearAway();
}
printTable(`Ingestion, ${MESSAGES} messages of QoS 1 with ${IN_FLIGHT} in flight`, rows);
