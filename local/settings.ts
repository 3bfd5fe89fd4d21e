import {
  brokerUrlVariable,
  listVariable,
  switchVariable,
  portVariable,
  readVariables,
  wholeNumber,
} from '#contract/variables';
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import * as z from 'zod';
import { shellQuoted, commandInDataDir } from '#contract/first-steps';
import { replaceFile } from '../firmware-bridge/src/files.ts';
import { bridgeEnvSchema } from '../firmware-bridge/src/config.ts';
import { apiEnvSchema } from '../worker/src/lib/config.ts';

/** One rate limit of the wrangler.toml files, with another number. */
const RATE = /^(?:LOGIN|UPLOAD|READINGS|STRANGERS)_RATE=[1-9][0-9]{0,6}$/;

/** Variables that the local API worker gets unchanged. They are checked before any part starts. */
const handedToApi = apiEnvSchema.pick({
  ADMIN_EMAILS: true,
  UNIVERSITY_EMAIL_DOMAINS: true,
  ALERT_WEBHOOK_URL: true,
  HEARTBEAT_URL: true,
  LOG_LEVEL: true,
});

export const localEnvSchema = z.object({
  PORT: portVariable().default(8787).meta({ description: 'the site and /api' }),
  INGEST_PORT: portVariable().default(8788).meta({ description: 'the ingest worker' }),
  MQTT_PORT: portVariable().default(1883).meta({ description: 'the embedded broker, on loopback' }),
  BRIDGE_PORT: portVariable().default(8789).meta({ description: "the bridge's health, on loopback" }),
  MQTT_URL: brokerUrlVariable()
    .optional()
    .meta({ description: 'another broker instead of the embedded one' }),
  BOARDS_MQTT_URL: z
    .string()
    .regex(/^mqtts:\/\/[\w.-]+(:\d{1,5})?$/, 'must be like mqtts://192.168.0.5:8883')
    .optional()
    .meta({
      description:
        'with `--lan`: the address that boards connect to; without it the address of this machine, port 8883',
    }),
  DATA_DIR: z
    .string()
    .default('.data')
    .transform((path) => (isAbsolute(path) ? path : resolve(path)))
    .meta({ description: "the folder of databases, files, keys and the bridge's spool; may be absolute" }),
  DEMO_DATA: switchVariable('on').meta({ description: 'off: the first run loads only accounts' }),
  SIMULATOR: switchVariable('on').meta({ description: 'off: no mock boards' }),
  WATCH_SECONDS: wholeNumber(1, 3600).optional().meta({
    description:
      'seconds between two runs of the five-minutes task, which watches and rolls up; without it every five minutes, as deployed',
  }),
  LOCAL_HOSTS: listVariable(
    z.string().regex(/^[a-z0-9.-]+$/, 'must be names like lab.test, in lower case and without ports'),
  )
    .default([])
    .meta({
      description:
        'host names besides localhost and 127.0.0.1 that site and ingest worker answer to, comma-separated',
    }),
  RATES: listVariable(z.string().regex(RATE, 'must be like LOGIN_RATE=600'))
    .default([])
    .transform((rates): Record<string, number> =>
      Object.fromEntries(rates.map((rate) => rate.split('=')).map(([name, limit]) => [name, Number(limit)])),
    )
    .meta({
      description:
        'rate limits per minute that differ from the wrangler.toml files: LOGIN_RATE=600,UPLOAD_RATE=600, comma-separated',
    }),
  BOARD_QUOTA_READINGS: bridgeEnvSchema.shape.BOARD_QUOTA_READINGS,
  ...handedToApi.shape,
});

export const boardEnvSchema = z.object({
  MQTT_URL: brokerUrlVariable()
    .default('mqtt://127.0.0.1:1883')
    .meta({ description: 'the broker, which must accept anybody as that of the local run does' }),
});

export type Settings = z.output<typeof localEnvSchema> & { brokerUrl: string; origin: string };

/**
 * The validated environment of the local run.
 * @throws Error with a single line that names every invalid variable
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const read = readVariables(localEnvSchema, env);
  if ('problems' in read) throw new Error(`wrong settings: ${read.problems.join('; ')}`);
  const settings = read.values;
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

/** A printed command must repeat these settings: without them it would start or stop another run. */
const OF_A_RUN = ['PORT', 'INGEST_PORT', 'MQTT_PORT', 'BRIDGE_PORT', 'MQTT_URL', 'BOARDS_MQTT_URL'] as const;

/** The settings that are not the default, as variables to type in a command. */
function givenIn(settings: Settings): [string, string][] {
  const usual = localEnvSchema.parse({});
  return OF_A_RUN.flatMap((name) => {
    const value = settings[name];
    return value === undefined || value === usual[name] ? [] : [[name, String(value)]];
  });
}

/** The `npm start` command of this run, for the operator to type again. */
export function startCommand(settings: Settings, hasLan: boolean): string {
  const given = givenIn(settings).map(([name, value]) => `${name}=${shellQuoted(value)} `);
  return commandInDataDir(settings.DATA_DIR, `${given.join('')}npm start${hasLan ? ' -- --lan' : ''}`);
}

const startSchema = z.object({ given: z.record(z.string(), z.string()), hasLan: z.boolean() });
export type RecordedStart = z.output<typeof startSchema>;
const startOf = (dataDir: string) => join(dataDir, 'start.json');

/** Writes the settings of this run into the data folder. `npm run doctor` reads them. */
export function recordStart(settings: Settings, hasLan: boolean): void {
  const start: RecordedStart = { given: Object.fromEntries(givenIn(settings)), hasLan };
  replaceFile(startOf(settings.DATA_DIR), JSON.stringify(start));
}

/** The settings of the last run with this data folder; undefined if they are unknown. */
export function readLastStart(dataDir: string): RecordedStart | undefined {
  const file = startOf(dataDir);
  if (!existsSync(file)) return undefined;
  try {
    return startSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
