/**
 * `npm run bench -- discovery`: how soon Home Assistant, a client of Mosquitto as it is shipped, knows 500 boards, from the
 * start of the bundled bridge; and what is published again when nothing or everything has changed.
 */
import type { MqttClient } from 'mqtt';
import { connectedBoard } from '../../local/boards/publisher.ts';
import { boardCommand } from '../../firmware-bridge/src/commands/board-command.ts';
import { configTopicOf } from '../../firmware-bridge/src/home-assistant/device.ts';
import { setRights } from '../../firmware-bridge/src/commands/users.ts';
import { buildChanged } from '../../scripts/build/build.ts';
import {
  hasSecureMosquitto,
  MOSQUITTO,
  passwordIn,
  placeMosquitto,
} from '../firmware-bridge/support/shipped-mosquitto.ts';
import { freePorts } from '../support/ports.ts';
import { BRIDGE, launchIngest } from '../support/ingest-worker.ts';
import { clearAway, clock, folder, launch, launchBridge, until, type BenchBroker } from './ingest/parts.ts';
import { median, printTable, type Row } from './table.ts';

const BOARDS = 500;
const ROUNDS = 3;
const plants = Array.from({ length: BOARDS }, (_, n) => `plant-${n}`);

/** Mosquitto as it is shipped, with a bridge, Home Assistant and a user `bench` who may speak for every plant. */
async function launchBroker() {
  const [plain = 0, tlsPort = 0] = await freePorts(2);
  const { tls, configuration, passwordFile, aclFile } = placeMosquitto(folder(), plain, tlsPort, {
    open: false,
  });
  if (tls === undefined) throw new Error('no TLS without openssl');
  const env = {
    MOSQUITTO_PASSWORD_FILE: passwordFile,
    MOSQUITTO_ACL_FILE: aclFile,
    MOSQUITTO_PID_FILE: '/nowhere',
  };
  const as = (user: string, ...args: string[]) => ({
    MQTT_URL: tls.url,
    MQTT_CA_FILE: tls.caFile,
    MQTT_USERNAME: user,
    MQTT_PASSWORD: passwordIn(boardCommand(args, env).text),
  });
  const forBridge = { ...as(`cps-bridge-${BRIDGE.id}`, 'bridge', BRIDGE.id), HEARTBEAT_SECONDS: '1' };
  const forBoard = as('bench', 'add', 'bench');
  const forHomeAssistant = as('cps-home-assistant', 'home-assistant');
  setRights(aclFile, 'bench', ['topic write lab/plants/#']);
  const restart = async () => {
    const part = launch(MOSQUITTO, ['-c', configuration]);
    await until('Mosquitto runs', () => (part.output().includes('running') ? true : undefined));
    return part;
  };
  const broker: BenchBroker = { part: await restart(), restart, forBridge, forBoard };
  return { broker, forHomeAssistant };
}

type Heard = { count: number; bytes: number; first: number; last: number };

/** What Home Assistant hears until the configuration of `end`, which every round sends last. */
async function heardUntil(client: MqttClient, end: string): Promise<Heard> {
  const heard: Heard = { count: 0, bytes: 0, first: Number.NaN, last: Number.NaN };
  await new Promise<void>((resolve) => {
    client.on('message', (topic, payload) => {
      if (topic === configTopicOf(end)) {
        client.removeAllListeners('message');
        resolve();
        return;
      }
      heard.last = clock();
      if (heard.count === 0) heard.first = heard.last;
      heard.count += 1;
      heard.bytes += payload.byteLength;
    });
  });
  return heard;
}

async function round(): Promise<{ found: number; published: number; again: number; changed: Heard }> {
  const ingest = await launchIngest(folder());
  const { broker, forHomeAssistant } = await launchBroker();
  const spool = folder();
  const home = await connectedBoard(forHomeAssistant, { protocolVersion: 5 });
  await home.subscribeAsync('homeassistant/#', { qos: 1 });
  const board = await connectedBoard(broker.forBoard, { protocolVersion: 5 });
  const speak = (plant: string) =>
    board.publishAsync(`lab/plants/${plant}/availability`, 'online', { qos: 1, retain: true });
  const list = JSON.stringify(plants);
  await ingest.run(`INSERT INTO plants (name) SELECT value FROM json_each('${list}')`);
  await Promise.all(plants.map(speak));

  const finding = heardUntil(home, 'end-1');
  const began = clock();
  let bridge = await launchBridge(broker, ingest.url, spool);
  await until('found', () => (/"announced":500/.test(bridge.output()) ? true : undefined));
  await speak('end-1');
  const found = await finding;

  await bridge.end();
  const again = heardUntil(home, 'end-2');
  bridge = await launchBridge(broker, ingest.url, spool);
  await speak('end-2');
  const repeated = await again;

  const changing = heardUntil(home, 'end-3');
  await ingest.run('UPDATE plant_states SET dry = 800, wet = 300');
  await until('changed', () => (/"announced":50[0-9]/.test(bridge.output()) ? true : undefined));
  await speak('end-3');
  const changed = await changing;

  for (const client of [home, board]) await client.endAsync();
  await bridge.end();
  await broker.part.end();
  await ingest.stop();
  return {
    found: found.count === BOARDS ? found.last - began : Number.NaN,
    published: found.last - found.first,
    again: repeated.count,
    changed,
  };
}

async function figures(): Promise<Row[]> {
  const rounds = [];
  for (let number = 0; number < ROUNDS; number++) rounds.push(await round());
  const ms = (values: number[]) => `${median(values).toFixed(0)} ms (most ${Math.max(...values).toFixed(0)})`;
  return [
    {
      figure: `start of the bridge → Home Assistant knows ${BOARDS} boards`,
      value: ms(rounds.map(({ found }) => found)),
      target: '≤ 5000 ms',
    },
    {
      figure: 'of that, from the first message to the last',
      value: ms(rounds.map(({ published }) => published)),
      target: 'less',
    },
    {
      figure: 'published again after a restart',
      value: String(Math.max(...rounds.map(({ again }) => again))),
      target: '0',
    },
    {
      figure: 'a calibration for all: from the first message to the last',
      value: ms(rounds.map(({ changed }) => changed.last - changed.first)),
      target: 'as above',
    },
    {
      figure: 'bytes of a message',
      value: String(Math.round((rounds[0]?.changed.bytes ?? 0) / (rounds[0]?.changed.count ?? 1))),
      target: '',
    },
  ];
}

if (!hasSecureMosquitto) {
  console.error('npm run bench -- discovery needs Mosquitto (/usr/sbin/mosquitto) and openssl');
  process.exit(1);
}
await buildChanged(['bridge', 'ingest worker']);
try {
  printTable('Home Assistant', await figures());
} finally {
  clearAway();
}
