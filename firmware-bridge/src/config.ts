import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { bridgeIdSchema } from '#contract/bridges';
import { REPAIR_STEPS } from '#contract/first-steps';
import {
  urlVariable,
  brokerUrlVariable,
  switchVariable,
  portVariable,
  readVariables,
  wholeNumber,
} from '#contract/variables';
import * as z from 'zod';
import { boardLimits, type BoardLimits } from './spool/quota.ts';
import { explainError, currentInstallation } from './system-error.ts';

/** A bridge's user name at the broker. It is also the bridge's MQTT client id. */
export const bridgeUser = (bridgeId: string) => `cps-bridge-${bridgeId}`;

/**
 * A connection without a packet for this long counts as lost. The ingest worker waits longer for a bridge.
 */
const KEEPALIVE_S = 30;
/** Longer than the ingest worker ever needs for a full batch. */
const INGEST_TIMEOUT_MS = 10_000;

/** Exit code for errors that only an operator can fix (EX_CONFIG); systemd must not restart the bridge. */
export const EXIT_CONFIG = 78;

export const bridgeEnvSchema = z.object({
  MQTT_URL: brokerUrlVariable().meta({ description: 'the broker: mqtt://, mqtts://, ws:// or wss://' }),
  MQTT_PASSWORD: z
    .string()
    .optional()
    .meta({ description: "the bridge's password at the broker", secret: true }),
  MQTT_PROTOCOL_VERSION: z
    .enum(['4', '5'], 'must be 4 or 5')
    .default('5')
    .meta({ description: '5, or 4 (MQTT 3.1.1) for an older broker' }),
  MQTT_CLIENT_ID: z
    .string()
    .regex(/^[!-~]{1,128}$/, 'must be 1 to 128 visible ASCII characters')
    .optional()
    .meta({
      description:
        'without it cps-bridge-<BRIDGE_ID>; the broker stores messages under this name: a new name loses them',
    }),
  MQTT_CA_FILE: z
    .string()
    .optional()
    .meta({ description: "PEM file with the broker's certificate authority; without it the system's" }),
  BRIDGE_ID: bridgeIdSchema.meta({ description: 'the name under which the ingest worker knows the bridge' }),
  BRIDGE_KEY: z
    .string()
    .min(32, 'must have at least 32 characters')
    .meta({ description: 'signs requests to the ingest worker', secret: true }),
  INGEST_URL: urlVariable(/^https?$/, 'https://ingest.example').meta({
    description: 'the address of the ingest worker',
  }),
  SPOOL_FILE: z.string().meta({
    description: 'SQLite file of the spool; created if missing, never on a network drive',
  }),
  BOARD_QUOTA_READINGS: wholeNumber(1, 10_000_000).default(50_000).meta({
    description:
      'readings that a board may send in one burst; up to four times as many wait, more are refused',
  }),
  BOARD_QUOTA_PER_MINUTE: wholeNumber(1, 1_000_000)
    .default(60)
    .meta({ description: 'how many readings a board may send per minute after that; more have to wait' }),
  HEALTH_PORT: portVariable(0)
    .default(8789)
    .meta({ description: 'port of /health on 127.0.0.1; 0 chooses a free port and logs it' }),
  HEARTBEAT_SECONDS: wholeNumber(1, 1440)
    .default(30)
    .meta({ description: 'seconds between two heartbeats to the ingest worker, 1 to 1440' }),
  HOME_ASSISTANT: switchVariable('on').meta({
    description: 'off: boards are not announced to Home Assistant, and former announcements are removed',
  }),
  MOSQUITTO_USERS_FILE: z.string().optional().meta({
    description:
      "list of the broker's users, as the board command writes it; without it Home Assistant keeps revoked boards",
  }),
  BOARD_ORDER_FILE: z.string().optional().meta({
    description:
      "file in which the bridge passes the portal's requests about boards to cps-board order; without it the bridge carries them out itself if MOSQUITTO_PASSWORD_FILE is set",
  }),
  BACKUP_COMMAND: z.string().optional().meta({
    description:
      'shell command that the bridge runs when the portal asks for a backup; without this variable no backup is made',
  }),
});

/** Where the `board` command finds Mosquitto's files, and the settings that cps-setup has written. */
export const mosquittoEnvSchema = z.object({
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
    .meta({ description: "file with the number of the broker's process, which reloads its files" }),
  CPS_SETTINGS_FILE: z.string().default('/etc/cps-bridge.env').meta({
    description: 'file of the settings, written by cps-setup and read by the commands',
  }),
  BOARDS_MQTT_URL: brokerUrlVariable().optional().meta({
    description: 'the address by which boards reach the broker; without it MQTT_URL',
  }),
  MOSQUITTO_USERS_FILE: z.string().optional().meta({
    description:
      "file in which the board command lists the broker's users for bridges; without it cps-users beside the password file",
  }),
  BOARD_ORDER_FILE: z.string().optional().meta({
    description: "file in which cps-board order finds the portal's request",
  }),
});

export type Config = {
  mqtt: {
    url: string;
    username?: string;
    password?: string;
    protocolVersion: 4 | 5;
    clientId: string;
    keepalive: number;
    ca?: Buffer;
    /** The bridge publishes `online` here. The broker publishes `offline` here when it loses the bridge. */
    availabilityTopic: string;
  };
  ingest: { url: string; bridgeId: string; key: string; timeoutMs: number };
  spoolFile: string;
  spoolLimits: BoardLimits;
  healthPort: number;
  heartbeatMs: number;
  homeAssistant: boolean;
  usersFile?: string;
  /** Who does tasks about boards: root (reads `orderFile`), this process (with `env`), or nobody (null). */
  boards: { orderFile: string } | { env: Record<string, string | undefined> } | null;
  backupCommand: string | undefined;
};

/** The CA certificate in the file or, as a string, the problem with the file. */
function caIn(file: string): Buffer | string {
  const step = `First step: ${REPAIR_STEPS.caFile(file, currentInstallation())}`;
  try {
    const pem = readFileSync(file);
    // Throws on an invalid certificate.
    void new X509Certificate(pem);
    return pem;
  } catch (error) {
    const why =
      error instanceof Error && 'syscall' in error ? explainError(error) : `${file} has no certificate`;
    return `MQTT_CA_FILE cannot be used: ${why.replace(/ First step: .*/, '').replace(/\.$/, '')}. ${step}`;
  }
}

function mqttFrom(variables: z.infer<typeof bridgeEnvSchema>): Config['mqtt'] | { problems: string[] } {
  const file = variables.MQTT_CA_FILE;
  const ca = file === undefined ? undefined : caIn(file);
  if (typeof ca === 'string') return { problems: [ca] };
  const { MQTT_PASSWORD: password } = variables;
  // The client id must not change: the broker queues messages for this id while the bridge is away.
  const clientId = variables.MQTT_CLIENT_ID ?? bridgeUser(variables.BRIDGE_ID);
  const said = decodeURIComponent(new URL(variables.MQTT_URL).username);
  // Our mosquitto.conf uses the user name as client id: with another name the bridge would lose its session.
  if (said !== '' && said !== clientId) {
    return {
      problems: [
        'the user in MQTT_URL differs from the client id: use cps-bridge-<BRIDGE_ID>, as board bridge <BRIDGE_ID> makes it, or set MQTT_CLIENT_ID',
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
    keepalive: KEEPALIVE_S,
    ...(ca === undefined ? {} : { ca }),
    availabilityTopic: `lab/bridges/${variables.BRIDGE_ID}/availability`,
  };
}

/**
 * Parses the environment, or returns one line per invalid variable. Empty variables count as absent. The
 * lines never contain values, because some values are secret.
 */
export function readConfig(env: Record<string, string | undefined>): Config | { problems: string[] } {
  const read = readVariables(bridgeEnvSchema, env);
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
      timeoutMs: INGEST_TIMEOUT_MS,
    },
    spoolFile: variables.SPOOL_FILE,
    spoolLimits: boardLimits(variables.BOARD_QUOTA_READINGS, variables.BOARD_QUOTA_PER_MINUTE),
    healthPort: variables.HEALTH_PORT,
    heartbeatMs: variables.HEARTBEAT_SECONDS * 1000,
    homeAssistant: variables.HOME_ASSISTANT,
    ...(variables.MOSQUITTO_USERS_FILE === undefined ? {} : { usersFile: variables.MOSQUITTO_USERS_FILE }),
    boards:
      variables.BOARD_ORDER_FILE !== undefined
        ? { orderFile: variables.BOARD_ORDER_FILE }
        : env['MOSQUITTO_PASSWORD_FILE']
          ? { env }
          : null,
    backupCommand: variables.BACKUP_COMMAND,
  };
}
