import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { errorText } from './log.ts';

/** Exit code for what only an operator can put right (EX_CONFIG): systemd must not start it again. */
export const EXIT_CONFIG = 78;

function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^[0-9]{1,10}$/, message)
    .transform(Number)
    .pipe(z.number(message).min(min, message).max(max, message));
}

function address(protocol: RegExp, example: string) {
  return z.url({ protocol, error: `must be an address like ${example}` });
}

const variablesSchema = z.object({
  MQTT_URL: address(/^(mqtts?|wss?)$/, 'mqtt://127.0.0.1:1883'),
  MQTT_USERNAME: z.string().optional(),
  MQTT_PASSWORD: z.string().optional(),
  MQTT_PROTOCOL_VERSION: z.enum(['4', '5'], 'must be 4 or 5').default('5'),
  MQTT_CLIENT_ID: z
    .string()
    .regex(/^[!-~]{1,128}$/, 'must be 1 to 128 visible ASCII characters')
    .optional(),
  MQTT_CA_FILE: z.string().optional(),
  MQTT_KEEPALIVE_SECONDS: wholeNumber(1, 3600).default(30),
  MQTT_SHARED_GROUP: z
    .string()
    .regex(/^[0-9A-Za-z._-]{1,64}$/, 'must be 1 to 64 of 0-9 A-Z a-z . _ -')
    .optional(),
  BRIDGE_ID: z.string('is required').regex(/^[0-9A-Za-z._-]{1,64}$/, 'must be 1 to 64 of 0-9 A-Z a-z . _ -'),
  BRIDGE_KEY: z.string('is required').min(32, 'must have at least 32 characters'),
  INGEST_URL: address(/^https?$/, 'https://ingest.example'),
  SPOOL_FILE: z.string('is required'),
  HEALTH_PORT: wholeNumber(0, 65_535).default(8789),
  HEARTBEAT_SECONDS: wholeNumber(1, 1440).default(30),
});

export type Config = {
  mqtt: {
    url: string;
    username?: string;
    password?: string;
    protocolVersion: 4 | 5;
    clientId: string;
    /** Seconds. */
    keepalive: number;
    ca?: Buffer;
    /** Bridges of one group divide the readings among them. */
    sharedGroup?: string;
    /** Where the bridge says online, and the broker offline when it is gone. */
    availabilityTopic: string;
  };
  ingest: { url: string; bridgeId: string; key: string };
  spoolFile: string;
  healthPort: number;
  heartbeatMs: number;
};

/**
 * The configuration from environment variables, or one line for each variable that is wrong. An empty variable
 * counts as absent. Values are never repeated in the lines, because some are secret.
 */
export function readConfig(env: Record<string, string | undefined>): Config | { problems: string[] } {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = variablesSchema.safeParse(given);
  if (!parsed.success) {
    return { problems: parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`) };
  }
  const variables = parsed.data;
  if (variables.MQTT_SHARED_GROUP !== undefined && variables.MQTT_PROTOCOL_VERSION !== '5') {
    return { problems: ['MQTT_SHARED_GROUP needs MQTT_PROTOCOL_VERSION 5'] };
  }
  let ca: Buffer | undefined;
  if (variables.MQTT_CA_FILE !== undefined) {
    try {
      ca = readFileSync(variables.MQTT_CA_FILE);
    } catch (error) {
      return { problems: [`MQTT_CA_FILE cannot be read: ${errorText(error)}`] };
    }
  }
  const { MQTT_USERNAME: username, MQTT_PASSWORD: password } = variables;
  return {
    mqtt: {
      url: variables.MQTT_URL,
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
      protocolVersion: variables.MQTT_PROTOCOL_VERSION === '4' ? 4 : 5,
      // Fixed, because the broker keeps what arrives while the bridge is away under this name.
      clientId: variables.MQTT_CLIENT_ID ?? `cps-bridge-${variables.BRIDGE_ID}`,
      keepalive: variables.MQTT_KEEPALIVE_SECONDS,
      ...(ca === undefined ? {} : { ca }),
      ...(variables.MQTT_SHARED_GROUP === undefined ? {} : { sharedGroup: variables.MQTT_SHARED_GROUP }),
      availabilityTopic: `lab/bridges/${variables.BRIDGE_ID}/availability`,
    },
    ingest: { url: variables.INGEST_URL, bridgeId: variables.BRIDGE_ID, key: variables.BRIDGE_KEY },
    spoolFile: variables.SPOOL_FILE,
    healthPort: variables.HEALTH_PORT,
    heartbeatMs: variables.HEARTBEAT_SECONDS * 1000,
  };
}
