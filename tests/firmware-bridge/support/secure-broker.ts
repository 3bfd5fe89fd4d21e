import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { onTestFinished } from 'vitest';
import { boardCommand } from '../../../firmware-bridge/src/commands/board-command.ts';
import { freePorts } from '../../support/ports.ts';
import { BRIDGE } from './ingest.ts';
import { freshFolder, start, until, type Started } from './processes.ts';
import { MOSQUITTO, passwordIn, placeMosquitto } from './shipped-mosquitto.ts';

export type SecureBroker = {
  url: string;
  ca: Buffer;
  caFile: string;
  env: Record<string, string>;
  process: Started;
};

/** Mosquitto with the shipped configuration and rights, with the addresses and paths of the test. */
export async function startSecureBroker(): Promise<SecureBroker> {
  const [plain = 0, tlsPort = 0] = await freePorts(2);
  const placed = placeMosquitto(freshFolder(), plain, tlsPort, { open: false });
  const broker = start(MOSQUITTO, ['-c', placed.configuration]);
  await until('Mosquitto running', () => broker.output().includes('running'));
  return {
    ...placed.tls,
    ca: readFileSync(placed.tls.caFile),
    env: {
      MOSQUITTO_PASSWORD_FILE: placed.passwordFile,
      MOSQUITTO_USERS_FILE: placed.usersFile,
      MOSQUITTO_ACL_FILE: placed.aclFile,
      MOSQUITTO_PID_FILE: placed.pidFile,
    },
    process: broker,
  };
}

export async function connectAs(
  { url, ca }: SecureBroker,
  username: string,
  password: string,
  options: IClientOptions = {},
): Promise<MqttClient> {
  const client = await mqtt.connectAsync(url, {
    ca,
    username,
    password,
    protocolVersion: 5,
    reconnectPeriod: 0,
    ...options,
  });
  client.on('error', () => undefined);
  onTestFinished(() => client.endAsync(true));
  return client;
}

/** The settings of a bridge with its own user and a spool in a new folder. */
export function bridgeSettings(
  broker: SecureBroker,
  ingestUrl: string,
  id: string = BRIDGE.id,
): Record<string, string> {
  const made = boardCommand(['bridge', id], broker.env);
  return {
    MQTT_URL: broker.url,
    MQTT_PASSWORD: passwordIn(made.text),
    MQTT_CA_FILE: broker.caFile,
    BRIDGE_ID: id,
    BRIDGE_KEY: BRIDGE.key,
    INGEST_URL: ingestUrl,
    SPOOL_FILE: join(freshFolder(), 'spool.sqlite'),
    HEALTH_PORT: '0',
  };
}
