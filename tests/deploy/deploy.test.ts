import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { experimental_getWranglerCommands as wranglerCommands } from 'wrangler';
import { bridgeKey } from '../../scripts/operator/bridge-key.ts';
import { smokeTest } from '../../scripts/deploy/after-deployment.ts';
import { isFull } from '../support/counts.ts';
import { pretendAccount, workplace, type Run } from './deployment.ts';
import { PretendedCloudflare } from './pretended-cloudflare.ts';

/*
 * No test has an account: wrangler is a stand-in (pretended-wrangler.ts), called in this process. Each call that a deployment
 * made is held against the real wrangler's commands.
 */

const answers = {
  GOOGLE_CLIENT_ID: 'a-client.apps.example',
  GOOGLE_CLIENT_SECRET: 'a-client-secret',
  ADMIN_EMAILS: 'boss@lab.example',
  UNIVERSITY_EMAIL_DOMAINS: 'univ.example',
  SITE_DOMAIN: 'lab.univ.example',
};

type Account = Awaited<ReturnType<typeof pretendAccount>>;

/** Everything is there, once for each name, and nothing else. */
function expectDeployed(account: Account, names = ['cps-lab']): void {
  const { databases, buckets, projects, workers } = account.holds();
  expect(databases.map(({ name }) => name)).toEqual(names.flatMap((name) => [name, `${name}-plants`]));
  expect(buckets).toEqual(names.map((name) => `${name}-files`));
  expect(projects).toEqual(Object.fromEntries(names.map((name) => [name, [`${name}.pages.dev`]])));
  expect(Object.keys(workers).toSorted()).toEqual(
    names.flatMap((name) => [`${name}-api`, `${name}-ingest`]).toSorted(),
  );
  for (const name of names) {
    expect(workers[`${name}-api`]).toMatchObject({
      secrets: { GOOGLE_CLIENT_SECRET: expect.any(String), COOKIE_SECRETS: expect.any(String) },
      vars: { GOOGLE_CLIENT_ID: 'a-client.apps.example', ADMIN_EMAILS: 'boss@lab.example' },
    });
    expect(account.rows('SELECT bridge_id, revoked_at FROM bridge_keys', `${name}-plants`)).toEqual([
      { bridge_id: 'lab', revoked_at: null },
    ]);
  }
}

/** What an account holds, whenever it was deployed. */
const withoutVersions = ({ workers, ...held }: ReturnType<Account['holds']>) => ({
  ...held,
  workers: Object.entries(workers).map(([name, worker]) => [name, { ...worker, deployed: [] }]),
});

const keyIn = ({ output }: Run) => /^BRIDGE_KEY=(\S+)$/m.exec(output)?.[1];

describe('npm run deploy', () => {
  test('OPS-2 goes on where it broke off, whether a step failed or this program died, until everything is there once', async () => {
    const account = await pretendAccount();
    let shown = '';
    // Each run fails at a later step than the run before, in the same account.
    const breaks = [
      ['d1 create', 'after'],
      ['r2 bucket create', 'after'],
      ['d1 migrations apply', 'before'],
      ['d1 migrations apply', 'after'],
      ['deploy dist/deploy/cps-lab/ingest.json', 'after'],
      ['secret bulk', 'before'],
      ['deploy dist/deploy/cps-lab/api.json', 'before'],
      ['deploy dist/deploy/cps-lab/api.json', 'after'],
      ['pages project create', 'after'],
      ['pages deploy', 'before'],
      ['pages deploy', 'after'],
      ['d1 execute dist/deploy/cps-lab/database.json --file', 'before'],
    ] as const;
    for (const [index, [FAKE_BREAK, FAKE_BREAK_WHEN]] of breaks.entries()) {
      const broken = await account.deploy({
        ...(index === 0 && answers),
        ...needed(account),
        FAKE_BREAK,
        FAKE_BREAK_WHEN,
      });
      shown += broken.output;
      expect(broken.status, `${FAKE_BREAK} ${FAKE_BREAK_WHEN}\n${broken.output}`).not.toBe(0);
      // A step that fails says so and how to go on; a program that was killed says nothing any more.
      expect(
        /^deploy {2}\d+\/13 .* failed\n[^]*npm run deploy continues from here$/m.test(broken.output),
      ).toBe(FAKE_BREAK_WHEN === 'before');
    }
    const last = await account.deploy(needed(account));
    shown += last.output;
    expect(last.status, last.output).toBe(0);
    expectDeployed(account);
    const key = keyIn(last) ?? '';
    expect(account.rows('SELECT key FROM bridge_keys', 'cps-lab-plants')).toEqual([{ key }]);
    for (const line of [
      'https://cps-lab.pages.dev/api/login/callback',
      'https://lab.univ.example/api/login/callback',
      `the address of the ingest worker   ${account.address}`,
      'Custom domains',
    ]) {
      expect(last.output).toContain(line);
    }

    // The secret is made once and shown once; later runs do not replace it.
    const [, cookieSecret = ''] = /^COOKIE_SECRETS=([0-9a-f]{64})$/m.exec(shown) ?? [];
    expect(account.holds().workers['cps-lab-api']?.secrets['COOKIE_SECRETS']).toBe(
      createHash('sha256').update(cookieSecret).digest('hex'),
    );

    // Again, by somebody who is asked nothing: the account knows.
    const before = account.holds();
    const again = await account.deploy();
    expect(again.status, again.output).toBe(0);
    expect(withoutVersions(account.holds())).toEqual(withoutVersions(before));
    expect(again.output).not.toMatch(/^(BRIDGE_KEY|COOKIE_SECRETS)=/m);
    expectDeployed(account);

    // What it changes is in folders that git ignores, and holds no secret.
    expect(readFileSync('.gitignore', 'utf8').split('\n')).toEqual(
      expect.arrayContaining(['dist/', '.deploy*.json']),
    );
    const kept = readFileSync(join(account.place, '.deploy.json'), 'utf8');
    const generated = readFileSync(join(account.place, 'dist/deploy/cps-lab/api.json'), 'utf8');
    expect(generated).toContain(before.databases[0]?.uuid);
    expect(readFileSync('wrangler.toml', 'utf8')).not.toContain(before.databases[0]?.uuid);
    for (const secret of [answers.GOOGLE_CLIENT_SECRET, cookieSecret, key]) {
      expect(`${kept}${generated}${JSON.stringify(account.calls())}`).not.toContain(secret);
    }

    // The operator's commands find the deployed database by themselves.
    const list = await account.run(bridgeKey, ['key', 'list', '--remote']);
    expect(list.output).toMatch(/^key 1 of lab, for every plant, made .*, works\n$/);
    expect(existsSync(join(account.place, 'dist/deploy/cps-lab/database.json'))).toBe(true);

    expectRealCommands(account.calls());
  });

  test('OPS-2 a program that was really killed in the middle of a step has lost nothing: the next run goes on', async () => {
    const account = await pretendAccount();
    const killed = startDeploy(account.place, bin(account), {
      ...answers,
      FAKE_ACCOUNT: account.folder,
      NODE_COMPILE_CACHE: join(account.folder, 'compiled'),
      FAKE_BREAK: 'd1 create',
      FAKE_BREAK_WHEN: 'after',
    });
    const { output, signal } = await killed.ended;
    expect(signal, output).toBe('SIGKILL');
    expect(output).toMatch(/^deploy {2}3\/13 answers: .*\n$/m);
    expect(account.holds().databases.map(({ name }) => name)).toEqual(['cps-lab']);
    const next = await account.deploy(needed(account));
    expect(next.status, next.output).toBe(0);
    expect(next.output).toContain('databases: cps-lab found, cps-lab-plants created');
    expectDeployed(account);
  });

  test('OPS-2 a second name deploys a second product into the account, and changes nothing of the first', async () => {
    const account = await pretendAccount();
    const first = await account.deploy(answers);
    expect(first.status, first.output).toBe(0);
    const before = account.holds();
    const rows = account.rows('SELECT * FROM bridge_keys', 'cps-lab-plants');
    const kept = readFileSync(join(account.place, '.deploy.json'), 'utf8');
    const generated = readFileSync(join(account.place, 'dist/deploy/cps-lab/api.json'), 'utf8');

    const named = ['--name', 'moss-lab'];
    const nobody = await account.deploy({}, named);
    expect(nobody.output).toContain('3/13 answers failed\nthere is no terminal to ask at');
    expect(nobody.output).toContain('npm run deploy -- --name moss-lab continues from here');
    const second = await account.deploy({ ...answers, ADMIN_EMAILS: 'moss@lab.example' }, named);
    expect(second.status, second.output).toBe(0);
    expect(second.output).toContain('npm run bridge -- key add lab --remote --name moss-lab, then');

    const after = account.holds();
    expect(after).toMatchObject({
      ...before,
      buckets: expect.arrayContaining(before.buckets),
      databases: expect.arrayContaining(before.databases),
    });
    expect(account.rows('SELECT * FROM bridge_keys', 'cps-lab-plants')).toEqual(rows);
    expect(readFileSync(join(account.place, '.deploy.json'), 'utf8')).toBe(kept);
    expect(readFileSync(join(account.place, 'dist/deploy/cps-lab/api.json'), 'utf8')).toBe(generated);
    expect(after.workers['moss-lab-api']).toMatchObject({
      vars: { ADMIN_EMAILS: 'moss@lab.example', SITE_URL: 'https://lab.univ.example' },
    });
    expect(after.projects['moss-lab']).toEqual(['moss-lab.pages.dev']);
    const own = await account.run(bridgeKey, ['key', 'revoke', 'lab', '--remote', ...named]);
    expect(own.output).toContain('npm run bridge -- key add lab --remote --name moss-lab');
    expect(account.rows('SELECT * FROM bridge_keys', 'cps-lab-plants')).toEqual(rows);
    expectRealCommands(account.calls());

    const again = await account.deploy({}, []);
    expect(again.status, again.output).toBe(0);
    expect(again.output).toContain('databases: cps-lab found, cps-lab-plants found');
    expect(account.holds().databases).toEqual(after.databases);
  });

  test.each(['moss-lab-plants', 'Moss', 'local', 'x', 'moss_lab'])(
    'OPS-2 refuses %s as a name, which could be a part of another deployment or none at all',
    async (name) => {
      const account = await pretendAccount();
      expect(await account.deploy(answers, ['--name', name])).toMatchObject({
        status: 64,
        output: expect.stringContaining('--name takes 3 to 40 small letters, digits and dashes'),
      });
    },
  );

  test('OPS-6 refuses in one sentence databases that an unreleased version made, and changes none of them', async () => {
    const account = await pretendAccount();
    expect((await account.deploy(answers)).status).toBe(0);
    account.change("INSERT INTO d1_migrations (name) VALUES ('0007_try_something.sql')", 'cps-lab-plants');
    const before = account.holds();
    const { status, output } = await account.deploy();
    expect(status).toBe(1);
    expect(output).toContain(
      '6/13 migrations failed\nthe deployment cps-lab was made by an unreleased version, or by a later version than this one: deploy under another name (npm run deploy -- --name <name>)',
    );
    expect(account.holds()).toEqual(before);
  });

  test('OPS-2 says who has to log in, which account, and which answers are missing, before it changes anything', async () => {
    const nobody = await pretendAccount([]);
    expect(await nobody.deploy(answers)).toMatchObject({
      status: 1,
      output: expect.stringMatching(/1\/13 account failed\nnobody is logged in: run npx wrangler login/),
    });
    const several = [
      { id: 'one', name: 'The lab' },
      { id: 'two', name: 'The school' },
    ];
    const account = await pretendAccount(several);
    expect((await account.deploy(answers)).output).toContain('CLOUDFLARE_ACCOUNT_ID=two   The school');
    const { output } = await account.deploy({
      CLOUDFLARE_ACCOUNT_ID: 'two',
      ADMIN_EMAILS: 'boss@lab.example',
    });
    expect(output).toMatch(
      /3\/13 answers failed\nthere is no terminal to ask at; set these environment variables:\n {2}GOOGLE_CLIENT_ID: /,
    );
    expect(output).toContain('  GOOGLE_CLIENT_SECRET: ');
    expect(output).not.toContain('  ADMIN_EMAILS: ');
    const wrong = await account.deploy({ ...answers, CLOUDFLARE_ACCOUNT_ID: 'two', ADMIN_EMAILS: 'boss' });
    expect(wrong.output).toContain(
      'ADMIN_EMAILS must be email addresses, comma-separated: who becomes an admin',
    );
    expect(account.holds()).toMatchObject({ databases: [], buckets: [], workers: {} });
  });

  test('OPS-2 names each address that does not answer as it should', async () => {
    const account = await pretendAccount();
    const said: string[] = [];
    const smoke = smokeTest({
      site: account.address,
      ingest: `${account.address}/nowhere`,
      clientId: 'another-client',
      patienceMs: 0,
      say: (line) => said.push(line),
    });
    await expect(smoke).rejects.toThrow(
      new RegExp(
        `^${account.address}/api/login/provider should answer: the site's client at Google; it answered 200\n.*/nowhere/health should answer: .*; it answered 404$`,
      ),
    );
    expect(said).toContain('ok: the list of courses, from D1');
  });
});

// Wrangler takes seconds for each of twenty commands; in the short run its stand-in is enough.
describe.each(isFull ? ['wrangler itself'] : [])('npm run deploy, by %s', { timeout: 600_000 }, () => {
  test('OPS-2 deploys into what answers like Cloudflare, and again by what is there alone', async () => {
    const cloudflare = new PretendedCloudflare();
    const { url, close } = await cloudflare.listen();
    onTestFinished(close);
    const place = workplace();
    const env = { CLOUDFLARE_API_BASE_URL: url, CLOUDFLARE_API_TOKEN: 'a-token' };

    const first = await untilSmoke(place, { ...env, ...answers });
    expect(first).toContain('deploy  7/13 ingest worker: https://cps-lab-ingest.lab.workers.dev');
    expect(first).toContain('deploy  10/13 Pages project: cps-lab created: cps-lab-7ab.pages.dev');
    expect(first).toContain('deploy  12/13 bridge key: made for lab');
    expect(cloudflare.workers.get('cps-lab-api')).toMatchObject({
      secrets: ['GOOGLE_CLIENT_SECRET', 'COOKIE_SECRETS'],
      bindings: expect.arrayContaining([
        expect.objectContaining({ name: 'DB', type: 'd1' }),
        expect.objectContaining({ name: 'PLANTS_DB', type: 'd1' }),
        expect.objectContaining({ name: 'INGEST', type: 'service', service: 'cps-lab-ingest' }),
        expect.objectContaining({ name: 'COOKIE_SECRETS', type: 'inherit' }),
        expect.objectContaining({ name: 'ADMIN_EMAILS', text: 'boss@lab.example' }),
      ]),
    });
    expect(cloudflare.sql('cps-lab-plants').prepare('SELECT bridge_id FROM bridge_keys').all()).toEqual([
      { bridge_id: 'lab' },
    ]);

    rmSync(join(place, '.deploy.json'));
    const again = await untilSmoke(place, { ...env, SITE_DOMAIN: '-' });
    expect(again).toContain('deploy  3/13 answers: the deployed values, or those given now');
    expect(again).toContain('deploy  4/13 databases: cps-lab found, cps-lab-plants found');
    expect(again).toContain('deploy  5/13 files: cps-lab-files found');
    expect(again).toContain('deploy  8/13 secrets: all secrets are already set');
    expect(again).toContain('deploy  12/13 bridge key: a bridge already has a key');
    expect(cloudflare.unknown).toEqual([]);
  });
});

/** Deploys by the real wrangler up to the smoke test, whose addresses are in the internet. @returns what it printed */
async function untilSmoke(place: string, env: Record<string, string>): Promise<string> {
  const { child, ended, said } = startDeploy(place, resolve('node_modules/.bin'), env);
  child.stdout.on('data', () => {
    if (/^deploy {2}12\/13 bridge key: /m.test(said())) child.kill('SIGKILL');
  });
  return (await ended).output;
}

/** The folder of the program that replaces wrangler. */
function bin({ folder }: Account): string {
  const program = resolve('tests/deploy/wrangler-program.ts');
  const text = `#!/bin/sh\nexec "${process.execPath}" --disable-warning=ExperimentalWarning "${program}" "$@"\n`;
  writeFileSync(join(folder, 'wrangler'), text, { mode: 0o755 });
  return folder;
}

/** Starts the deployment as a program, with the wrangler of a folder. */
function startDeploy(place: string, wrangler: string, env: Record<string, string>) {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'scripts/deploy/deploy.ts'],
    {
      cwd: place,
      env: { ...process.env, PATH: `${wrangler}:${process.env['PATH'] ?? ''}`, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close').then(() => ({ output, signal: child.signalCode }));
  return { child, ended, said: () => output };
}

/** A secret that was given and not yet set is kept nowhere: it is given again. */
function needed(account: Account): Record<string, string> {
  const secrets = account.holds().workers['cps-lab-api']?.secrets ?? {};
  return 'GOOGLE_CLIENT_SECRET' in secrets ? {} : { GOOGLE_CLIENT_SECRET: answers.GOOGLE_CLIENT_SECRET };
}

/** Every call is one that the real wrangler understands: its words, its options and its number of arguments. */
function expectRealCommands(calls: string[][]): void {
  const { registry, globalFlags } = wranglerCommands();
  for (const call of calls) {
    let node = registry;
    const rest = [...call];
    while (rest[0] !== undefined && node.subtree.has(rest[0])) {
      node = node.subtree.get(rest.shift() ?? '') ?? node;
    }
    const definition = node.definition?.type === 'command' ? node.definition : undefined;
    expect(definition, call.join(' ')).toBeDefined();
    const known = { ...globalFlags, ...definition?.args };
    const options = rest.filter((word) => word.startsWith('--')).map((word) => word.slice(2).split('=')[0]);
    for (const option of options) expect(Object.keys(known), call.join(' ')).toContain(option);
  }
}
