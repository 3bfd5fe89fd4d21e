import { relative } from 'node:path';
import * as z from 'zod';
import { WranglerError } from './run-wrangler.ts';
import { parseJsonOutput, wrangler, wranglerEvents } from './wrangler.ts';

/*
 * Each time, Cloudflare is asked what is in the account. This computer stores nothing about it, so that
 * somebody can continue a deployment on another computer.
 */

const whoamiSchema = z.object({
  loggedIn: z.boolean(),
  email: z.string().optional(),
  accounts: z.array(z.object({ id: z.string(), name: z.string() })).default([]),
});
export type CloudflareAccount = { id: string; name: string };

/** The account to deploy to; undefined without a login. @throws Error if the login has several accounts */
export async function chooseAccount(wanted: string | undefined): Promise<CloudflareAccount | undefined> {
  const answer = await whoami();
  if (!answer.loggedIn) return undefined;
  const { accounts } = answer;
  const chosen = wanted === undefined ? accounts : accounts.filter(({ id }) => id === wanted);
  const [account, ...others] = chosen;
  if (account && others.length === 0) return account;
  const list = accounts.map(({ id, name }) => `  CLOUDFLARE_ACCOUNT_ID=${id}   ${name}`).join('\n');
  if (account) throw new Error(`your login has several accounts; set one of these variables:\n${list}`);
  throw new Error(`your login may not use the account ${wanted ?? ''}; set one of these variables:\n${list}`);
}

async function whoami(): Promise<z.output<typeof whoamiSchema>> {
  try {
    return whoamiSchema.parse(parseJsonOutput(await wrangler(['whoami', '--json'])));
  } catch (error) {
    // Without a login wrangler fails, and its JSON says why.
    if (error instanceof WranglerError && /"loggedIn":\s*false/.test(error.message)) {
      return { loggedIn: false, accounts: [] };
    }
    throw error;
  }
}

const databasesSchema = z.array(z.object({ uuid: z.string(), name: z.string() }));

/** By name: the ids of the databases in the account. */
export async function findDatabases(): Promise<Map<string, string>> {
  const databases = databasesSchema.parse(parseJsonOutput(await wrangler(['d1', 'list', '--json'])));
  return new Map(databases.map(({ name, uuid }) => [name, uuid]));
}

export async function createDatabase(name: string, location: string): Promise<void> {
  await wrangler(['d1', 'create', name, '--location', location]);
}

export async function hasBucket(name: string): Promise<boolean> {
  const list = await wrangler(['r2', 'bucket', 'list']);
  return list.split('\n').some((line) => /^name:\s+(\S+)/.exec(line)?.[1] === name);
}

export async function createBucket(name: string, location: string): Promise<void> {
  try {
    await wrangler(['r2', 'bucket', 'create', name, '--location', location]);
  } catch (error) {
    // `hasBucket` may have missed the bucket, because wrangler lists only the first page of buckets.
    if (!(error instanceof WranglerError && error.message.includes('10004'))) throw error;
  }
}

const projectsSchema = z.array(z.object({ 'Project Name': z.string(), 'Project Domains': z.string() }));

/** The domains of the Pages project, with pages.dev first; undefined if there is no such project. */
export async function findSiteDomains(name: string): Promise<string[] | undefined> {
  const projects = projectsSchema.parse(
    parseJsonOutput(await wrangler(['pages', 'project', 'list', '--json'])),
  );
  const domains = projects.find((project) => project['Project Name'] === name)?.['Project Domains'];
  return domains
    ?.split(', ')
    .sort((a, b) => Number(b.endsWith('.pages.dev')) - Number(a.endsWith('.pages.dev')));
}

/** @param cwd the site's folder: in a folder without Pages functions, wrangler would create a worker */
export async function createSite(name: string, cwd: string): Promise<void> {
  await wrangler(['pages', 'project', 'create', name, '--production-branch', PRODUCTION_BRANCH], { cwd });
}

/** With this branch name a deployment is for production, whatever branch is checked out. */
const PRODUCTION_BRANCH = 'main';

const secretsSchema = z.array(z.object({ name: z.string() }));

/** The names of the worker's secrets; none if the worker does not exist yet. */
export async function secretNames(worker: string): Promise<string[]> {
  const answer = await unlessAbsent(wrangler(['secret', 'list', '--name', worker]));
  return answer === undefined ? [] : secretsSchema.parse(parseJsonOutput(answer)).map(({ name }) => name);
}

/** Sets the secrets through standard input, so that no file and no list of processes shows them. */
export async function setSecrets(worker: string, secrets: Record<string, string>): Promise<void> {
  await wrangler(['secret', 'bulk', '--name', worker], { input: JSON.stringify(secrets) });
}

const deploymentSchema = z.object({ versions: z.array(z.object({ version_id: z.string() })) });
const versionSchema = z.object({
  resources: z.object({
    bindings: z.array(z.looseObject({ type: z.string(), name: z.string(), text: z.string().optional() })),
  }),
});

/** The public variables of the deployed worker, by name; none if the worker does not exist yet. */
export async function deployedVariables(worker: string): Promise<Record<string, string>> {
  const status = await unlessAbsent(wrangler(['deployments', 'status', '--name', worker, '--json']));
  const version = status && deploymentSchema.parse(parseJsonOutput(status)).versions[0]?.version_id;
  if (!version) return {};
  const view = await wrangler(['versions', 'view', version, '--name', worker, '--json']);
  const { bindings } = versionSchema.parse(parseJsonOutput(view)).resources;
  return Object.fromEntries(
    bindings.flatMap(({ type, name, text }) =>
      type === 'plain_text' && text !== undefined ? [[name, text]] : [],
    ),
  );
}

async function unlessAbsent(answer: Promise<string>): Promise<string | undefined> {
  try {
    return await answer;
  } catch (error) {
    const isAbsent = error instanceof WranglerError && /not found|10007|no deployments/i.test(error.message);
    if (!isAbsent) throw error;
    return undefined;
  }
}

export async function applyMigrations(config: string, database: string): Promise<void> {
  await wrangler(['d1', 'migrations', 'apply', database, '--remote', '--config', config]);
}

const deploySchema = z.looseObject({ type: z.literal('deploy'), targets: z.array(z.string()).default([]) });

/** Deploys a worker. @returns the worker's addresses; empty if it has none */
export async function deployWorker(config: string): Promise<string[]> {
  const events = await wranglerEvents(['deploy', '--config', config]);
  return deploySchema.parse(events.find((event) => deploySchema.safeParse(event).success)).targets;
}

const siteSchema = z.looseObject({ type: z.literal('pages-deploy-detailed'), url: z.string() });

/** Deploys the built site from its folder. @returns the address of this particular deployment */
export async function deploySite(name: string, cwd: string): Promise<string> {
  const args = [
    'pages',
    'deploy',
    relative(cwd, 'web/dist'),
    '--project-name',
    name,
    '--branch',
    PRODUCTION_BRANCH,
    '--commit-dirty=true',
  ];
  const events = await wranglerEvents(args, { cwd });
  return siteSchema.parse(events.find((event) => siteSchema.safeParse(event).success)).url;
}
