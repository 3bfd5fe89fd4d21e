/** What the way through bridge and ingest worker is measured against. Neither checks, signs or keeps anything safe. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  clock,
  counted,
  counting,
  folder,
  launch,
  launchCarelessMosquitto,
  publish,
  until,
} from './parts.ts';

type Sink = { command: string; args: string[]; isReady: (output: string, brokerOutput: string) => boolean };

const SUB = '/usr/bin/mosquitto_sub';
const SQLITE = '/usr/bin/sqlite3';
/** The pipe needs Debian's mosquitto-clients and sqlite3. */
export const hasPipe = existsSync(SUB) && existsSync(SQLITE);

/** MQTT.js into SQLite, 100 rows a transaction, acknowledged on arrival. */
const plain = (url: string, file: string): Sink => ({
  command: process.execPath,
  args: ['tests/bench/ingest/plain.ts', url, file],
  isReady: (output) => output.includes('ready'),
});

/** `mosquitto_sub | sqlite3`, a transaction a row. It ends by itself: nobody else can end both of its processes. */
const pipe = (url: string, file: string, count: number): Sink => ({
  command: 'sh',
  args: [
    '-c',
    `${SUB} -p ${new URL(url).port} -q 1 -c -i pipe -C ${count} -W 100 -t lab/plants/bench/soil_moisture \
      -F "INSERT INTO plant_readings VALUES ('%t', '%I', '%p');" | ${SQLITE} ${file}`,
  ],
  isReady: (_output, brokerOutput) => brokerOutput.includes('as pipe '),
});

const COLUMNS = {
  plain: 'plant TEXT, measured_at TEXT, seq INTEGER, soil_moisture INTEGER',
  pipe: 'topic TEXT, received_at TEXT, payload TEXT',
};

/** Readings a second from the first publish until the last is stored. */
export async function rateOf(peer: keyof typeof COLUMNS, count: number, inFlight: number): Promise<number> {
  const broker = await launchCarelessMosquitto();
  const file = join(folder(), 'peer.sqlite');
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA journal_mode = WAL; CREATE TABLE plant_readings (${COLUMNS[peer]})`);
  const { command, args, isReady } = { plain, pipe }[peer](broker.forBridge['MQTT_URL'] ?? '', file, count);
  const sink = launch(command, args);
  await until(`${peer} listens`, () => (isReady(sink.output(), broker.part.output()) ? true : undefined));
  const stored = counting(db);
  const publishing = publish(broker, count, inFlight);
  const end = await until(`${peer} stored`, () => (counted(stored) >= count ? clock() : undefined));
  const { began } = await publishing;
  db.close();
  await broker.part.end();
  await sink.end();
  return (count / (end - began)) * 1000;
}
