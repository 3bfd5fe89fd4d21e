import { expect, test } from 'vitest';
import { pretendAccount, switchOn } from './deployment.ts';

const answers = {
  GOOGLE_CLIENT_ID: 'a-client.apps.example',
  GOOGLE_CLIENT_SECRET: 'a-client-secret',
  ADMIN_EMAILS: 'boss@lab.example',
  UNIVERSITY_EMAIL_DOMAINS: 'univ.example',
  SITE_DOMAIN: 'lab.univ.example',
};

test('OPS-9 --rollback says what would be taken back and what stays, and does it when somebody agrees', async () => {
  const account = await pretendAccount();
  const versions = (name: string) =>
    account.holds().workers[name]?.deployed.map(({ version }) => version) ?? [];
  expect((await account.deploy(answers)).status).toBe(0);
  const tooEarly = await account.deploy({}, ['--rollback', '--dry-run']);
  expect(tooEarly.status).toBe(1);
  expect(tooEarly.output).toContain('cps-lab-api has no version before its present one');

  expect((await account.deploy(answers)).status).toBe(0);
  const before = { api: versions('cps-lab-api'), ingest: versions('cps-lab-ingest') };
  const dry = await account.deploy({}, ['--rollback', '--dry-run']);
  expect(dry.status, dry.output).toBe(0);
  expect(dry.output).toContain(`cps-lab-api: from ${before.api[1]}`);
  expect(dry.output).toContain(`to ${before.api[0]}`);
  expect(dry.output).toContain('https://before.cps-lab.pages.dev');
  expect(dry.output).toContain('no migration was applied since');
  const refused = await account.deploy({}, ['--rollback']);
  expect(refused.status).toBe(1);
  expect(refused.output).toContain('nothing was done');
  expect(versions('cps-lab-api')).toEqual(before.api);

  // The version before looks for the plants where they were.
  const moved = (at: number) => `INSERT OR REPLACE INTO plants_move (id, moved_at) VALUES (1, ${at})`;
  account.change(moved(Date.now()), 'cps-lab-plants');
  const late = await account.deploy({}, ['--rollback', '--yes']);
  expect(late.status).toBe(1);
  expect(late.output).toContain('they have moved since: it would find none');
  expect(versions('cps-lab-ingest')).toEqual(before.ingest);
  account.change(moved(Date.now() - 86_400_000), 'cps-lab-plants');

  const done = await account.deploy({}, ['--rollback', '--yes']);
  expect(done.status, done.output).toBe(0);
  expect(versions('cps-lab-api')).toEqual([...before.api, before.api[0]]);
  expect(versions('cps-lab-ingest')).toEqual([...before.ingest, before.ingest[0]]);
});

test('OPS-9 ING-17 --rollback is refused when plants have moved into a database that the version before does not know', async () => {
  const account = await pretendAccount();
  expect((await account.deploy(answers)).status).toBe(0);
  for (const file of ['wrangler.toml', 'ingest/wrangler.toml']) switchOn(account.place, file, 'PLANTS_DB_2');
  expect((await account.deploy(answers)).status).toBe(0);
  const versions = account.holds().workers['cps-lab-api']?.deployed;
  account.change(
    "INSERT INTO plant_homes (plant_group, home) VALUES ('moss-lab', 'PLANTS_DB_2')",
    'cps-lab-plants',
  );
  const refused = await account.deploy({}, ['--rollback', '--yes']);
  expect(refused.status).toBe(1);
  expect(refused.output).toContain(
    'the version before does not know PLANTS_DB_2, where the plants of group "moss-lab" are',
  );
  expect(account.holds().workers['cps-lab-api']?.deployed).toEqual(versions);
  // A version that binds it finds them.
  await account.deploy({ ...answers, FAKE_BREAK: 'pages deploy' });
  const { status, output } = await account.deploy({}, ['--rollback', '--yes']);
  expect(status, output).toBe(0);
});
