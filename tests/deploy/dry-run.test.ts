import {
  cpSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configurationProblems, migrationProblems } from '../../scripts/deploy/check-configuration.ts';
import { deployCommand } from '../../scripts/deploy/deploy.ts';
import { deploySteps } from '../../scripts/deploy/steps.ts';
import {
  readDeployConfig,
  writeGeneratedConfigs,
  type DeployConfig,
} from '../../scripts/deploy/wrangler-configs.ts';
import { checkSite } from '../../scripts/deploy/check-built-site.ts';
import { runCommand, type Run } from '../support/run-command.ts';
import { within, workplace } from './deployment.ts';

/** Starts the dry run with the real wrangler and without a login. */
async function dryRun(place: string, words: string[] = []): Promise<Run> {
  const env = {
    CLOUDFLARE_API_TOKEN: undefined,
    PATH: `${resolve('node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
    HOME: place,
  };
  return await within(place, () => runCommand(deployCommand, ['--dry-run', ...words], env));
}

// wrangler bundles three times in a process of its own.
describe('npm run deploy -- --dry-run', { timeout: 300_000 }, () => {
  test('OPS-2 bundles all three without an account, weighs and starts them, and lists each step, for two deployments that share nothing', async () => {
    const place = workplace();
    const { output, status } = await dryRun(place, ['--name', 'moss-lab']);
    expect(status, output).toBe(0);
    for (const line of [
      /API worker: [0-9.]+ KB gzipped, at most 400\.0 KB/,
      /ingest worker: [0-9.]+ KB gzipped, at most 80\.0 KB/,
      /API worker: starts in [0-9]+ ms/,
      /site: [0-9]+ files, .* functions for \/, .*\/ko, \/en, .*\/assets\/\*, \/api\/\*/,
      /bindings, variables, secrets, compatibility dates, migrations: they fit the code/,
      /4\. databases: finds or creates the D1 databases moss-lab and moss-lab-plants, in Asia/,
      /5\. files: finds or creates the R2 bucket moss-lab-files/,
      /8\. secrets: sets the missing secrets of moss-lab-api: GOOGLE_CLIENT_SECRET, COOKIE_SECRETS/,
      /10\. Pages project: finds or creates the Pages project moss-lab/,
      /13\. smoke test: /,
    ]) {
      expect(output).toMatch(line);
    }
    expect(output).not.toContain('cps-lab');

    // The one without a name beside it has none of it; a page of the documentation has wrangler bundle that one.
    const parts = readDeployConfig();
    await within(place, async () => writeGeneratedConfigs(parts, { databaseIds: {}, variables: {} }));
    const would = deploySteps.map((step) => step.would(parts)).join('\n');
    expect(would).toContain('finds or creates the D1 databases cps-lab and cps-lab-plants, in Asia');
    expect(would).toContain('sets the missing secrets of cps-lab-api: GOOGLE_CLIENT_SECRET, COOKIE_SECRETS');
    expect(would).not.toContain('moss-lab');
    const written = (name: string) =>
      ['api.json', 'ingest.json', 'site/wrangler.json'].map((file) =>
        readFileSync(join(place, 'dist/deploy', name, file), 'utf8'),
      );
    const counted = (name: string) =>
      written(name).flatMap((text) => [...text.matchAll(/"namespace_id": "(\d+)"/g)].map(([, id]) => id));
    expect(written('moss-lab').join()).not.toContain('cps-lab');
    expect(written('cps-lab').join()).not.toContain('moss-lab');
    expect(counted('moss-lab')).toHaveLength(4);
    expect(new Set([...counted('cps-lab'), ...counted('moss-lab')]).size).toBe(8);
    for (const bound of ['"service": "moss-lab-ingest"', '"script_name": "moss-lab-ingest"'])
      expect(written('moss-lab')[0]).toContain(bound);
    expect(written('moss-lab')[2]).toContain('"service": "moss-lab-api"');
  });

  test('OPS-2 refuses a binding that was renamed, with one clear line, before it bundles anything', async () => {
    const place = workplace();
    const text = readFileSync('wrangler.toml', 'utf8').replace('binding = "FILES"', 'binding = "PICTURES"');
    rmSync(join(place, 'wrangler.toml'));
    writeFileSync(join(place, 'wrangler.toml'), text);
    expect(await dryRun(place)).toEqual({
      status: 1,
      output:
        'refused: wrangler.toml does not bind it: FILES, which the code needs as R2 bucket\n' +
        'refused: wrangler.toml binds PICTURES, which the code does not use',
    });
  });
});

const uuid = '11111111-2222-4333-8444-555555555555';
const withDatabase = (
  parts: DeployConfig,
  part: 'api' | 'ingest',
  change: Record<string, string>,
): DeployConfig => ({
  ...parts,
  [part]: { ...parts[part], d1_databases: parts[part].d1_databases.map((db) => ({ ...db, ...change })) },
});
const withVariables = (parts: DeployConfig, vars: Record<string, string>): DeployConfig => ({
  ...parts,
  api: { ...parts.api, vars: { ...parts.api.vars, ...vars } },
});

describe('the configuration', () => {
  test('OPS-2 is right as it is tracked, and holds no id of an account', () => {
    const parts = readDeployConfig();
    expect(configurationProblems(parts)).toEqual([]);
    expect(migrationProblems('migrations')).toEqual([]);
    const [ids, secrets] = [/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/, /account_id|SECRET\w*\s*=/];
    for (const file of globSync('{,ingest/,web/}wrangler.toml')) {
      expect(readFileSync(file, 'utf8')).not.toMatch(ids);
      expect(readFileSync(file, 'utf8')).not.toMatch(secrets);
    }
  });

  const broken: [string, (parts: DeployConfig) => DeployConfig, RegExp][] = [
    [
      'a way into its own network for alerts',
      (parts) => withVariables(parts, { RECEIVERS_ON_LOOPBACK: 'on' }),
      /^wrangler\.toml: RECEIVERS_ON_LOOPBACK is only for the local run: remove it from \[vars\]$/,
    ],
    [
      'a database of another id',
      (parts) =>
        withDatabase(withDatabase(parts, 'ingest', { database_id: uuid }), 'api', {
          database_id: uuid.replaceAll('1', '9'),
        }),
      /^API and ingest worker must share PLANTS_DB: its id is 9999.* in wrangler\.toml and 1111.* in ingest\/wrangler\.toml$/,
    ],
    [
      'other migrations',
      (parts) => withDatabase(parts, 'ingest', { migrations_dir: 'migrations' }),
      /its migrations is migrations\/plants in wrangler\.toml and ingest\/migrations in/,
    ],
    [
      'a database under another name',
      (parts) => withDatabase(parts, 'api', { binding: 'DATABASE' }),
      /^wrangler\.toml does not bind it: DB, which the code needs as D1 database$/,
    ],
    [
      'a service that is not deployed here',
      (parts) => ({ ...parts, site: { ...parts.site, services: [{ binding: 'API', service: 'other' }] } }),
      /^web\/wrangler\.toml binds API to other, which is not deployed here: it should be cps-lab-api$/,
    ],
    [
      'open screens of a worker that is not deployed here',
      (parts) => ({
        ...parts,
        api: {
          ...parts.api,
          durable_objects: { bindings: [{ name: 'LIVE', class_name: 'Live', script_name: 'other' }] },
        },
      }),
      /^wrangler\.toml binds LIVE to a class of other, which is not deployed here: it should be cps-lab-ingest$/,
    ],
    [
      'a bucket where a service belongs',
      (parts) => ({
        ...parts,
        api: {
          ...parts.api,
          services: [],
          r2_buckets: [...parts.api.r2_buckets, { binding: 'INGEST', bucket_name: 'x' }],
        },
      }),
      /^wrangler\.toml binds it as R2 bucket: INGEST, which the code needs as service$/,
    ],
    [
      'another compatibility date',
      (parts) => ({ ...parts, site: { ...parts.site, compatibility_date: '2026-01-01' } }),
      /^compatibility_date must be the same in wrangler\.toml \(2026-10-23\), .*, web\/wrangler\.toml \(2026-01-01\)$/,
    ],
    [
      'a compatibility date of tomorrow',
      (parts) => ({ ...parts, ingest: { ...parts.ingest, compatibility_date: '2099-01-01' } }),
      /is newer than the newest tested one/,
    ],
    [
      'a secret that anybody can read',
      (parts) => withVariables(parts, { GOOGLE_CLIENT_SECRET: 'x' }),
      /^wrangler\.toml: GOOGLE_CLIENT_SECRET is a secret: remove it from \[vars\]$/,
    ],
    [
      'a variable that nobody reads',
      (parts) => withVariables(parts, { ADMIN_EMAIL: 'boss@lab.example' }),
      /^wrangler\.toml: \[vars\] holds ADMIN_EMAIL, which the code does not read$/,
    ],
    [
      'a value that cannot be',
      (parts) => withVariables(parts, { ACCESS_LOG_DAYS: '90' }),
      /^wrangler\.toml: ACCESS_LOG_DAYS must be a whole number from 366/,
    ],
    [
      'a variable that is missing',
      ({ api: { vars, ...api }, ...parts }) => {
        const { GOOGLE_CLIENT_ID: _, ...others } = vars;
        return { ...parts, api: { ...api, vars: others } };
      },
      /^wrangler\.toml: \[vars\] lacks GOOGLE_CLIENT_ID, without which the API worker does not start$/,
    ],
    [
      'two rate limits that count together',
      (parts) => ({
        ...parts,
        ingest: {
          ...parts.ingest,
          ratelimits: parts.ingest.ratelimits.map((rate) => ({ ...rate, namespace_id: '1001' })),
        },
      }),
      /^two rate limits share a namespace_id: /,
    ],
  ];
  test.each(broken)('OPS-2 refuses %s, in one line that names the file', (_, change, line) => {
    const problems = configurationProblems(change(readDeployConfig()));
    expect(problems).toEqual(expect.arrayContaining([expect.stringMatching(line)]));
  });

  test('OPS-2 refuses a migration that is missing or renamed, and a snapshot that is not the newest', () => {
    const place = workplace();
    const folder = join(place, 'copy');
    const copied = (change: () => void) => {
      rmSync(folder, { recursive: true, force: true });
      cpSync('migrations', folder, { recursive: true });
      const tags = ['0000_initial', '0001_add_this', '0002_add_that'];
      for (const tag of tags.slice(1)) writeFileSync(join(folder, `${tag}.sql`), '');
      const entries = tags.map((tag, idx) => ({ idx, tag }));
      writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ entries }));
      for (const name of readdirSync(folder))
        if (name.endsWith('.sql') && !tags.includes(name.slice(0, -4))) rmSync(join(folder, name));
      const snapshots = readdirSync(join(folder, 'meta')).filter((name) => name.endsWith('_snapshot.json'));
      const newest = snapshots.sort().pop() ?? '';
      renameSync(join(folder, 'meta', newest), join(folder, 'meta/0002_snapshot.json'));
      for (const name of snapshots) rmSync(join(folder, 'meta', name));
      change();
      return migrationProblems(folder);
    };
    const second = '0001_add_this.sql';
    expect(copied(() => undefined)).toEqual([]);
    expect(copied(() => rmSync(join(folder, second)))[0]).toContain(
      'should have the number 0001: a migration is missing',
    );
    const renamed = copied(() => {
      cpSync(join(folder, second), join(folder, '0001_something_else.sql'));
      rmSync(join(folder, second));
    });
    expect(renamed).toEqual([expect.stringContaining('_journal.json lists 0001_add')]);
    const twice = copied(() => {
      writeFileSync(join(folder, 'meta/0000_snapshot.json'), '{}');
    });
    expect(twice).toEqual([
      expect.stringMatching(/only the snapshot 0002_snapshot.json, but contains 0000_snapshot/),
    ]);
  });

  test('OPS-2 knows the limits of Pages', () => {
    const folder = join(workplace(), 'site');
    mkdirSync(folder);
    symlinkSync(resolve('package.json'), join(folder, '404.html'));
    writeFileSync(
      join(folder, 'index.html'),
      '<script type="application/json">1</script><script src="/a.js"></script><script data-x>2</script>',
    );
    writeFileSync(join(folder, '_headers'), '/a\n  X: y\n'.repeat(101));
    writeFileSync(join(folder, '_redirects'), `/*/${'x'.repeat(1000)} / 302\n${'/a/* /b 302\n'.repeat(100)}`);
    const { problems } = checkSite(folder, {
      include: ['/*'],
      exclude: Array.from({ length: 100 }, () => '/x'),
    });
    expect(problems).toEqual([
      '101 rules in _headers; Pages allows 100',
      '101 dynamic redirects; Pages allows 100',
      expect.stringContaining('_redirects: a line is longer than 1000 characters: /*/xxx'),
      '101 rules in _routes.json; Pages allows 100',
      `${join(folder, 'index.html')} has an inline script that the Content-Security-Policy in _headers blocks`,
      'the site has no function for /api/*',
    ]);
  });
});

test('nothing of the local identity provider is in a production bundle', () => {
  const bundles = [
    'dist/api/app.js',
    'dist/ingest/app.js',
    'dist/functions/index.js',
    ...globSync('web/dist/**/*.{js,html}'),
  ];
  expect(bundles.length).toBeGreaterThan(5);
  for (const bundle of bundles) {
    const text = readFileSync(bundle, 'utf8');
    for (const trace of ['dev/identity', 'lab.test', 'local-client']) {
      expect(text.includes(trace), `${bundle} contains ${trace}`).toBe(false);
    }
  }
});
