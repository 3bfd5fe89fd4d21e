import { createHash } from 'node:crypto';
import { rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { secretVariableNames } from '#contract/variables';
import { experimental_readRawConfig as readRawConfig } from 'wrangler';
import * as z from 'zod';
import { apiEnvSchema } from '../../worker/src/lib/config.ts';
import { makeFolder, replaceFile } from '../../firmware-bridge/src/files.ts';
import { defaultDeploymentName } from '../deployment-name.ts';
import type { DatabaseName } from '../database/local-d1.ts';

/*
 * The wrangler.toml files are in git, so they have no ids of databases. Copies with the ids of the account
 * are written into dist/deploy/, and these copies are deployed.
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
  triggers: z.object({ crons: z.array(z.string()) }).default({ crons: [] }),
});
const workerSchema = configSchema.extend({ main: z.string() });
export type WranglerConfig = z.output<typeof configSchema>;
type WorkerConfig = z.output<typeof workerSchema>;

/** The configurations of the parts in one deployment. */
export type DeployConfig = { name: string; api: WorkerConfig; ingest: WorkerConfig; site: WranglerConfig };

export const trackedFiles = {
  api: 'wrangler.toml',
  ingest: 'ingest/wrangler.toml',
  site: 'web/wrangler.toml',
} as const;
export type PartName = keyof typeof trackedFiles;

/** @throws Error naming the file and what is wrong with it */
export function readDeployConfig(name = defaultDeploymentName()): DeployConfig {
  const read = <Schema extends z.ZodType>(part: PartName, schema: Schema): z.output<Schema> => {
    const parsed = schema.safeParse(configured(part, name));
    if (!parsed.success) throw new Error(`${trackedFiles[part]}: ${z.prettifyError(parsed.error)}`);
    return parsed.data;
  };
  return {
    name,
    api: read('api', workerSchema),
    ingest: read('ingest', workerSchema),
    site: read('site', configSchema),
  };
}

/** The fields that begin with the deployment's name. */
const CALLED = new Set(['name', 'database_name', 'bucket_name', 'service', 'script_name']);

/** The configuration of a part for a deployment. Two deployments must not share any resource. */
function configured(part: PartName, name: string): unknown {
  const usual = defaultDeploymentName();
  const tracked = JSON.stringify(readRawConfig({ config: trackedFiles[part] }).rawConfig);
  if (name === usual) return JSON.parse(tracked);
  // All workers of an account that have the same namespace number share one rate limit.
  const number = 10_000 + (createHash('sha256').update(name).digest().readUInt32BE() % 90_000);
  return JSON.parse(tracked, (key, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (key === 'namespace_id') return `${number}${value}`;
    const isOfThis = CALLED.has(key) && (value === usual || value.startsWith(`${usual}-`));
    return isOfThis ? name + value.slice(usual.length) : value;
  });
}

/** The names of the secrets that the API worker needs to start. */
export const requiredSecrets = Object.entries(apiEnvSchema.shape)
  .filter(
    ([name, field]) =>
      secretVariableNames(apiEnvSchema).includes(name) && !field.safeParse(undefined).success,
  )
  .map(([name]) => name);

/** The wrangler.toml files have ids of this form, because each account has its own ids. */
const NO_ID = /^00000000-0000-0000-0000-0000000000[0-9]{2}$/;
/** Whether somebody has written a real id into a wrangler.toml. */
export const isRealDatabaseId = (id: string) => !NO_ID.test(id);

/** The id in wrangler.toml, if it is a real id. Only the deployment with the default name may use it. */
export const trackedDatabaseId = ({ name }: DeployConfig, { database_id: id }: { database_id: string }) =>
  isRealDatabaseId(id) && name === defaultDeploymentName() ? id : undefined;

/** By binding name: the ids of the databases. */
type Ids = Readonly<Record<string, string | undefined>>;

/** @throws Error if the configuration does not have this binding */
export function databaseOf({ d1_databases }: WranglerConfig, name: DatabaseName) {
  const found = d1_databases.find(({ binding }) => binding === name);
  if (!found) throw new Error(`${trackedFiles.api} has no database ${name}`);
  return found;
}

export const bucketOf = ({ r2_buckets }: WranglerConfig) => r2_buckets[0]?.bucket_name ?? '';

/** The paths of the configurations that were written for a deployment. */
export const generatedConfigPaths = (name: string) => ({
  api: `dist/deploy/${name}/api.json`,
  ingest: `dist/deploy/${name}/ingest.json`,
  databases: `dist/deploy/${name}/database.json`,
  /** This path is a folder, because for Pages wrangler reads the configuration in its working directory. */
  site: `dist/deploy/${name}/site`,
});

/**
 * Writes the configurations that are then deployed.
 * @param account the ids of its databases, and the account's public variables
 */
export function writeGeneratedConfigs(
  { name, api, ingest }: DeployConfig,
  account: { databaseIds: Ids; variables: Record<string, string> },
): void {
  const to = generatedConfigPaths(name);
  const vars: WranglerConfig['vars'] = { ...api.vars, ...account.variables };
  const sender = vars['MAIL_FROM'];
  writeConfig(to.api, 'api', {
    ...api,
    vars,
    // Adds this only if there is a sender: otherwise every account would have to be set up for mail.
    ...(sender && { send_email: [{ name: 'EMAIL', allowed_sender_addresses: [sender] }] }),
    // Keeps variables that somebody has set on the dashboard.
    keep_vars: true,
    // With this, wrangler refuses a deployment while a secret is missing.
    secrets: { required: requiredSecrets },
    d1_databases: api.d1_databases.map(withId(to.api, 'api', account.databaseIds)),
  });
  writeConfig(to.ingest, 'ingest', {
    ...ingest,
    d1_databases: ingest.d1_databases.map(withId(to.ingest, 'ingest', account.databaseIds)),
  });
  writeSite(name, to.site);
}

const withId = (file: string, part: PartName, ids: Ids) => (db: z.output<typeof database>) => ({
  ...db,
  database_id: ids[db.binding] ?? db.database_id,
  migrations_dir: fromGenerated(file, part, db.migrations_dir),
});

/** The path from a wrangler.toml, relative to the written file. */
function fromGenerated(file: string, part: PartName, path: string): string {
  return relative(dirname(file), join(dirname(trackedFiles[part]), path));
}

function writeConfig(file: string, part: PartName, config: WorkerConfig): void {
  write(file, { ...config, main: fromGenerated(file, part, config.main) });
}

function writeSite(name: string, folder: string): void {
  const tracked = z.looseObject({}).parse(configured('site', name));
  write(join(folder, 'wrangler.json'), { ...tracked, pages_build_output_dir: relative(folder, 'web/dist') });
  const functions = join(folder, 'functions');
  rmSync(functions, { force: true });
  symlinkSync(resolve('web/functions'), functions, 'junction');
}

/** Writes a configuration with only the databases, for commands on databases. @returns its path */
export function writeDatabaseConfig({ name, api }: DeployConfig, ids: Ids): string {
  const { databases: file } = generatedConfigPaths(name);
  const { compatibility_date } = api;
  write(file, {
    name: api.name,
    compatibility_date,
    d1_databases: api.d1_databases.map(withId(file, 'api', ids)),
  });
  return file;
}

function write(file: string, config: object): void {
  makeFolder(dirname(file));
  replaceFile(file, `${JSON.stringify(config, undefined, 2)}\n`);
}
