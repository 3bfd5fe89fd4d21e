import { appendFileSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import type { WranglerOptions } from '../../scripts/deploy/run-wrangler.ts';
import { openDatabaseFile, readAccount, type Worker } from './pretended-account.ts';

const options = {
  json: { type: 'boolean' },
  name: { type: 'string' },
  config: { type: 'string' },
  remote: { type: 'boolean' },
  yes: { type: 'boolean' },
  command: { type: 'string' },
  file: { type: 'string' },
  output: { type: 'string' },
  'skip-confirmation': { type: 'boolean' },
  location: { type: 'string' },
  'production-branch': { type: 'string' },
  'project-name': { type: 'string' },
  branch: { type: 'string' },
  'commit-dirty': { type: 'string' },
  environment: { type: 'string' },
  message: { type: 'string' },
} as const;
const parsed = (args: string[]) => parseArgs({ args, allowPositionals: true, options });

const envSchema = z.object({
  FAKE_BREAK: z.string().default(''),
  FAKE_BREAK_WHEN: z.enum(['before', 'after']).default('before'),
  WRANGLER_OUTPUT_FILE_PATH: z.string().optional(),
});

export const configSchema = z.object({
  name: z.string(),
  main: z.string().optional(),
  vars: z.record(z.string(), z.string()).default({}),
  keep_vars: z.boolean().default(false),
  workers_dev: z.boolean().default(false),
  secrets: z.object({ required: z.array(z.string()) }).default({ required: [] }),
  d1_databases: z
    .array(
      z.object({
        binding: z.string(),
        database_name: z.string(),
        database_id: z.string(),
        migrations_dir: z.string(),
      }),
    )
    .default([]),
  r2_buckets: z.array(z.object({ bucket_name: z.string() })).default([]),
  services: z.array(z.object({ service: z.string() })).default([]),
  durable_objects: z
    .object({ bindings: z.array(z.object({ class_name: z.string(), script_name: z.string().optional() })) })
    .default({ bindings: [] }),
  migrations: z.array(z.object({ tag: z.string(), new_sqlite_classes: z.array(z.string()) })).default([]),
});

export function refuse(message: string): never {
  throw new Error(message);
}

export type Call = ReturnType<typeof readCall>;

/**
 * One call of the pretended wrangler: its words, what is around it, and the account that it is about.
 * @param said takes what it writes to standard output
 */
export function readCall(
  folder: string,
  args: string[],
  said: string[],
  { cwd = '.', input = '', env = {} }: WranglerOptions = {},
) {
  const { values, positionals: words } = parsed(args);
  const known = envSchema.parse(env);
  const account = readAccount(folder);
  /** A path from where it was called. */
  const at = (path: string) => resolve(cwd, path);
  const besideConfig = (path: string) => resolve(dirname(at(values.config ?? '')), path);
  const config = () =>
    configSchema.parse(JSON.parse(readFileSync(at(values.config ?? refuse('no --config')), 'utf8')));
  /** The id of the database of that name, and where its migrations are. */
  const database = (name: string | undefined): { uuid: string; migrations: string } => {
    const wanted = config().d1_databases.find(({ database_name }) => database_name === name);
    const there = account.databases.find(({ uuid }) => uuid === wanted?.database_id);
    if (!wanted || !there) refuse('The database could not be found [code: 7404]');
    return { uuid: there.uuid, migrations: besideConfig(wanted.migrations_dir) };
  };
  /** The worker that is named, if it has been deployed. */
  const worker = (): Worker =>
    account.workers[values.name ?? ''] ?? refuse(`Worker "${values.name}" not found.`);
  return {
    folder,
    account,
    words,
    values,
    env: known,
    input,
    said,
    say: (value: unknown) => void said.push(JSON.stringify(value, undefined, 2)),
    /** What it tells other programs. */
    report: (event: Record<string, unknown>) => {
      const { WRANGLER_OUTPUT_FILE_PATH: file } = known;
      if (file !== undefined) appendFileSync(file, `${JSON.stringify({ version: 1, ...event })}\n`);
    },
    at,
    besideConfig,
    config,
    database,
    onDatabase: (name: string | undefined, use: (db: DatabaseSync) => void) => {
      const db = openDatabaseFile(folder, database(name).uuid);
      try {
        use(db);
      } finally {
        db.close();
      }
    },
    worker,
  };
}
