import { isAbsolute, resolve } from 'node:path';
import * as z from 'zod';

const port = (standard: number) => z.coerce.number().int().min(1).max(65_535).default(standard);
const onOff = z
  .literal(['on', 'off'])
  .default('on')
  .transform((value) => value === 'on');

const schema = z.object({
  PORT: port(8787),
  INGEST_PORT: port(8788),
  MQTT_PORT: port(1883),
  BRIDGE_PORT: port(8789),
  /** Another broker instead of the embedded one. */
  MQTT_URL: z.url({ protocol: /^(mqtts?|wss?)$/ }).optional(),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .transform((path) => (isAbsolute(path) ? path : resolve(path))),
  /** A minute: sign-ins from one address, uploads of one user, batches of readings from one bridge. */
  LOGIN_RATE: z.coerce.number().int().min(1).default(60),
  UPLOAD_RATE: z.coerce.number().int().min(1).default(60),
  READINGS_RATE: z.coerce.number().int().min(1).default(6000),
  DEMO_DATA: onOff,
  SIMULATOR: onOff,
});

export type Settings = z.output<typeof schema> & { brokerUrl: string; origin: string };

/**
 * The environment of the local run, checked once.
 * @throws Error with one line that names every wrong variable
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const result = schema.safeParse(env);
  if (!result.success) {
    const problems = result.error.issues.map((issue) => {
      const name = issue.path.join('.');
      return `${name}=${env[name]} (${issue.message})`;
    });
    throw new Error(`wrong settings: ${problems.join('; ')}`);
  }
  const settings = result.data;
  const ports = [settings.PORT, settings.INGEST_PORT, settings.BRIDGE_PORT];
  if (settings.MQTT_URL === undefined) ports.push(settings.MQTT_PORT);
  if (new Set(ports).size < ports.length)
    throw new Error('PORT, INGEST_PORT, MQTT_PORT and BRIDGE_PORT must differ');
  return {
    ...settings,
    brokerUrl: settings.MQTT_URL ?? `mqtt://127.0.0.1:${settings.MQTT_PORT}`,
    origin: `http://127.0.0.1:${settings.PORT}`,
  };
}
