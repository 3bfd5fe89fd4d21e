import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readVariables, secretsOf } from '#contract/variables';
import { experimental_readRawConfig as readRawConfig } from 'wrangler';
import * as z from 'zod';
import { apiVariables } from '../../worker/src/lib/config.ts';
import type { DatabaseName } from '../local-d1.ts';
import { AFTER_THE_MOVE } from '../plants-move.ts';

/*
 * The wrangler.toml files are tracked and contain no account's ids. What is deployed is a copy of each under dist/,
 * with the databases' ids in that account.
 */

const service = z.object({ binding: z.string(), service: z.string() });
const database = z.looseObject({
  binding: z.string(),
  database_name: z.string(),
  database_id: z.string(),
  migrations_dir: z.string(),
});
const durableObject = z.looseObject({
  name: z.string(),
  class_name: z.string(),
  script_name: z.string().optional(),
});
const queues = z.looseObject({
  producers: z.array(z.looseObject({ binding: z.string(), queue: z.string() })).default([]),
  consumers: z
    .array(z.looseObject({ queue: z.string(), dead_letter_queue: z.string().optional() }))
    .default([]),
});
const rate = z.looseObject({ name: z.string(), namespace_id: z.string() });

const configSchema = z.looseObject({
  name: z.string(),
  compatibility_date: z.string(),
  vars: z.record(z.string(), z.string()).default({}),
  d1_databases: z.array(database).default([]),
  r2_buckets: z.array(z.looseObject({ binding: z.string(), bucket_name: z.string() })).default([]),
  services: z.array(service).default([]),
  durable_objects: z.object({ bindings: z.array(durableObject) }).default({ bindings: [] }),
  ratelimits: z.array(rate).default([]),
  queues: queues.default({ producers: [], consumers: [] }),
  triggers: z.object({ crons: z.array(z.string()) }).default({ crons: [] }),
});
const workerSchema = configSchema.extend({ main: z.string() });
export type PartConfig = z.output<typeof configSchema>;
type WorkerConfig = z.output<typeof workerSchema>;

/** The tracked configuration of everything that is deployed. */
export type Parts = { api: WorkerConfig; ingest: WorkerConfig; site: PartConfig };

export const trackedFiles = {
  api: 'wrangler.toml',
  ingest: 'ingest/wrangler.toml',
  site: 'web/wrangler.toml',
} as const;

/** @throws Error naming the file and what is wrong with it */
export function readParts(): Parts {
  const read = <Schema extends z.ZodType>(part: keyof Parts, schema: Schema): z.output<Schema> => {
    const parsed = schema.safeParse(readRawConfig({ config: trackedFiles[part] }).rawConfig);
    if (!parsed.success) throw new Error(`${trackedFiles[part]}: ${z.prettifyError(parsed.error)}`);
    return parsed.data;
  };
  return {
    api: read('api', workerSchema),
    ingest: read('ingest', workerSchema),
    site: read('site', configSchema),
  };
}

/** Names of the secrets without which the API worker does not start. */
export const requiredSecrets = Object.entries(apiVariables.shape)
  .filter(([name, field]) => secretsOf(apiVariables).includes(name) && !field.safeParse(undefined).success)
  .map(([name]) => name);

/** Placeholders in the tracked files for ids that differ between accounts. */
const NO_ID = /^00000000-0000-0000-0000-0000000000[0-9]{2}$/;
/** Whether somebody has put a real id into a tracked file. */
export const isTracked = (id: string) => !NO_ID.test(id);

/** By the names of bindings. */
type Ids = Readonly<Record<string, string | undefined>>;

/** @throws Error when the configuration does not bind it */
export function databaseOf({ d1_databases }: PartConfig, name: DatabaseName) {
  const found = d1_databases.find(({ binding }) => binding === name);
  if (!found) throw new Error(`${trackedFiles.api} names no database ${name}`);
  return found;
}

/** The databases of plants. */
export const homesOf = ({ d1_databases }: PartConfig) =>
  d1_databases.filter(({ binding }) => binding.startsWith('PLANTS_DB'));

/** Those that groups leave, unless the variable is wrong. */
export function emptiedHomes(vars: Readonly<Record<string, string>>): string[] {
  const read = readVariables(apiVariables.pick({ PLANTS_DB_EMPTIED: true }), vars);
  return 'values' in read ? read.values.PLANTS_DB_EMPTIED : [];
}

export const GENERATED = { api: 'dist/deploy/api.json', ingest: 'dist/deploy/ingest.json' } as const;

/**
 * Writes the configurations that are deployed.
 * @param account the ids of its databases, and this account's public variables
 */
export function writeGenerated(
  { api, ingest }: Parts,
  account: { databaseIds: Ids; variables: Record<string, string> },
): void {
  // One that is not said must not stay as it was: it would name a database that is bound no more.
  const vars: PartConfig['vars'] = { PLANTS_DB_EMPTIED: '', ...api.vars, ...account.variables };
  const sender = vars['MAIL_FROM'];
  writeConfig('api', {
    ...api,
    vars,
    // An account that sends no mail need not be set up for it.
    ...(sender && { send_email: [{ name: 'EMAIL', allowed_sender_addresses: [sender] }] }),
    // Keeps variables that somebody has set on the dashboard.
    keep_vars: true,
    // wrangler refuses to deploy while one is missing.
    secrets: { required: requiredSecrets },
    d1_databases: api.d1_databases.map(withId('api', account.databaseIds)),
  });
  writeConfig('ingest', {
    ...ingest,
    d1_databases: ingest.d1_databases.map(withId('ingest', account.databaseIds)),
  });
}

const withId = (part: keyof typeof GENERATED, ids: Ids) => (db: z.output<typeof database>) => ({
  ...db,
  database_id: ids[db.binding] ?? db.database_id,
  migrations_dir: fromGenerated(part, db.migrations_dir),
});

/** Rewrites a path of a tracked configuration relative to the generated one. */
function fromGenerated(part: keyof typeof GENERATED, path: string): string {
  return relative(dirname(GENERATED[part]), join(dirname(trackedFiles[part]), path));
}

function writeConfig(part: keyof typeof GENERATED, config: WorkerConfig): void {
  mkdirSync(dirname(GENERATED[part]), { recursive: true });
  const text = JSON.stringify({ ...config, main: fromGenerated(part, config.main) }, undefined, 2);
  writeFileSync(GENERATED[part], `${text}\n`);
}

/** Writes a configuration with the databases only, for commands that access them. @returns its path */
export function writeDatabaseConfig({ api }: Parts, ids: Ids): string {
  const databases = api.d1_databases.filter(({ binding }) => ids[binding]);
  return writeDatabases('dist/deploy/database.json', api, databases.map(withId('api', ids)));
}

/**
 * The same, with DB's migrations as far as they are applied before the plants have moved, in a folder of their own.
 * @returns its path
 */
export function writeConfigBeforeMove({ api }: Parts, ids: Ids): string {
  const folder = 'dist/deploy/migrations';
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { migrations_dir: all, ...db } = databaseOf(api, 'DB');
  for (const name of readdirSync(all))
    if (name.endsWith('.sql') && !name.endsWith(AFTER_THE_MOVE))
      copyFileSync(join(all, name), join(folder, name));
  const before = { ...db, database_id: ids['DB'] ?? db.database_id, migrations_dir: 'migrations' };
  return writeDatabases('dist/deploy/before-move.json', api, [before]);
}

function writeDatabases(
  file: string,
  { name, compatibility_date }: PartConfig,
  d1_databases: object[],
): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ name, compatibility_date, d1_databases }, undefined, 2)}\n`);
  return file;
}
