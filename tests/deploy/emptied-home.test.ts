import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pretendAccount, switchOn } from './deployment.ts';

const answers = {
  GOOGLE_CLIENT_ID: 'a-client.apps.example',
  GOOGLE_CLIENT_SECRET: 'a-client-secret',
  ADMIN_EMAILS: 'boss@lab.example',
  UNIVERSITY_EMAIL_DOMAINS: 'univ.example',
  SITE_DOMAIN: 'lab.univ.example',
};
const FILES = ['wrangler.toml', 'ingest/wrangler.toml'];

test(
  'OPS-2 ING-17 npm run deploy leaves a database of plants out once it is emptied, and says until then what to do',
  { timeout: 600_000 },
  async () => {
    const account = await pretendAccount();
    for (const file of FILES) switchOn(account.place, file, 'PLANTS_DB_2');
    const bound = FILES.map((file) => readFileSync(join(account.place, file), 'utf8'));
    const write = (texts: readonly string[]) =>
      FILES.forEach((file, at) => writeFileSync(join(account.place, file), texts[at] ?? ''));
    const leaveOut = () =>
      write(
        bound.map((text) => text.replace(/\[\[d1_databases\]\]\nbinding = "PLANTS_DB_2"\n(?:.+\n)*/, '')),
      );
    const empty = () =>
      write(bound.map((text) => text.replace('PLANTS_DB_EMPTIED = ""', 'PLANTS_DB_EMPTIED = "PLANTS_DB_2"')));
    const refused = async (env = {}) => {
      const { status, output } = await account.deploy({ ...answers, ...env });
      expect(status, output).toBe(1);
      return output;
    };
    // The rest of a deployment says nothing of it.
    const deployed = () => refused({ FAKE_BREAK: 'pages deploy' });
    const looked = () => refused({ FAKE_BREAK: 'd1 migrations apply' });
    const onPlants = (sql: string) => account.change(sql, 'cps-lab-plants');
    const generated = () => readFileSync(join(account.place, 'dist/deploy/api.json'), 'utf8');

    await deployed();
    onPlants(
      "INSERT INTO plant_homes (plant_group, home) VALUES ('moss-lab', 'PLANTS_DB_2'), ('', 'PLANTS_DB_2')",
    );
    leaveOut();
    const way =
      'Bind it again and deploy with PLANTS_DB_EMPTIED = "PLANTS_DB_2" under [vars]: groups leave it then (docs/operations.md)';
    expect(await refused()).toContain(
      `in PLANTS_DB_2, which wrangler.toml does not bind: nobody would see them. ${way}; groups in it now: 2\n`,
    );
    onPlants('DELETE FROM plant_homes');
    // None is there yet: one could go there while this is deployed.
    expect(await refused()).toContain(
      `PLANTS_DB_2 is in use and wrangler.toml does not bind it: a group could go there meanwhile. ${way}\n`,
    );

    empty();
    onPlants("INSERT INTO plant_homes (plant_group, home) VALUES ('moss-lab', 'PLANTS_DB_2')");
    expect(await deployed()).toMatch(/databases: .*, groups still in PLANTS_DB_2: 1\n/);
    expect(account.holds().workers['cps-lab-api']?.vars).toMatchObject({ PLANTS_DB_EMPTIED: 'PLANTS_DB_2' });

    onPlants("UPDATE plant_homes SET home = 'PLANTS_DB'");
    account.change(
      "INSERT INTO plant_log (at, address, action, subject, detail) VALUES (1, 'operator', 'change', 'plant', '{}')",
      'cps-lab-plants-2',
    );
    leaveOut();
    expect(await refused()).toContain(
      'PLANTS_DB_2 still has lines for the access log (1) or plants that have just left (0), which takes five minutes while it is bound: run npm run deploy again after that\n',
    );
    account.change('DELETE FROM plant_log', 'cps-lab-plants-2');
    // Without a line of its own the variable does not stay as it was either.
    write(
      FILES.map((file) =>
        readFileSync(join(account.place, file), 'utf8').replace('PLANTS_DB_EMPTIED = ""\n', ''),
      ),
    );
    expect(await looked()).toMatch(/4\/15 databases: cps-lab found, cps-lab-plants found\n/);
    expect(generated()).toContain('"PLANTS_DB_EMPTIED": ""');
    expect(generated()).not.toContain('PLANTS_DB_2');
    // The database itself is the account's still.
    expect(account.holds().databases.map(({ name }) => name)).toContain('cps-lab-plants-2');
  },
);
