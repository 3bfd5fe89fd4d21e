import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { openLocalD1, type DatabaseName } from '../../scripts/local-d1.ts';
import { ownStack } from '../support/shared-stack.ts';
import { credential, login } from '../support/sign-in.ts';
import { keepLogsOnFailure } from '../support/stack.ts';

const stack = ownStack({ PLANTS_DATABASES: '2', DEMO_DATA: 'off', SIMULATOR: 'off', WATCH_SECONDS: '1' });
const place = mkdtempSync(join(tmpdir(), 'cps-lab-person-'));
afterAll(() => rmSync(place, { recursive: true }));
beforeEach(({ task }) => keepLogsOnFailure(stack, `person-plants-${task.id}`));

function sql(database: DatabaseName, statement: string) {
  const db = openLocalD1(stack.dataDir, { database });
  try {
    return db.prepare(statement).all();
  } finally {
    db.close();
  }
}

/** The laboratory's own group may be in either. */
const inHomes = (statement: string) =>
  (['PLANTS_DB', 'PLANTS_DB_2'] as const).flatMap((home) => sql(home, statement));

function person(...args: string[]) {
  const script = ['--disable-warning=ExperimentalWarning', 'scripts/person.ts', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, script, {
    env: { ...process.env, DATA_DIR: stack.dataDir },
    encoding: 'utf8',
  });
  return { status, output: (stdout + stderr).trim() };
}

/** Signs in somebody who may set up plants, and has them do so. */
async function gardener(email: string, plant: string, staleAfterMinutes: number): Promise<number> {
  const { origin } = stack;
  const { user } = await login(origin, await credential(origin, email));
  sql('DB', `UPDATE users SET secure_level = 1 WHERE id = ${user.id}`);
  const { cookie } = await login(origin, await credential(origin, email));
  const settings = {
    dry: null,
    wet: null,
    alert_below: 20,
    alert_clear: 25,
    stale_after_minutes: staleAfterMinutes,
  };
  let status = 0;
  const change = async () => {
    const answer = await fetch(`${origin}/api/plants/settings?plant=${plant}`, {
      method: 'PUT',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify(settings),
    });
    status = answer.status;
    return status;
  };
  // The group may be on its way to the other home, as after any start with one more.
  await expect.poll(change).not.toBe(503);
  expect(status).toBe(200);
  return user.id;
}

test('OPS-4 what a person did to plants is theirs in an export while it waits in plant_log, and outlives their erasure by number', async () => {
  sql('PLANTS_DB', "INSERT INTO plants (name) VALUES ('fern'), ('moss')");
  // Nothing about plants is carried over while this stands; all else is written down as ever.
  sql(
    'DB',
    "CREATE TRIGGER waits BEFORE INSERT ON access_log WHEN NEW.subject = 'plant' BEGIN SELECT RAISE(ABORT, 'later'); END",
  );
  const leaver = await gardener('leaver@univ.test', 'fern', 61);
  const stayer = await gardener('stayer@univ.test', 'moss', 62);
  const lines = inHomes('SELECT actor_id, detail FROM plant_log ORDER BY id');
  expect(lines).toEqual([
    { actor_id: leaver, detail: '{"plant":"fern","stale_after_minutes":[60,61]}' },
    { actor_id: stayer, detail: '{"plant":"moss","stale_after_minutes":[60,62]}' },
  ]);

  const exported = person('export', 'leaver@univ.test', '--reason', '본인 열람 요청', '--to', place);
  expect(exported.status, exported.output).toBe(0);
  expect(exported.output).toMatch(/^plant_log: 1$/m);
  const held: unknown = JSON.parse(readFileSync(exported.output.split('\n').at(-1) ?? '', 'utf8'));
  expect(held).toMatchObject({
    users: [{ email: 'leaver@univ.test' }],
    plant_log: [{ action: 'change', subject: 'plant', detail: lines[0]?.['detail'] }],
  });
  expect(JSON.stringify(held)).not.toContain('moss');

  const asked = person('erase', 'leaver@univ.test');
  expect(asked.output).toMatch(/^plant_log: 1 kept: it is on its way into the access log/m);
  const confirm = /--confirm=\S+/.exec(asked.output)?.[0] ?? '';
  const erased = person('erase', 'leaver@univ.test', confirm);
  expect(erased.status, erased.output).toBe(0);
  expect(sql('DB', `SELECT id FROM users WHERE id = ${leaver}`)).toEqual([]);
  expect(inHomes('SELECT actor_id, detail FROM plant_log ORDER BY id')).toEqual(lines);

  sql('DB', 'DROP TRIGGER waits');
  await expect.poll(() => inHomes('SELECT id FROM plant_log')).toEqual([]);
  expect(sql('DB', "SELECT actor_id, detail FROM access_log WHERE subject = 'plant' ORDER BY id")).toEqual(
    lines,
  );
  const own = person('export', 'stayer@univ.test', '--reason', '본인 열람 요청', '--to', place);
  expect(own.output).toMatch(/^access_log: \d+$/m);
  expect(own.output).not.toMatch(/^plant_log/m);
  const kept = readFileSync(own.output.split('\n').at(-1) ?? '', 'utf8');
  expect(kept).toContain('moss');
  expect(kept).not.toContain('fern');
});

test('OPS-4 what waits in the log of each home of plants is exported, and counted before an erasure', async () => {
  sql(
    'DB',
    "CREATE TRIGGER waits BEFORE INSERT ON access_log WHEN NEW.subject = 'plant' BEGIN SELECT RAISE(ABORT, 'later'); END",
  );
  const { user } = await login(stack.origin, await credential(stack.origin, 'mover@univ.test'));
  for (const home of ['PLANTS_DB', 'PLANTS_DB_2'] as const)
    sql(
      home,
      `INSERT INTO plant_log (at, address, actor_id, action, subject, subject_id, detail)
       VALUES (1, 'cli', ${user.id}, 'change', 'plant', 'fern', '{"plant":"${home}"}')`,
    );
  const exported = person('export', 'mover@univ.test', '--reason', '본인 열람 요청', '--to', place);
  expect(exported.output).toMatch(/^plant_log: 2$/m);
  const held: unknown = JSON.parse(readFileSync(exported.output.split('\n').at(-1) ?? '', 'utf8'));
  expect(held).toMatchObject({
    plant_log: [{ detail: '{"plant":"PLANTS_DB"}' }, { detail: '{"plant":"PLANTS_DB_2"}' }],
  });
  expect(person('erase', 'mover@univ.test').output).toMatch(/^plant_log: 2 kept/m);
  sql('DB', 'DROP TRIGGER waits');
});
