/**
 * Stands in for wrangler with an account, which no test has: `wrangler` on the PATH of a deployment under test. What
 * an account holds is in the folder FAKE_ACCOUNT; D1 is a real SQLite file there, with the real migrations, exported in
 * D1's own words. It refuses what Cloudflare refuses: an unknown database, bucket or service, a missing secret.
 *
 * FAKE_BREAK names a command that breaks off: `before` it has done anything it fails; `after` it has done everything
 * it kills the program that called it, which never hears of it.
 */
import { createHash, randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { exported, openDatabaseFile } from './account-databases.ts';

const env = z
  .object({
    FAKE_ACCOUNT: z.string(),
    FAKE_BREAK: z.string().default(''),
    FAKE_BREAK_WHEN: z.enum(['before', 'after']).default('before'),
    WRANGLER_OUTPUT_FILE_PATH: z.string().optional(),
  })
  .parse(process.env);

const workerSchema = z.object({
  /** By name, as the hash of the value. */
  secrets: z.record(z.string(), z.string()).default({}),
  vars: z.record(z.string(), z.string()).optional(),
  /** Classes of Durable Objects. */
  classes: z.array(z.string()).default([]),
  /** Oldest first, with the ids of the databases that each binds, by the names of the bindings. */
  deployed: z
    .array(
      z.object({
        version: z.string(),
        at: z.string(),
        databases: z.record(z.string(), z.string()).default({}),
      }),
    )
    .default([]),
});
const accountSchema = z.object({
  /** The address that stands for everything deployed. */
  address: z.string(),
  accounts: z.array(z.object({ id: z.string(), name: z.string() })),
  databases: z.array(z.object({ uuid: z.string(), name: z.string() })).default([]),
  buckets: z.array(z.string()).default([]),
  queues: z.array(z.string()).default([]),
  projects: z.record(z.string(), z.array(z.string())).default({}),
  workers: z.record(z.string(), workerSchema).default({}),
});

const file = join(env.FAKE_ACCOUNT, 'account.json');
const account = accountSchema.parse(JSON.parse(readFileSync(file, 'utf8')));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
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
  },
});

function fail(message: string): never {
  console.error(`✘ [ERROR] ${message}`);
  process.exit(1);
}

const say = (value: unknown) => console.log(JSON.stringify(value, undefined, 2));

function report(event: Record<string, unknown>): void {
  if (env.WRANGLER_OUTPUT_FILE_PATH === undefined) return;
  appendFileSync(env.WRANGLER_OUTPUT_FILE_PATH, `${JSON.stringify({ version: 1, ...event })}\n`);
}

const configSchema = z.object({
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
  queues: z.object({ consumers: z.array(z.object({ queue: z.string() })) }).default({ consumers: [] }),
});

function readConfig(): z.output<typeof configSchema> {
  return configSchema.parse(JSON.parse(readFileSync(values.config ?? fail('no --config'), 'utf8')));
}

/** The database that the command names. */
function openDatabase(name: string | undefined): { uuid: string; db: DatabaseSync; migrations: string } {
  const database = readConfig().d1_databases.find(({ database_name }) => database_name === name);
  const known = account.databases.find(({ uuid }) => uuid === database?.database_id);
  if (!database || !known) fail('The database could not be found [code: 7404]');
  return {
    uuid: known.uuid,
    db: openDatabaseFile(env.FAKE_ACCOUNT, known.uuid),
    migrations: resolve(dirname(values.config ?? ''), database.migrations_dir),
  };
}

function applyMigrations(): void {
  const { db, migrations } = openDatabase(positionals[3]);
  db.exec(
    'CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE, applied_at TEXT DEFAULT CURRENT_TIMESTAMP)',
  );
  const applied = new Set(
    db
      .prepare('SELECT name FROM d1_migrations')
      .all()
      .map(({ name }) => name),
  );
  for (const name of readdirSync(migrations).sort()) {
    if (!name.endsWith('.sql') || applied.has(name)) continue;
    db.exec(`BEGIN; ${readFileSync(join(migrations, name), 'utf8')}; COMMIT`);
    db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').run(name);
  }
  db.close();
}

function execute(): void {
  const { db } = openDatabase(positionals[2]);
  if (values.file !== undefined) {
    db.exec(`BEGIN; ${readFileSync(values.file, 'utf8')} COMMIT`);
    say([{ success: true, results: [{ 'Total queries executed': 1 }] }]);
    return;
  }
  const statements = (values.command ?? '').split(';\n');
  say(statements.map((sql) => ({ success: true, results: db.prepare(sql).all() })));
  db.close();
}

/** Then does what the test has left beside the account, for once: what somebody else does at that moment. */
async function exportDatabase(): Promise<void> {
  const { uuid, db } = openDatabase(positionals[2]);
  db.close();
  writeFileSync(values.output ?? fail('no --output'), await exported(env.FAKE_ACCOUNT, uuid));
  const meanwhile = join(env.FAKE_ACCOUNT, `after-export-of-${positionals[2]}.json`);
  if (!existsSync(meanwhile)) return;
  const changes = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(meanwhile, 'utf8')));
  rmSync(meanwhile);
  for (const [name, sql] of Object.entries(changes)) openDatabase(name).db.exec(sql);
}

function deploy(): void {
  const config = readConfig();
  const { name, main = '' } = config;
  if (!existsSync(resolve(dirname(values.config ?? ''), main)))
    fail(`The entry-point file at "${main}" was not found.`);
  const known = new Set(account.databases.map(({ uuid }) => uuid));
  if (config.d1_databases.some(({ database_id }) => !known.has(database_id)))
    fail('no such database [code: 10021]');
  if (config.r2_buckets.some(({ bucket_name }) => !account.buckets.includes(bucket_name)))
    fail('no such bucket [code: 10085]');
  if (config.queues.consumers.some(({ queue }) => !account.queues.includes(queue)))
    fail('Queue does not exist [code: 11000]');
  if (config.services.some(({ service }) => account.workers[service]?.vars === undefined))
    fail('no such service [code: 10143]');
  const classes = config.migrations.flatMap(({ new_sqlite_classes: made }) => made);
  const homeless = config.durable_objects.bindings.find(
    ({ class_name: wanted, script_name: home = name }) =>
      !(home === name ? classes : (account.workers[home]?.classes ?? [])).includes(wanted),
  );
  if (homeless) fail(`Cannot create binding for class '${homeless.class_name}' [code: 10061]`);
  const before = account.workers[name];
  const missing = config.secrets.required.filter((secret) => !(secret in (before?.secrets ?? {})));
  if (missing.length > 0) fail(`The following required secrets have not been set: ${missing.join(', ')}`);
  account.workers[name] = {
    secrets: before?.secrets ?? {},
    classes,
    vars: { ...(config.keep_vars && before?.vars), ...config.vars },
    deployed: [
      ...(before?.deployed ?? []),
      {
        version: randomUUID(),
        at: new Date().toISOString(),
        databases: Object.fromEntries(
          config.d1_databases.map(({ binding, database_id: id }) => [binding, id]),
        ),
      },
    ],
  };
  report({ type: 'deploy', worker_name: name, targets: config.workers_dev ? [account.address] : [] });
}

async function setSecrets(name: string): Promise<void> {
  const given = z.record(z.string(), z.string()).parse(JSON.parse(await text(process.stdin)));
  const hashed = Object.entries(given).map(
    ([secret, value]) => [secret, createHash('sha256').update(value).digest('hex')] as const,
  );
  const before = account.workers[name];
  account.workers[name] = {
    classes: [],
    deployed: [],
    ...before,
    secrets: { ...before?.secrets, ...Object.fromEntries(hashed) },
  };
}

function deploySite(name: string): void {
  if (!(name in account.projects)) fail('Project not found [code: 8000007]');
  if (!existsSync('functions') || !existsSync(join(positionals[2] ?? '', 'index.html')))
    fail('nothing to deploy here');
  const [, service = ''] = /^service = "(.*)"$/m.exec(readFileSync('wrangler.toml', 'utf8')) ?? [];
  if (account.workers[service]?.vars === undefined) fail(`no such service ${service} [code: 8000022]`);
  report({ type: 'pages-deploy', pages_project: name, url: account.address });
  report({
    type: 'pages-deploy-detailed',
    pages_project: name,
    url: account.address,
    environment: 'production',
  });
}

/** A worker that has been deployed, or the failure that wrangler shows. */
function deployedWorker(): z.output<typeof workerSchema> {
  return account.workers[values.name ?? ''] ?? fail(`Worker "${values.name}" not found.`);
}

const databasesOf = (wanted: string | undefined) =>
  deployedWorker().deployed.find(({ version }) => version === wanted)?.databases ?? {};

const commands: Record<string, () => void | Promise<void>> = {
  whoami: () => {
    say({ loggedIn: account.accounts.length > 0, accounts: account.accounts });
    if (account.accounts.length === 0) process.exit(1);
  },
  'd1 list': () => say(account.databases),
  'd1 create': () => void account.databases.push({ uuid: randomUUID(), name: positionals[2] ?? '' }),
  'd1 migrations apply': applyMigrations,
  'd1 execute': execute,
  'd1 export': exportDatabase,
  'r2 bucket list': () => {
    const lines = account.buckets.map(
      (name) => `name:           ${name}\ncreation_date:  2026-03-02T00:00:00.000Z`,
    );
    console.log(['Listing buckets...', lines.join('\n\n')].join('\n'));
  },
  'r2 bucket create': () => void account.buckets.push(positionals[3] ?? ''),
  'queues create': () => {
    const name = positionals[2] ?? '';
    if (account.queues.includes(name)) fail(`Queue name '${name}' is already taken. [code: 11009]`);
    account.queues.push(name);
  },
  'secret list': () =>
    say(Object.keys(deployedWorker().secrets).map((name) => ({ name, type: 'secret_text' }))),
  'secret bulk': () => setSecrets(values.name ?? ''),
  'deployments status': () => {
    const now = deployedWorker().deployed.at(-1) ?? fail(`The Worker ${values.name} has no deployments.`);
    say({ id: randomUUID(), versions: [{ version_id: now.version, percentage: 100 }] });
  },
  'versions view': () => {
    const { vars = {}, secrets } = deployedWorker();
    const open = Object.entries(vars).map(([name, value]) => ({ type: 'plain_text', name, text: value }));
    const closed = Object.keys(secrets).map((name) => ({ type: 'secret_text', name }));
    const bound = Object.entries(databasesOf(positionals[2])).map(([name, id]) => ({ type: 'd1', name, id }));
    say({ id: positionals[2], resources: { bindings: [...open, ...closed, ...bound] } });
  },
  'deployments list': () =>
    say(
      deployedWorker().deployed.map(({ version, at }) => ({
        created_on: at,
        versions: [{ version_id: version, percentage: 100 }],
      })),
    ),
  rollback: () => {
    const [, version = ''] = positionals;
    const at = new Date().toISOString();
    deployedWorker().deployed.push({ version, at, databases: databasesOf(version) });
  },
  'pages deployment list': () =>
    say(['now', 'before'].map((Id) => ({ Id, Deployment: `https://${Id}.cps-lab.pages.dev` }))),
  'pages project list': () =>
    say(
      Object.entries(account.projects).map(([name, domains]) => ({
        'Project Name': name,
        'Project Domains': domains.join(', '),
      })),
    ),
  'pages project create': () => {
    account.projects[positionals[3] ?? ''] = [`${positionals[3]}.pages.dev`];
  },
  'pages deploy': () => deploySite(values['project-name'] ?? ''),
  deploy,
};

const name = Object.keys(commands).find((words) => positionals.join(' ').startsWith(words));
const config = values.config === undefined ? '' : ` ${values.config}`;
appendFileSync(join(env.FAKE_ACCOUNT, 'calls.ndjson'), `${JSON.stringify(process.argv.slice(2))}\n`);
if (name === undefined) fail(`Unknown command: ${positionals.join(' ')}`);
const breaks =
  env.FAKE_BREAK !== '' &&
  `${name}${config}${values.file === undefined ? '' : ' --file'}`.startsWith(env.FAKE_BREAK);
if (breaks && env.FAKE_BREAK_WHEN === 'before') fail('A request to the Cloudflare API failed. [code: 10000]');
await commands[name]?.();
writeFileSync(file, JSON.stringify(account, undefined, 2));
if (breaks) process.kill(process.ppid, 'SIGKILL');
