import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import mqtt, { type MqttClient } from 'mqtt';
import { onTestFinished } from 'vitest';
import { freePorts } from '../../support/ports.ts';
import { freshFolder, loggedPort, start, until, type Started } from './processes.ts';

export const MOSQUITTO = '/usr/sbin/mosquitto';
export const hasMosquitto = existsSync(MOSQUITTO);

export type Broker = {
  url: string;
  /** The newest MQTT version that it speaks. */
  version: 4 | 5;
  process: Started;
  /** Where it keeps its messages, if it does. */
  dataFile?: string;
  /** Starts it again on the same port after it was ended. */
  restart: () => Promise<Broker>;
};

async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

async function embeddedOn(port: number): Promise<Broker> {
  const started = start(process.execPath, ['local/broker.ts'], { MQTT_PORT: String(port) });
  await loggedPort(started, 'port');
  return {
    url: `mqtt://127.0.0.1:${port}`,
    version: 4,
    process: started,
    restart: () => embeddedOn(port),
  };
}

async function mosquittoOn(port: number, folder: string): Promise<Broker> {
  const configuration = join(folder, 'mosquitto.conf');
  const shipped = join(import.meta.dirname, '../../../firmware-bridge/mosquitto/mosquitto.conf');
  // The shipped file as it is, but for the address, the place of its data, and for whom it is open.
  const text = readFileSync(shipped, 'utf8')
    .replace(/^listener 1883 .*$/m, `listener ${port} 127.0.0.1`)
    .replace(/^persistence_location .*$/m, `persistence_location ${folder}/`)
    .replace(/^allow_anonymous .*$/m, 'allow_anonymous true')
    .replace(/^(listener 8883|certfile|keyfile|tls_version|password_file|acl_file|pid_file).*$/gm, '');
  writeFileSync(configuration, `${text}\nuser ${process.env['USER'] ?? 'root'}\n`);
  const started = start(MOSQUITTO, ['-c', configuration]);
  await until('Mosquitto running', () => started.output().includes('running'));
  return {
    url: `mqtt://127.0.0.1:${port}`,
    version: 5,
    process: started,
    dataFile: join(folder, 'mosquitto.db'),
    restart: () => mosquittoOn(port, folder),
  };
}

export const brokers = {
  embedded: async () => embeddedOn(await freePort()),
  mosquitto: async () => mosquittoOn(await freePort(), freshFolder()),
};

/** A board of the test: what it publishes is acknowledged when the promise resolves. */
export async function connectBoard(broker: Broker): Promise<MqttClient> {
  const board = await mqtt.connectAsync(broker.url, {
    reconnectPeriod: 100,
    reconnectOnConnackError: true,
    connectTimeout: 2000,
  });
  onTestFinished(() => board.endAsync(true));
  return board;
}
