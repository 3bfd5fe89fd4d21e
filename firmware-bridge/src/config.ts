import { PLANTS_MAX } from '#contract/plants';
import { DAY_MS } from '#contract/time';
import { readFileSync } from 'node:fs';
import { address, brokerAddress, onOff, port, readVariables, wholeNumber } from '#contract/variables';
import * as z from 'zod';
import { errorText } from './log.ts';
import type { DeadLetterLimits } from './spool/dead-letter-files.ts';
import { bridgeUser } from './commands/rights.ts';
import type { SpoolLimits } from './spool/spool-file.ts';

const MEGABYTE = 1024 * 1024;

/** Exit code for errors that only an operator can fix (EX_CONFIG); systemd must not restart the bridge. */
export const EXIT_CONFIG = 78;

export const bridgeIdSchema = z
  .string()
  .regex(/^[0-9A-Za-z._-]{1,64}$/, 'must be 1 to 64 of 0-9 A-Z a-z . _ -');

export const bridgeVariables = z.object({
  MQTT_URL: brokerAddress().meta({ description: 'the broker: mqtt://, mqtts://, ws:// or wss://' }),
  MQTT_USERNAME: z.string().optional().meta({
    description:
      'who the bridge is to the broker: the same as its client id; with a password it need not be said',
  }),
  MQTT_PASSWORD: z
    .string()
    .optional()
    .meta({ description: "the bridge's password at the broker", secret: true }),
  MQTT_PROTOCOL_VERSION: z
    .enum(['4', '5'], 'must be 4 or 5')
    .default('5')
    .meta({ description: '5, or 4 (MQTT 3.1.1) for a broker that speaks nothing newer' }),
  MQTT_CLIENT_ID: z
    .string()
    .regex(/^[!-~]{1,128}$/, 'must be 1 to 128 visible ASCII characters')
    .optional()
    .meta({
      description:
        'without it cps-bridge-<BRIDGE_ID>; the broker keeps messages under this name: never change it lightly',
    }),
  MQTT_CA_FILE: z
    .string()
    .optional()
    .meta({ description: "PEM file with the broker's certificate authority; without it the system's" }),
  MQTT_KEEPALIVE_SECONDS: wholeNumber(1, 3600)
    .default(30)
    .meta({ description: 'how soon broker and bridge notice that the other is gone, 1 to 3600' }),
  BRIDGE_ID: bridgeIdSchema.meta({ description: 'the name under which the ingest worker knows the bridge' }),
  BRIDGE_KEY: z
    .string()
    .min(32, 'must have at least 32 characters')
    .meta({ description: 'signs requests to the ingest worker', secret: true }),
  INGEST_URL: address(/^https?$/, 'https://ingest.example').meta({
    description: 'the address of the ingest worker',
  }),
  INGEST_TIMEOUT_SECONDS: wholeNumber(1, 60)
    .default(10)
    .meta({ description: 'how long an answer of the ingest worker is waited for, 1 to 60' }),
  SPOOL_FILE: z.string().meta({
    description: 'SQLite file of the spool; made when absent, never on a network drive',
  }),
  BOARD_QUOTA_READINGS: wholeNumber(1, 10_000_000)
    .default(50_000)
    .meta({ description: 'how many readings a board may send at once' }),
  BOARD_QUOTA_PER_MINUTE: wholeNumber(1, 1_000_000)
    .default(60)
    .meta({ description: 'how many of these it gets back in a minute; what is beyond waits' }),
  BOARD_WAITING_READINGS: wholeNumber(0, 10_000_000)
    .default(200_000)
    .meta({ description: 'how many readings of a board may wait beyond its quota; more are refused' }),
  BOARD_WAITING_MEGABYTES: wholeNumber(1, 100_000)
    .default(20)
    .meta({ description: 'how much room the messages of a board may take that wait so' }),
  BOARD_DEAD_LETTERS_MEGABYTES: wholeNumber(1, 100_000)
    .default(4)
    .meta({ description: 'how much room the dead letters of a board may take; more are only counted' }),
  DEAD_LETTERS_MEGABYTES: wholeNumber(1, 100_000)
    .default(64)
    .meta({ description: 'how much room all dead letters may take before the oldest go into a file' }),
  DEAD_LETTER_DAYS: wholeNumber(1, 36_500)
    .default(90)
    .meta({ description: 'after how many days a dead letter goes into a file' }),
  DEAD_LETTER_FILES_MEGABYTES: wholeNumber(1, 100_000)
    .default(256)
    .meta({ description: 'how much room these files may take before the oldest is removed' }),
  HEALTH_PORT: port(0)
    .default(8789)
    .meta({ description: 'health on 127.0.0.1; 0 takes a free port and logs it' }),
  HEARTBEAT_SECONDS: wholeNumber(1, 1440)
    .default(30)
    .meta({ description: 'how often the ingest worker is told that the bridge lives, 1 to 1440' }),
  HOME_ASSISTANT: onOff('on').meta({
    description: 'off: Home Assistant is told of no board, and what it was told is taken back',
  }),
  MOSQUITTO_USERS_FILE: z.string().optional().meta({
    description:
      'who has a password at the broker, as the board command writes it; without it Home Assistant keeps a board that was revoked',
  }),
});

/** Where the `board` command finds Mosquitto, which itself is not configured by variables. */
export const mosquittoVariables = z.object({
  MOSQUITTO_PASSWORD_FILE: z
    .string()
    .default('/etc/mosquitto/cps-passwords')
    .meta({ description: "the broker's password file" }),
  MOSQUITTO_ACL_FILE: z
    .string()
    .default('/etc/mosquitto/cps-acl')
    .meta({ description: "the broker's file of rights" }),
  MOSQUITTO_PID_FILE: z
    .string()
    .default('/run/mosquitto/mosquitto.pid')
    .meta({ description: "names the broker's process, which is told to read its files again" }),
  CPS_SETTINGS_FILE: z
    .string()
    .default('/etc/cps-bridge.env')
    .meta({ description: 'where cps-setup writes the settings, and the commands read them' }),
  BOARDS_MQTT_URL: brokerAddress().optional().meta({
    description: 'the address by which boards reach the broker; without it MQTT_URL',
  }),
  MOSQUITTO_USERS_FILE: z.string().optional().meta({
    description:
      'where the board command lists who has a password, for bridges; without it cps-users beside the password file',
  }),
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
    /** The bridge announces `online` here; the broker announces `offline` when the bridge is gone. */
    availabilityTopic: string;
  };
  ingest: { url: string; bridgeId: string; key: string; timeoutMs: number };
  spoolFile: string;
  spoolLimits: SpoolLimits;
  deadLetters: DeadLetterLimits;
  healthPort: number;
  heartbeatMs: number;
  /** Whether Home Assistant is told of the boards. */
  homeAssistant: boolean;
  usersFile?: string;
};

function mqttFrom(variables: z.infer<typeof bridgeVariables>): Config['mqtt'] | { problems: string[] } {
  let ca: Buffer | undefined;
  if (variables.MQTT_CA_FILE !== undefined) {
    try {
      ca = readFileSync(variables.MQTT_CA_FILE);
    } catch (error) {
      return { problems: [`MQTT_CA_FILE cannot be read: ${errorText(error)}`] };
    }
  }
  const { MQTT_PASSWORD: password } = variables;
  // Fixed, because the broker queues messages under this name while the bridge is away.
  const clientId = variables.MQTT_CLIENT_ID ?? bridgeUser(variables.BRIDGE_ID);
  const said = variables.MQTT_USERNAME ?? decodeURIComponent(new URL(variables.MQTT_URL).username);
  // The shipped broker uses the user name as the client id; a different client id would be a different session.
  if (said !== '' && said !== clientId) {
    return {
      problems: [
        'MQTT_USERNAME must be the client id: cps-bridge-<BRIDGE_ID>, as board bridge <BRIDGE_ID> makes it, or MQTT_CLIENT_ID',
      ],
    };
  }
  const username = said === '' && password === undefined ? undefined : clientId;
  return {
    url: variables.MQTT_URL,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    protocolVersion: variables.MQTT_PROTOCOL_VERSION === '4' ? 4 : 5,
    clientId,
    keepalive: variables.MQTT_KEEPALIVE_SECONDS,
    ...(ca === undefined ? {} : { ca }),
    availabilityTopic: `lab/bridges/${variables.BRIDGE_ID}/availability`,
  };
}

/**
 * Parses the environment, or returns one line per invalid variable. Empty variables count as absent. Values are never
 * repeated, because some are secret.
 */
export function readConfig(env: Record<string, string | undefined>): Config | { problems: string[] } {
  const read = readVariables(bridgeVariables, env);
  if ('problems' in read) return read;
  const variables = read.values;
  const mqtt = mqttFrom(variables);
  if ('problems' in mqtt) return mqtt;
  return {
    mqtt,
    ingest: {
      url: variables.INGEST_URL,
      bridgeId: variables.BRIDGE_ID,
      key: variables.BRIDGE_KEY,
      timeoutMs: variables.INGEST_TIMEOUT_SECONDS * 1000,
    },
    spoolFile: variables.SPOOL_FILE,
    spoolLimits: {
      burst: variables.BOARD_QUOTA_READINGS,
      perMinute: variables.BOARD_QUOTA_PER_MINUTE,
      waitingReadings: variables.BOARD_WAITING_READINGS,
      waitingBytes: variables.BOARD_WAITING_MEGABYTES * MEGABYTE,
      deadLetterBytes: variables.BOARD_DEAD_LETTERS_MEGABYTES * MEGABYTE,
      boards: PLANTS_MAX,
    },
    deadLetters: {
      bytes: variables.DEAD_LETTERS_MEGABYTES * MEGABYTE,
      ageMs: variables.DEAD_LETTER_DAYS * DAY_MS,
      filesBytes: variables.DEAD_LETTER_FILES_MEGABYTES * MEGABYTE,
    },
    healthPort: variables.HEALTH_PORT,
    heartbeatMs: variables.HEARTBEAT_SECONDS * 1000,
    homeAssistant: variables.HOME_ASSISTANT,
    ...(variables.MOSQUITTO_USERS_FILE === undefined ? {} : { usersFile: variables.MOSQUITTO_USERS_FILE }),
  };
}
