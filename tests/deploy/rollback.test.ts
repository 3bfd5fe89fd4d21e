import { expect, test } from 'vitest';
import { pretendAccount } from './deployment.ts';

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
  expect(tooEarly.output).toContain('cps-lab-api has no version before the present one');

  expect((await account.deploy(answers)).status).toBe(0);
  const before = { api: versions('cps-lab-api'), ingest: versions('cps-lab-ingest') };
  const dry = await account.deploy({}, ['--rollback', '--dry-run']);
  expect(dry.status, dry.output).toBe(0);
  expect(dry.output).toContain(`cps-lab-api: from version ${before.api[1]}`);
  expect(dry.output).toContain(`to ${before.api[0]}`);
  expect(dry.output).toContain('https://before.cps-lab.pages.dev');
  expect(dry.output).toContain('no migration was applied after the previous deployment');
  const refused = await account.deploy({}, ['--rollback']);
  expect(refused.status).toBe(1);
  expect(refused.output).toContain('nothing was changed');
  expect(versions('cps-lab-api')).toEqual(before.api);

  const done = await account.deploy({}, ['--rollback', '--yes']);
  expect(done.status, done.output).toBe(0);
  expect(versions('cps-lab-api')).toEqual([...before.api, before.api[0]]);
  expect(versions('cps-lab-ingest')).toEqual([...before.ingest, before.ingest[0]]);
});
