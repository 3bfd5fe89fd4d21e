import * as z from 'zod';
import { applyChange } from '../operator/operator-d1.ts';
import { DATABASES } from '../database/local-d1.ts';
import { chooseAccount } from './account.ts';
import type { DeployConfig } from './wrangler-configs.ts';
import { parseJsonOutput, wrangler } from './wrangler.ts';
import { commandEnvironment } from '../command-environment.ts';

/*
 * `npm run deploy -- --rollback`: rolls the workers back, and says how to roll back the site. The databases
 * stay as they are. No migration is reverted: the previous version works with this version's tables.
 */

type Options = {
  dryRun: boolean;
  /** Asks the operator; absent without a terminal. */
  ask?: ((question: string) => Promise<string>) | undefined;
  /** Whether the operator has already agreed, by an option on the command line. */
  agreed: boolean;
  accountId: string | undefined;
  say: (line: string) => void;
};

const deploymentsSchema = z.array(
  z.object({
    created_on: z.iso.datetime(),
    versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })).min(1),
  }),
);
type Before = { version: string; at: string };

/** The present and the previous version of a worker, each with the time of its deployment. */
async function workerBefore(name: string): Promise<{ now: Before; before: Before }> {
  const listed = deploymentsSchema.parse(
    parseJsonOutput(await wrangler(['deployments', 'list', '--name', name, '--json'])),
  );
  const newestFirst = listed
    .toSorted((a, b) => b.created_on.localeCompare(a.created_on))
    .map(({ created_on: at, versions }) => ({ version: versions[0]?.version_id ?? '', at }));
  const [now] = newestFirst;
  const before = newestFirst.find(({ version }) => version !== now?.version);
  if (!now || !before) throw new Error(`the worker ${name} has no version before the present one`);
  return { now, before };
}

const pagesSchema = z.array(z.object({ Id: z.string(), Deployment: z.string() }));

async function siteBefore(project: string): Promise<{ id: string; address: string }> {
  const args = ['--project-name', project, '--environment', 'production', '--json'];
  const [, before] = pagesSchema.parse(
    parseJsonOutput(await wrangler(['pages', 'deployment', 'list', ...args])),
  );
  if (!before) throw new Error(`the site ${project} has no deployment before the present one`);
  return { id: before.Id, address: before.Deployment };
}

const migrationsSchema = z.array(z.object({ name: z.string() }));

/** The names of the migrations that were applied after the previous version was deployed. */
async function migrationsSince(deployment: string, at: string): Promise<string[]> {
  const since = at.slice(0, 19).replace('T', ' ');
  const read = `SELECT name FROM d1_migrations WHERE applied_at > '${since}' ORDER BY id`;
  const names = [];
  for (const database of DATABASES)
    names.push(...migrationsSchema.parse(await applyChange({ database, write: [], read }, deployment)));
  return names.map(({ name }) => name);
}

/** @throws Error before any change, if there is no previous version or the operator does not agree */
export async function rollBack(
  { name: deployment, api, ingest, site }: DeployConfig,
  options: Options,
): Promise<void> {
  const { dryRun, ask, agreed, accountId, say } = options;
  const account = await chooseAccount(accountId);
  if (!account) throw new Error('nobody is logged in: run npx wrangler login, or set CLOUDFLARE_API_TOKEN');
  Object.assign(commandEnvironment().env, { CLOUDFLARE_ACCOUNT_ID: account.id });
  const ofApi = await workerBefore(api.name);
  const ofIngest = await workerBefore(ingest.name);
  const page = await siteBefore(site.name);
  const since = await migrationsSince(deployment, ofApi.before.at);
  say('what would be rolled back, in this order');
  say(`  the site ${site.name}: to ${page.address}, by hand on the dashboard (wrangler cannot)`);
  for (const [{ name }, { now, before }] of [
    [api, ofApi],
    [ingest, ofIngest],
  ] as const)
    say(
      `  ${name}: from version ${now.version} (${now.at}) to ${before.version} (${before.at}), with its variables`,
    );
  say(
    since.length === 0
      ? 'no migration was applied after the previous deployment: the databases fit both versions'
      : `the databases keep the migrations ${since.join(', ')}: the previous version works with them, an even older version may not`,
  );
  say(
    `a rollback changes no data. D1's Time Travel can restore older data, but loses every change made after that time: docs/operations.md`,
  );
  if (dryRun) return;
  if (!agreed && (await ask?.('To roll back, type rollback: ')) !== 'rollback')
    throw new Error('nothing was changed: type rollback, or add --yes');
  say(
    `roll back the site yourself now: https://dash.cloudflare.com/${account.id}/pages/view/${site.name}/${page.id}, Manage deployment, Rollback`,
  );
  for (const [{ name }, { before }] of [
    [api, ofApi],
    [ingest, ofIngest],
  ] as const) {
    await wrangler([
      'rollback',
      before.version,
      '--name',
      name,
      '--message',
      'npm run deploy -- --rollback',
      '--yes',
    ]);
    say(`${name} was rolled back to ${before.version}`);
  }
}
