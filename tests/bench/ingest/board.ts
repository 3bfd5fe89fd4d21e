import { readFileSync } from 'node:fs';
import { connectAsync, type MqttClient } from 'mqtt';

/** A board of the benchmark, connected. */
export function connectBoard(env: Record<string, string | undefined>): Promise<MqttClient> {
  const { MQTT_URL = '', MQTT_CA_FILE: ca, MQTT_USERNAME: username, MQTT_PASSWORD: password } = env;
  return connectAsync(MQTT_URL, {
    protocolVersion: 5,
    reconnectPeriod: 100,
    ...(ca === undefined ? {} : { ca: readFileSync(ca) }),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
  });
}
