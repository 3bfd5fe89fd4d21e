import { readFileSync } from 'node:fs';
import { connect, type IClientOptions, type MqttClient } from 'mqtt';

/** How a board reaches its broker, by the names that the bridge's variables have. */
export type Access = Partial<
  Record<'MQTT_URL' | 'MQTT_CA_FILE' | 'MQTT_USERNAME' | 'MQTT_PASSWORD', string | undefined>
>;

/** A board's connection, which comes back by itself as soon as it can. */
export function connectBoard(
  { MQTT_URL: url = '', MQTT_CA_FILE: caFile, MQTT_USERNAME: username, MQTT_PASSWORD: password }: Access,
  options: IClientOptions = {},
): MqttClient {
  return connect(url, {
    reconnectPeriod: 100,
    reconnectOnConnackError: true,
    connectTimeout: 2000,
    ...(caFile === undefined ? {} : { ca: readFileSync(caFile) }),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...options,
  });
}

/** The same, once it is connected. */
export async function connectedBoard(access: Access, options: IClientOptions = {}): Promise<MqttClient> {
  const board = connectBoard(access, options);
  await new Promise((resolve) => board.once('connect', resolve));
  return board;
}
