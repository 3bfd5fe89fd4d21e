import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import mqtt, { type MqttClient } from 'mqtt';
import { onTestFinished } from 'vitest';
import { connectBoardAndWait } from '../../../local/boards/publisher.ts';
import { openBroker } from '../../../local/broker.ts';
import { freePorts } from '../../support/ports.ts';
import { BRIDGE } from './ingest.ts';
import { atProcessEnd } from './process-end.ts';
import { freshFolder, launch, start, until, type Started } from './processes.ts';
import { MOSQUITTO, placeMosquitto } from './shipped-mosquitto.ts';

export { hasMosquitto } from './shipped-mosquitto.ts';

export type Broker = {
  /** For the boards. */
  url: string;
  /** The bridge's variables for this broker: with TLS, if the broker has TLS. */
  bridgeEnv: Record<string, string>;
  /** The newest MQTT version of the broker. */
  version: 4 | 5;
  process: { end: (signal?: NodeJS.Signals) => Promise<unknown> };
  /** The file with the broker's messages, if it has one. */
  dataFile?: string;
  /** Starts the broker again on the same ports. */
  restart: () => Promise<Broker>;
};

/** The embedded broker in this process. `end` drops its connections and sessions, as a kill does. */
async function openEmbedded(wanted = 0): Promise<Broker> {
  const { port, close } = await openBroker(wanted, () => undefined);
  let closed: Promise<void> | undefined;
  const end = () => (closed ??= close());
  onTestFinished(end);
  const url = `mqtt://127.0.0.1:${port}`;
  const bridgeEnv = { MQTT_URL: url };
  return { url, bridgeEnv, version: 4, process: { end }, restart: () => openEmbedded(port) };
}

type BrokerProcess = Omit<Broker, 'process'> & { process: Started };

/** Mosquitto with the shipped configuration, but without passwords; `inFlight` as in placeMosquitto. */
async function runMosquitto(folder: string, begin: typeof start, inFlight?: number): Promise<BrokerProcess> {
  const [plain = 0, tls = 0] = await freePorts(2);
  const placed = placeMosquitto(folder, plain, tls, { open: true, inFlight });
  const { url, dataFile } = placed;
  const bridgeEnv = { MQTT_URL: placed.tls.url, MQTT_CA_FILE: placed.tls.caFile };
  async function run(): Promise<BrokerProcess> {
    const started = begin(MOSQUITTO, ['-c', placed.configuration]);
    await until('Mosquitto running', () => started.output().includes('running'));
    return { url, bridgeEnv, version: 5, process: started, dataFile, restart: run };
  }
  return run();
}

/** A separate Mosquitto, which a test may end and configure. */
export const ownMosquitto = (inFlight?: number): Promise<Broker> =>
  runMosquitto(freshFolder(), start, inFlight);

const LAST_TOPIC = 'the/last/of/what/is/retained';

/** Ends the bridge's session with its waiting messages, and deletes all retained messages. */
async function emptied(url: string): Promise<void> {
  const client = await mqtt.connectAsync(url, { clientId: `cps-bridge-${BRIDGE.id}`, protocolVersion: 5 });
  const retained: string[] = [];
  const all = Promise.withResolvers<void>();
  client.on('message', (topic, _, { retain }) => {
    if (retain) retained.push(topic);
    if (topic === LAST_TOPIC) all.resolve();
  });
  await client.subscribeAsync('#', { qos: 1 });
  await client.publishAsync(LAST_TOPIC, '', { qos: 1 });
  await all.promise;
  await Promise.all(retained.map((topic) => client.publishAsync(topic, '', { qos: 1, retain: true })));
  await client.endAsync();
}

let shared: Promise<BrokerProcess> | undefined;
atProcessEnd(async () => {
  if (shared === undefined) return;
  const { process: mosquitto, dataFile = '' } = await shared;
  await mosquitto.end('SIGKILL');
  rmSync(dirname(dataFile), { recursive: true });
});

/** The Mosquitto that the tests of this process share, emptied. Tests must not end or configure it. */
async function sharedMosquitto(): Promise<Broker> {
  shared ??= runMosquitto(mkdtempSync(join(tmpdir(), 'bridge-test-')), launch);
  const broker = await shared;
  await emptied(broker.url);
  return broker;
}

export const brokers = { embedded: () => openEmbedded(), mosquitto: sharedMosquitto };

/** Connects a board of the test. */
export async function connectBoard(broker: Pick<Broker, 'url'>): Promise<MqttClient> {
  const board = await connectBoardAndWait({ MQTT_URL: broker.url });
  onTestFinished(() => board.endAsync(true));
  return board;
}
