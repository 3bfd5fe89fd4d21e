import { createHash, randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { wranglerFailure, type Wrangler } from '../../scripts/deploy/run-wrangler.ts';
import { exported, writeAccount } from './pretended-account.ts';
import { configSchema, readCall, refuse, type Call } from './wrangler-call.ts';

const textsSchema = z.record(z.string(), z.string());
const callsFile = (folder: string) => join(folder, 'calls.ndjson');

/** Each call of wrangler about the account of that folder, as its arguments. */
export const callsAbout = (folder: string): string[][] =>
  readFileSync(callsFile(folder), 'utf8')
    .trim()
    .split('\n')
    .map((line) => z.array(z.string()).parse(JSON.parse(line)));

/**
 * Stands in for wrangler with an account, which no test has: what it holds is in a folder (pretended-account.ts), with the real
 * migrations in its databases. It refuses what Cloudflare refuses: an unknown database, bucket or service, a missing secret.
 *
 * FAKE_BREAK names a command that breaks off: `before` it has done anything it fails; `after` it has done everything the
 * program that called it is killed, and never hears of it.
 * @param kill ends that program
 */
export const pretendedWrangler =
  (folder: string, kill: () => void): Wrangler =>
  async (args, around) => {
    appendFileSync(callsFile(folder), `${JSON.stringify(args)}\n`);
    const said: string[] = [];
    try {
      const call = readCall(folder, args, said, around);
      const [name, work] =
        Object.entries(commands).find(([words]) => call.words.join(' ').startsWith(words)) ??
        refuse(`Unknown command: ${call.words.join(' ')}`);
      const breaks = breakOf(name, call);
      if (breaks === 'before') refuse('A request to the Cloudflare API failed. [code: 10000]');
      await work(call);
      writeAccount(folder, call.account);
      if (breaks === undefined) return said.join('\n');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw wranglerFailure(args, 1, [...said, `✘ [ERROR] ${reason}`].join('\n'));
    }
    kill();
    return await new Promise(() => undefined);
  };

/** When the call breaks off, if it is the one that does. */
function breakOf(name: string, { env, values: { config, file } }: Call): 'before' | 'after' | undefined {
  const shown = [name, config, file === undefined ? undefined : '--file'].filter(Boolean).join(' ');
  return env.FAKE_BREAK !== '' && shown.startsWith(env.FAKE_BREAK) ? env.FAKE_BREAK_WHEN : undefined;
}

const commands: Record<string, (call: Call) => void | Promise<void>> = {
  whoami: ({ account: { accounts }, say }) => {
    say({ loggedIn: accounts.length > 0, accounts });
    if (accounts.length === 0) refuse('not logged in');
  },
  'd1 list': ({ account, say }) => say(account.databases),
  'd1 create': ({ account, words: [, , name = ''] }) =>
    void account.databases.push({ uuid: randomUUID(), name }),
  'd1 migrations apply': applyMigrations,
  'd1 execute': execute,
  'd1 export': exportDatabase,
  'r2 bucket list': ({ account, said }) => {
    const lines = account.buckets.map(
      (name) => `name:           ${name}\ncreation_date:  2026-03-02T00:00:00.000Z`,
    );
    said.push('Listing buckets...', lines.join('\n\n'));
  },
  'r2 bucket create': ({ account, words: [, , , name = ''] }) => void account.buckets.push(name),
  'secret list': ({ worker, say }) =>
    say(Object.keys(worker().secrets).map((name) => ({ name, type: 'secret_text' }))),
  'secret bulk': setSecrets,
  'deployments status': ({ worker, say }) => {
    const now = worker().deployed.at(-1) ?? refuse('The Worker has no deployments.');
    say({ id: randomUUID(), versions: [{ version_id: now.version, percentage: 100 }] });
  },
  'versions view': ({ worker, words: [, , version = ''], say }) => {
    const { vars = {}, secrets } = worker();
    const open = Object.entries(vars).map(([name, text]) => ({ type: 'plain_text', name, text }));
    const closed = Object.keys(secrets).map((name) => ({ type: 'secret_text', name }));
    say({ id: version, resources: { bindings: [...open, ...closed] } });
  },
  'deployments list': ({ worker, say }) =>
    say(
      worker().deployed.map(({ version, at }) => ({
        created_on: at,
        versions: [{ version_id: version, percentage: 100 }],
      })),
    ),
  rollback: ({ worker, words: [, version = ''] }) =>
    void worker().deployed.push({ version, at: new Date().toISOString() }),
  'pages deployment list': ({ say }) =>
    say(['now', 'before'].map((Id) => ({ Id, Deployment: `https://${Id}.cps-lab.pages.dev` }))),
  'pages project list': ({ account, say }) =>
    say(
      Object.entries(account.projects).map(([name, domains]) => ({
        'Project Name': name,
        'Project Domains': domains.join(', '),
      })),
    ),
  'pages project create': ({ account, words: [, , , name = ''] }) => {
    account.projects[name] = [`${name}.pages.dev`];
  },
  'pages deploy': deploySite,
  deploy,
};

function applyMigrations({ database, onDatabase, words: [, , , name] }: Call): void {
  const { migrations } = database(name);
  onDatabase(name, (db) => {
    db.exec(
      'CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE, applied_at TEXT DEFAULT CURRENT_TIMESTAMP)',
    );
    const rows = db.prepare('SELECT name FROM d1_migrations').all();
    const applied = new Set(rows.map((row) => row['name']));
    for (const file of readdirSync(migrations).sort()) {
      if (!file.endsWith('.sql') || applied.has(file)) continue;
      db.exec(`BEGIN; ${readFileSync(join(migrations, file), 'utf8')}; COMMIT`);
      db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').run(file);
    }
  });
}

function execute({ onDatabase, at, say, words: [, , name], values: { file, command = '' } }: Call): void {
  onDatabase(name, (db) => {
    if (file === undefined) {
      const statements = command.split(';\n');
      say(statements.map((sql) => ({ success: true, results: db.prepare(sql).all() })));
    } else {
      db.exec(`BEGIN; ${readFileSync(at(file), 'utf8')} COMMIT`);
      say([{ success: true, results: [{ 'Total queries executed': 1 }] }]);
    }
  });
}

async function exportDatabase({ folder, database, at, words, values }: Call): Promise<void> {
  const [, , name = ''] = words;
  const sql = await exported(folder, database(name).uuid);
  writeFileSync(at(values.output ?? refuse('no --output')), sql);
}

function deploy(call: Call): void {
  const config = call.config();
  const { name, main = '' } = config;
  const { databases, buckets, workers, address } = call.account;
  if (!existsSync(call.besideConfig(main))) refuse(`The entry-point file at "${main}" was not found.`);
  const known = new Set(databases.map(({ uuid }) => uuid));
  if (config.d1_databases.some(({ database_id }) => !known.has(database_id)))
    refuse('no such database [code: 10021]');
  if (config.r2_buckets.some(({ bucket_name }) => !buckets.includes(bucket_name)))
    refuse('no such bucket [code: 10085]');
  if (config.services.some(({ service }) => workers[service]?.vars === undefined))
    refuse('no such service [code: 10143]');
  const classes = config.migrations.flatMap(({ new_sqlite_classes: made }) => made);
  const homeless = config.durable_objects.bindings.find(
    ({ class_name: wanted, script_name: home = name }) =>
      !(home === name ? classes : (workers[home]?.classes ?? [])).includes(wanted),
  );
  if (homeless) refuse(`Cannot create binding for class '${homeless.class_name}' [code: 10061]`);
  const before = workers[name];
  const missing = config.secrets.required.filter((secret) => !(secret in (before?.secrets ?? {})));
  if (missing.length > 0) refuse(`The following required secrets have not been set: ${missing.join(', ')}`);
  workers[name] = {
    secrets: before?.secrets ?? {},
    classes,
    vars: { ...(config.keep_vars && before?.vars), ...config.vars },
    deployed: [...(before?.deployed ?? []), { version: randomUUID(), at: new Date().toISOString() }],
  };
  call.report({ type: 'deploy', worker_name: name, targets: config.workers_dev ? [address] : [] });
}

function setSecrets({ account: { workers }, input, values: { name = '' } }: Call): void {
  const hashed = Object.entries(textsSchema.parse(JSON.parse(input))).map(
    ([secret, value]) => [secret, createHash('sha256').update(value).digest('hex')] as const,
  );
  const before = workers[name];
  workers[name] = {
    classes: [],
    deployed: [],
    ...before,
    secrets: { ...before?.secrets, ...Object.fromEntries(hashed) },
  };
}

function deploySite({ account, at, report, words: [, , folder = ''], values }: Call): void {
  const { projects, workers, address } = account;
  const { 'project-name': name = '' } = values;
  if (!(name in projects)) refuse('Project not found [code: 8000007]');
  if (!existsSync(at('functions')) || !existsSync(at(join(folder, 'index.html'))))
    refuse('nothing to deploy here');
  const { services } = configSchema.parse(JSON.parse(readFileSync(at('wrangler.json'), 'utf8')));
  if (services.some(({ service }) => workers[service]?.vars === undefined))
    refuse('no such service [code: 8000022]');
  const deployed = { pages_project: name, url: address };
  report({ type: 'pages-deploy', ...deployed });
  report({ type: 'pages-deploy-detailed', ...deployed, environment: 'production' });
}
