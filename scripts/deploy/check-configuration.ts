import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bindings, type BindingKind } from '#contract/bindings';
import { readVariables, secretVariableNames } from '#contract/variables';
import * as z from 'zod';
import { apiEnvSchema } from '../../worker/src/lib/config.ts';
import {
  isRealDatabaseId,
  requiredSecrets,
  trackedFiles,
  type WranglerConfig,
  type PartName,
  type DeployConfig,
} from './wrangler-configs.ts';

/* Finds problems in the configuration before a deployment: one line with the file for each problem. */

/** Cloudflare's limits on the free plan: https://developers.cloudflare.com/workers/platform/limits/ */
const CRONS_MAX = 5;
const VARIABLES_MAX = 64;
const VARIABLE_BYTES_MAX = 5 * 1024;

/** @returns one line for each problem in the configuration files in git */
export function configurationProblems(parts: DeployConfig): string[] {
  return [
    ...bindingProblems('api', parts.api),
    ...bindingProblems('ingest', parts.ingest),
    ...bindingProblems('site', parts.site),
    ...serviceProblems(parts),
    ...databaseProblems(parts),
    ...dateProblems(parts),
    ...variableProblems(parts),
    ...limitProblems(parts),
  ];
}

function boundIn(config: WranglerConfig): Record<string, BindingKind> {
  const named = (kind: BindingKind, names: string[]) => names.map((name) => [name, kind] as const);
  return Object.fromEntries([
    ...named(
      'D1 database',
      config.d1_databases.map(({ binding }) => binding),
    ),
    ...named(
      'R2 bucket',
      config.r2_buckets.map(({ binding }) => binding),
    ),
    ...named(
      'service',
      config.services.map(({ binding }) => binding),
    ),
    ...named(
      'Durable Object',
      config.durable_objects.bindings.map(({ name }) => name),
    ),
    ...named(
      'rate limit',
      config.ratelimits.map(({ name }) => name),
    ),
  ]);
}

function bindingProblems(part: PartName, config: WranglerConfig): string[] {
  const file = trackedFiles[part];
  const wanted: Record<string, BindingKind> = bindings[part];
  const bound = boundIn(config);
  const missing = Object.entries(wanted).flatMap(([name, kind]) => {
    if (bound[name] === kind) return [];
    const instead = bound[name] === undefined ? 'does not bind it' : `binds it as ${bound[name]}`;
    return [`${file} ${instead}: ${name}, which the code needs as ${kind}`];
  });
  const unused = Object.keys(bound).filter((name) => !(name in wanted));
  return [...missing, ...unused.map((name) => `${file} binds ${name}, which the code does not use`)];
}

function serviceProblems({ api, ingest, site }: DeployConfig): string[] {
  const names = [api.name, ingest.name, site.name];
  const pointsTo = (part: PartName, config: WranglerConfig, binding: string, target: string) => {
    const service = config.services.find((each) => each.binding === binding)?.service;
    if (service === undefined || service === target) return [];
    return [
      `${trackedFiles[part]} binds ${binding} to ${service}, which is not deployed here: it should be ${target}`,
    ];
  };
  const live = api.durable_objects.bindings.find(({ name }) => name === 'LIVE')?.script_name;
  const isElsewhere = live !== undefined && live !== ingest.name;
  return [
    ...(isElsewhere
      ? [
          `${trackedFiles.api} binds LIVE to a class of ${live}, which is not deployed here: it should be ${ingest.name}`,
        ]
      : []),
    ...pointsTo('api', api, 'INGEST', ingest.name),
    ...pointsTo('site', site, 'API', api.name),
    ...(new Set(names).size < names.length ? [`two parts have the same name: ${names.join(', ')}`] : []),
  ];
}

/** Databases must be separate: if PLANTS_DB is full or attacked, sign-in and personal data stay safe. */
function databaseProblems({ api, ingest }: DeployConfig): string[] {
  const names = api.d1_databases.map(({ database_name }) => database_name);
  const ids = api.d1_databases.map(({ database_id }) => database_id);
  return [
    ...sharedProblems({ api, ingest }),
    ...(new Set(names).size < names.length || new Set(ids).size < ids.length
      ? [`${trackedFiles.api}: each binding needs its own database, with its own name and id`]
      : []),
  ];
}

function sharedProblems({ api, ingest }: Pick<DeployConfig, 'api' | 'ingest'>): string[] {
  const place = (part: 'api' | 'ingest', config: WranglerConfig) => {
    const database = config.d1_databases.find(({ binding }) => binding === 'PLANTS_DB');
    if (!database) return undefined;
    const migrations = join(dirname(trackedFiles[part]), database.migrations_dir);
    return { name: database.database_name, id: database.database_id, migrations };
  };
  const ofApi = place('api', api);
  const ofIngest = place('ingest', ingest);
  // `bindingProblems` reports a binding that is missing.
  if (!ofApi || !ofIngest) return [];
  return (
    (['name', 'id', 'migrations'] as const)
      .filter((fact) => ofApi[fact] !== ofIngest[fact])
      // Cloudflare's deploy button writes the id into one of the two files. The deployed copies both have it.
      .filter((fact) => fact !== 'id' || (isRealDatabaseId(ofApi.id) && isRealDatabaseId(ofIngest.id)))
      .map(
        (fact) =>
          `API and ingest worker must share PLANTS_DB: its ${fact} is ${ofApi[fact]} in ${trackedFiles.api} and ${ofIngest[fact]} in ${trackedFiles.ingest}`,
      )
  );
}

const workerdSchema = z.object({ version: z.string().regex(/^1\.[0-9]{8}\./) });

/** The newest compatibility date that the tests' workerd supports. Its version number contains the date. */
function testedDate(): string {
  const { version } = workerdSchema.parse(
    JSON.parse(readFileSync('node_modules/workerd/package.json', 'utf8')),
  );
  return version.replace(/^1\.([0-9]{4})([0-9]{2})([0-9]{2})\..*$/, '$1-$2-$3');
}

function dateProblems(parts: DeployConfig): string[] {
  const newestDate = testedDate();
  const dates = Object.entries(trackedFiles).map(
    ([part, file]) =>
      [file, parts[z.enum(['api', 'ingest', 'site']).parse(part)].compatibility_date] as const,
  );
  const newer = dates.filter(([, date]) => date > newestDate);
  const isOne = new Set(dates.map(([, date]) => date)).size === 1;
  return [
    ...(isOne
      ? []
      : [
          `compatibility_date must be the same in ${dates.map(([file, date]) => `${file} (${date})`).join(', ')}`,
        ]),
    ...newer.map(
      ([file, date]) =>
        `${file}: compatibility_date ${date} is newer than the newest tested one (${newestDate})`,
    ),
  ];
}

function variableProblems({ api }: DeployConfig): string[] {
  const file = trackedFiles.api;
  const secrets = secretVariableNames(apiEnvSchema);
  const known = Object.keys(apiEnvSchema.shape);
  const named = Object.keys(api.vars);
  const unknown = named.filter((name) => !known.includes(name));
  const disclosed = named.filter((name) => secrets.includes(name));
  const missing = known.filter(
    (name) => !named.includes(name) && !secrets.includes(name) && isRequired(name),
  );
  const read = readVariables(apiEnvSchema, api.vars);
  // It is no problem if this file lacks a value that only the operator or the account has.
  const wrong = 'problems' in read ? read.problems.filter((line) => !line.includes(' is required: ')) : [];
  return [
    ...unknown.map((name) => `${file}: [vars] holds ${name}, which the code does not read`),
    ...disclosed.map((name) => `${file}: ${name} is a secret: remove it from [vars]`),
    ...missing.map((name) => `${file}: [vars] lacks ${name}, without which the API worker does not start`),
    ...wrong.map((line) => `${file}: ${line}`),
    ...(readsLoopback(api.vars)
      ? [`${file}: RECEIVERS_ON_LOOPBACK is only for the local run: remove it from [vars]`]
      : []),
    ...exampleProblems(),
  ];
}

const readsLoopback = (vars: WranglerConfig['vars']) => (vars['RECEIVERS_ON_LOOPBACK'] ?? 'off') !== 'off';

const isRequired = (name: string) =>
  Object.entries(apiEnvSchema.shape).some(
    ([each, field]) => each === name && !field.safeParse(undefined).success,
  );

/** The deploy button and `wrangler dev` read the names of the secrets from this file. */
function exampleProblems(): string[] {
  const text = existsSync('.dev.vars.example') ? readFileSync('.dev.vars.example', 'utf8') : '';
  const listed = [...text.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);
  return [
    ...requiredSecrets
      .filter((name) => !listed.includes(name))
      .map((name) => `.dev.vars.example lacks the secret ${name}`),
    ...listed
      .filter((name) => !secretVariableNames(apiEnvSchema).includes(name))
      .map((name) => `.dev.vars.example lists ${name}, which the code does not use as a secret`),
  ];
}

function limitProblems({ api, ingest }: DeployConfig): string[] {
  const rates = [...api.ratelimits, ...ingest.ratelimits].map(({ namespace_id }) => namespace_id);
  const crons = [...api.triggers.crons, ...ingest.triggers.crons];
  const long = Object.entries(api.vars).filter(([, value]) => Buffer.byteLength(value) > VARIABLE_BYTES_MAX);
  const variables = Object.keys(apiEnvSchema.shape).length;
  return [
    ...(new Set(rates).size < rates.length
      ? [`two rate limits share a namespace_id: ${rates.join(', ')}`]
      : []),
    ...(crons.length > CRONS_MAX ? [`${crons.length} cron triggers; Cloudflare allows ${CRONS_MAX}`] : []),
    ...(variables > VARIABLES_MAX ? [`${variables} variables; Cloudflare allows ${VARIABLES_MAX}`] : []),
    ...long.map(([name]) => `${trackedFiles.api}: ${name} is longer than 5 KB`),
  ];
}

const journalSchema = z.object({ entries: z.array(z.object({ idx: z.int(), tag: z.string() })) });

/** Migrations must have numbers from 0000 without gaps, and only the newest migration has a snapshot. */
export function migrationProblems(folder: string): string[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const journal: unknown = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8'));
  const { entries } = journalSchema.parse(journal);
  const problems = files.flatMap((file, index) => {
    const number = String(index).padStart(4, '0');
    if (!file.startsWith(`${number}_`))
      return [`${folder}/${file} should have the number ${number}: a migration is missing`];
    const { tag } = entries[index] ?? {};
    return `${tag}.sql` === file ? [] : [`${folder}/meta/_journal.json lists ${tag} in place of ${file}`];
  });
  if (entries.length > files.length)
    problems.push(`${folder}/meta/_journal.json lists a migration whose file is missing`);
  const snapshots = readdirSync(join(folder, 'meta')).filter((name) => name !== '_journal.json');
  const newest = `${String(files.length - 1).padStart(4, '0')}_snapshot.json`;
  if (snapshots.length !== 1 || snapshots[0] !== newest)
    problems.push(
      `${folder}/meta should contain only the snapshot ${newest}, but contains ${snapshots.join(', ')}`,
    );
  return problems;
}
