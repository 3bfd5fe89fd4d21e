import { randomBytes } from 'node:crypto';
import { bridgeKeyCommand } from '../operator/bridge-key.ts';
import { buildChangedParts } from '../build/build.ts';
import { cloudflareEnvSchema, parseSettings } from '../variables.ts';
import { commandEnvironment } from '../command-environment.ts';
import {
  chooseAccount,
  createBucket,
  createDatabase,
  createSite,
  deployedVariables,
  deploySite,
  deployWorker,
  findDatabases,
  findSiteDomains,
  hasBucket,
  secretNames,
  setSecrets,
  type CloudflareAccount,
} from './account.ts';
import { collectAnswers, answersFile, publicVariables, type DeployAnswers } from './answers.ts';
import { configurationProblems, migrationProblems } from './check-configuration.ts';
import { migrateRemote } from './remote-database.ts';
import {
  bucketOf,
  generatedConfigPaths,
  requiredSecrets,
  trackedDatabaseId,
  writeGeneratedConfigs,
  type DeployConfig,
} from './wrangler-configs.ts';
import { smokeTest } from './after-deployment.ts';

/** Where Cloudflare creates databases and buckets: Asia-Pacific. */
const LOCATION = 'apac';

/** What the steps know. A step reads the results of earlier steps here, and adds its own results. */
export type Deployment = {
  parts: DeployConfig;
  askAgain: boolean;
  /** How long to wait until the deployed addresses respond, in milliseconds. */
  patienceMs: number;
  say: (line: string) => void;
  account?: CloudflareAccount;
  secrets?: string[];
  answers?: DeployAnswers;
  ingest?: string;
  domains?: string[];
  site?: string;
  /** Prints a value that was just generated and cannot be shown again. */
  showOnce: (what: string, lines: string) => void;
};

type Step = {
  name: string;
  /** Says in the dry run what the step would do. */
  would: (parts: DeployConfig) => string;
  /** Does the step, and returns its result as a short text. It can be repeated at any time. */
  run: (deployment: Deployment) => Promise<string>;
};

/** The name of the bridge for which the first key is generated. */
export const FIRST_BRIDGE_ID = 'lab';

export const deploySteps: Step[] = [
  {
    name: 'account',
    would: () => 'asks wrangler which account is logged in',
    run: async (deployment) => {
      const account = await chooseAccount(parseSettings(cloudflareEnvSchema).CLOUDFLARE_ACCOUNT_ID);
      if (!account)
        throw new Error('nobody is logged in: run npx wrangler login, or set CLOUDFLARE_API_TOKEN');
      deployment.account = account;
      // Otherwise wrangler would ask each time for the account, if the login has several accounts.
      Object.assign(commandEnvironment().env, { CLOUDFLARE_ACCOUNT_ID: account.id });
      return account.name;
    },
  },
  {
    name: 'check',
    would: () => 'builds what has changed, and refuses a configuration that does not fit the code',
    run: async ({ parts }) => {
      await checkAndBuild(parts);
      return 'the configuration fits the code';
    },
  },
  {
    name: 'answers',
    would: ({ api }) =>
      `asks for the values that ${api.name} does not have yet: Google's client id and secret, the admins' emails, the domain`,
    run: async (deployment) => {
      const { name, api, site } = deployment.parts;
      const deployed = await deployedVariables(api.name);
      deployment.secrets = await secretNames(api.name);
      deployment.domains = (await findSiteDomains(site.name)) ?? [];
      const own = deployment.domains.find((domain) => !domain.endsWith('.pages.dev'));
      deployment.answers = await collectAnswers(
        name,
        {
          ...(deployed['GOOGLE_CLIENT_ID'] && {
            GOOGLE_CLIENT_ID: deployed['GOOGLE_CLIENT_ID'],
            ADMIN_EMAILS: deployed['ADMIN_EMAILS'] ?? '',
            UNIVERSITY_EMAIL_DOMAINS: deployed['UNIVERSITY_EMAIL_DOMAINS'] || '-',
          }),
          ...(own !== undefined && { SITE_DOMAIN: own }),
          hasClientSecret: deployment.secrets.includes('GOOGLE_CLIENT_SECRET'),
        },
        deployment.askAgain,
      );
      return Object.keys(deployed).length > 0
        ? 'the deployed values, or those given now'
        : `stored in ${answersFile(name)}, without secrets`;
    },
  },
  {
    name: 'databases',
    would: ({ api }) => `finds or creates the D1 databases ${databaseNames(api).join(' and ')}, in Asia`,
    run: async (deployment) => {
      const { parts } = deployment;
      const databaseIds: Record<string, string> = {};
      const found: string[] = [];
      for (const database of parts.api.d1_databases) {
        const atHand = await databaseAtHand(parts, database);
        databaseIds[database.binding] = atHand.id;
        found.push(atHand.found);
      }
      const variables = publicVariables(deployment.answers ?? {}, deployment.domains ?? []);
      writeGeneratedConfigs(parts, { databaseIds, variables });
      return found.join(', ');
    },
  },
  {
    name: 'files',
    would: ({ api }) => `finds or creates the R2 bucket ${bucketOf(api)}`,
    run: async ({ parts: { api } }) => {
      const name = bucketOf(api);
      if (await hasBucket(name)) return `${name} found`;
      await createBucket(name, LOCATION);
      return `${name} created`;
    },
  },
  {
    name: 'migrations',
    would: ({ api }) => `applies the migrations that ${databaseNames(api).join(' and ')} do not have yet`,
    run: async ({ parts: { name } }) => {
      await migrateRemote(name);
      return 'every migration is applied';
    },
  },
  {
    name: 'ingest worker',
    would: ({ ingest }) => `deploys ${ingest.name}, and notes its address`,
    run: async (deployment) => {
      const [address] = await deployWorker(generatedConfigPaths(deployment.parts.name).ingest);
      if (address === undefined)
        throw new Error('the ingest worker has no address: see workers_dev in ingest/wrangler.toml');
      deployment.ingest = /^https?:/.test(address) ? address : `https://${address}`;
      return deployment.ingest;
    },
  },
  {
    name: 'secrets',
    would: ({ api }) => `sets the missing secrets of ${api.name}: ${requiredSecrets.join(', ')}`,
    run: async ({ parts: { api }, answers, secrets = [], showOnce }) => {
      const cookie = secrets.includes('COOKIE_SECRETS') ? undefined : randomBytes(32).toString('hex');
      const given = { GOOGLE_CLIENT_SECRET: answers?.GOOGLE_CLIENT_SECRET, COOKIE_SECRETS: cookie };
      const wanted = Object.entries(given).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      );
      if (wanted.length === 0) return 'all secrets are already set';
      await setSecrets(api.name, Object.fromEntries(wanted));
      if (cookie !== undefined) {
        showOnce("The sign-in cookie's secret, for the lab's password manager", `COOKIE_SECRETS=${cookie}`);
      }
      return `set ${wanted.map(([name]) => name).join(', ')}`;
    },
  },
  {
    name: 'API worker',
    would: ({ api }) => `deploys ${api.name}`,
    run: async ({ parts: { name, api } }) => {
      await deployWorker(generatedConfigPaths(name).api);
      return `${api.name} deployed`;
    },
  },
  {
    name: 'Pages project',
    would: ({ site }) => `finds or creates the Pages project ${site.name}`,
    run: async (deployment) => {
      const { name } = deployment.parts.site;
      const found = await findSiteDomains(name);
      if (!found) await createSite(name, generatedConfigPaths(deployment.parts.name).site);
      deployment.domains = found ?? (await findSiteDomains(name)) ?? [];
      return `${name} ${found ? 'found' : 'created'}: ${deployment.domains.join(', ')}`;
    },
  },
  {
    name: 'site',
    would: ({ site }) => `deploys web/dist and the function for /api to ${site.name}`,
    run: async (deployment) => {
      const { name, site } = deployment.parts;
      deployment.site = await deploySite(site.name, generatedConfigPaths(name).site);
      return deployment.site;
    },
  },
  {
    name: 'bridge key',
    would: () => `makes a key for the first bridge, ${FIRST_BRIDGE_ID}, unless some bridge has one`,
    run: async (deployment) => {
      const there = ['--remote', '--name', deployment.parts.name];
      const keys = await bridgeKeyCommand(['key', 'list', ...there]);
      if (/, works$/m.test(keys)) return 'a bridge already has a key';
      const made = await bridgeKeyCommand(['key', 'add', FIRST_BRIDGE_ID, ...there]);
      deployment.showOnce(
        'The key of the first bridge, for the Raspberry Pi',
        made.split('\n').slice(1).join('\n'),
      );
      return `made for ${FIRST_BRIDGE_ID}`;
    },
  },
  {
    name: 'smoke test',
    would: () => 'checks what the deployed addresses answer',
    run: async ({ site = '', ingest = '', answers = {}, patienceMs, say }) => {
      const clientId = answers.GOOGLE_CLIENT_ID ?? '';
      await smokeTest({ site, ingest, clientId, patienceMs, say });
      return 'every address answers as it should';
    },
  },
];

const databaseNames = ({ d1_databases }: DeployConfig['api']) =>
  d1_databases.map(({ database_name: name }) => name);

/** The id of a database, and a short description. The database is created if it does not exist. */
async function databaseAtHand(
  parts: DeployConfig,
  database: DeployConfig['api']['d1_databases'][number],
): Promise<{ id: string; found: string }> {
  const { database_name: name } = database;
  const id = trackedDatabaseId(parts, database) ?? (await findDatabases()).get(name);
  if (id !== undefined) return { id, found: `${name} found` };
  await createDatabase(name, LOCATION);
  const made = (await findDatabases()).get(name);
  if (made === undefined) throw new Error(`the database ${name} was created, but is not listed. Try again`);
  return { id: made, found: `${name} created` };
}

/**
 * Checks the configuration and the migrations, then builds the parts that have changed.
 * @throws Error naming every problem that was found
 */
export async function checkAndBuild(parts: DeployConfig): Promise<void> {
  const problems = [
    ...configurationProblems(parts),
    ...migrationProblems('migrations'),
    ...migrationProblems('migrations/plants'),
  ];
  if (problems.length > 0) throw new Error(problems.map((problem) => `refused: ${problem}`).join('\n'));
  await buildChangedParts(['site', 'site functions', 'api worker', 'ingest worker']);
}
