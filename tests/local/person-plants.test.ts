import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { openLocalD1, type DatabaseName } from '../../scripts/database/local-d1.ts';
import { personCommand } from '../../scripts/operator/person.ts';
import { runCommand } from '../support/run-command.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { credential, login } from '../support/sign-in.ts';
import { keepLogsOnFailure } from '../support/stack.ts';

const stack = sharedStack('empty');
const place = mkdtempSync(join(tmpdir(), 'cps-lab-person-'));
afterAll(() => rmSync(place, { recursive: true }));
beforeEach(() => keepLogsOnFailure(stack));

function sql(database: DatabaseName, statement: string) {
  const db = openLocalD1(stack.dataDir, { database });
  try {
    return db.prepare(statement).all();
  } finally {
    db.close();
  }
}

const person = (args: string[]) => runCommand(personCommand, args, { DATA_DIR: stack.dataDir });

/** Changes a plant's settings as this user. Each such change also copies waiting rows into the access log. */
async function sets(email: string, plant: string, staleAfterMinutes: number): Promise<number> {
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
  const answer = await fetch(`${origin}/api/plants/settings?plant=${plant}`, {
    method: 'PUT',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify(settings),
  });
  expect(answer.status).toBe(200);
  return user.id;
}

test('OPS-4 what a person did to plants is theirs in an export while it waits in plant_log, and outlives their erasure by number', async () => {
  sql('PLANTS_DB', "INSERT INTO plants (name) VALUES ('fern'), ('moss')");
  // With this trigger, no row about plants can be copied; other rows are written as usual.
  sql(
    'DB',
    "CREATE TRIGGER waits BEFORE INSERT ON access_log WHEN NEW.subject = 'plant' BEGIN SELECT RAISE(ABORT, 'later'); END",
  );
  const leaver = await sets('leaver@univ.test', 'fern', 61);
  const stayer = await sets('stayer@univ.test', 'moss', 62);
  const waiting = () => sql('PLANTS_DB', 'SELECT actor_id, detail FROM plant_log ORDER BY id');
  const lines = waiting();
  expect(lines).toEqual([
    { actor_id: leaver, detail: '{"plant":"fern","stale_after_minutes":[60,61]}' },
    { actor_id: stayer, detail: '{"plant":"moss","stale_after_minutes":[60,62]}' },
  ]);

  const exporting = (email: string) => person(['export', email, '--reason', '본인 열람 요청', '--to', place]);
  const exported = await exporting('leaver@univ.test');
  expect(exported.status, exported.output).toBe(0);
  expect(exported.output).toMatch(/^plant_log: 1$/m);
  const held: unknown = JSON.parse(readFileSync(exported.output.split('\n').at(-1) ?? '', 'utf8'));
  expect(held).toMatchObject({
    users: [{ email: 'leaver@univ.test' }],
    plant_log: [{ action: 'change', subject: 'plant', detail: lines[0]?.['detail'] }],
  });
  expect(JSON.stringify(held)).not.toContain('moss');

  const asked = await person(['erase', 'leaver@univ.test']);
  expect(asked.output).toMatch(/^plant_log: 1 kept: it moves into the access log/m);
  const confirm = /--confirm=\S+/.exec(asked.output)?.[0] ?? '';
  const erased = await person(['erase', 'leaver@univ.test', confirm]);
  expect(erased.status, erased.output).toBe(0);
  expect(sql('DB', `SELECT id FROM users WHERE id = ${leaver}`)).toEqual([]);
  expect(waiting()).toEqual(lines);

  sql('DB', 'DROP TRIGGER waits');
  await sets('other@univ.test', 'moss', 63);
  expect(waiting()).toEqual([]);
  expect(
    sql('DB', "SELECT actor_id, detail FROM access_log WHERE subject = 'plant' ORDER BY id").slice(0, 2),
  ).toEqual(lines);
  const own = await exporting('stayer@univ.test');
  expect(own.output).toMatch(/^access_log: \d+$/m);
  expect(own.output).not.toMatch(/^plant_log/m);
  const kept = readFileSync(own.output.split('\n').at(-1) ?? '', 'utf8');
  expect(kept).toContain('moss');
  expect(kept).not.toContain('fern');
});
