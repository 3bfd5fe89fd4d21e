import { execFile } from 'node:child_process';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bridgeKey } from '../../scripts/operator/bridge-key.ts';
import { smokeTest } from '../../scripts/deploy/after-deployment.ts';
import { grantCommand } from '../../scripts/operator/grant.ts';
import { openLocalD1 } from '../../scripts/database/local-d1.ts';
import { runCommand } from '../support/run-command.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { credential, login } from '../support/sign-in.ts';

const stack = sharedStack('empty');

const grant = (args: string[], dataDir = stack.dataDir) =>
  runCommand(grantCommand, args, { DATA_DIR: dataDir });
const keys = (...args: string[]) => runCommand(bridgeKey, ['key', ...args], { DATA_DIR: stack.dataDir });

test('OPS-2 the smoke test of a deployment passes against the product itself', async () => {
  const passed: string[] = [];
  await smokeTest({
    site: stack.origin,
    ingest: stack.ingestUrl,
    clientId: 'local-client',
    patienceMs: 15_000,
    say: (line) => passed.push(line),
  });
  expect(passed).toHaveLength(9);
});

test('AUTH-10 grants a level while the product runs; it counts on the next request and is logged', async () => {
  const { cookie } = await login(stack.origin, await credential(stack.origin, 'guest@lab.test'));
  const users = () => fetch(`${stack.origin}/api/users`, { headers: { cookie } });
  expect((await users()).status).toBe(403);
  expect(await grant(['GUEST@lab.test', '1'])).toEqual({
    status: 0,
    output: 'guest@lab.test is now Admin (level 1)',
  });
  expect((await users()).status).toBe(200);
  const log = await fetch(`${stack.origin}/api/access_log?action=change`, { headers: { cookie } });
  expect(await log.json()).toMatchObject([
    {
      actor: null,
      address: 'operator',
      person: { email: 'guest@lab.test' },
      detail: { secure_level: [10, 1] },
    },
  ]);
  expect((await grant(['guest@lab.test', '10'])).status).toBe(0);
});

test('AUTH-10 refuses to take the last admin away', async () => {
  expect(await grant(['admin@lab.test', '5'])).toEqual({
    status: 1,
    output: 'refused: this is the last admin, and one must remain',
  });
});

test('SEC-66 a session that has ended as staff does not come back with a level that grant lowers', async () => {
  const now = Date.now();
  const hour = 3_600_000;
  const session = (letter: string, opened: number) =>
    `('${letter.repeat(64)}', 903, '', ${opened}, ${opened})`;
  const db = openLocalD1(stack.dataDir);
  db.exec(`INSERT INTO users (id, sub, email, name, secure_level, created_at) VALUES
    (903, 'former', 'former@lab.test', '셋', 3, 1700000000000);
    INSERT INTO sessions (token_hash, user_id, user_agent, created_at, last_used_at) VALUES
    ${session('8', now - 3 * hour)}, ${session('7', now - hour)}`);
  expect((await grant(['--id', '903', '5'])).status).toBe(0);
  const left = db.prepare('SELECT token_hash FROM sessions WHERE user_id = 903').all();
  expect(left).toEqual([{ token_hash: '7'.repeat(64) }]);
  db.exec('DELETE FROM users WHERE id = 903');
  db.close();
});

test('SEC-53 an address of several users grants nothing: the command lists them and takes an id', async () => {
  const db = openLocalD1(stack.dataDir);
  db.exec(`INSERT INTO users (id, sub, email, name, secure_level, created_at) VALUES
    (901, 'shared-1', 'shared@lab.test', '하나', 10, 1700000000000), (902, 'shared-2', 'Shared@lab.test', '둘', 8, 1710000000000);
    INSERT INTO sessions (token_hash, user_id, user_agent, created_at, last_used_at) VALUES ('${'9'.repeat(64)}', 902, '', 1720000000000, 1720000000000)`);
  const levels = () =>
    db
      .prepare('SELECT secure_level FROM users WHERE id > 900 ORDER BY id')
      .all()
      .map((row) => row['secure_level']);
  const refused = await grant(['shared@lab.test', '1']);
  expect(refused.status).toBe(1);
  expect(refused.output.split('\n')).toEqual([
    '2 users have the address shared@lab.test, and nothing was changed:',
    'id 901: level 10, created 2023-11-14 22:13 UTC, not signed in now',
    'id 902: level 8, created 2024-03-09 16:00 UTC, last signed in 2024-07-03 09:46 UTC',
    'choose one by its number: npm run person -- grant --id 901 1',
  ]);
  expect(levels()).toEqual([10, 8]);
  expect(await grant(['--id', '902', '1'])).toEqual({
    status: 0,
    output: 'Shared@lab.test is now Admin (level 1)',
  });
  expect(levels()).toEqual([10, 1]);
  expect(await grant(['--id', '999', '1'])).toEqual({ status: 1, output: 'there is no user number 999' });
  expect((await grant(['--id', '1 OR 1=1', '1'])).output).toContain('usage: npm run person -- grant');
  db.exec('DELETE FROM users WHERE id > 900');
  db.close();
});

test('says what is wrong with an unknown address, a wrong level or a missing database', async () => {
  expect(await grant(['stranger@lab.test', '5'])).toEqual({
    status: 1,
    output: 'nobody with the address stranger@lab.test has signed in yet',
  });
  const wrong: [args: string[], problem: string][] = [
    [[], "the user's email address is missing"],
    [['nobody@x', '3'], 'nobody@x is not an email address'],
    [["x' OR 1=1 --", '1'], 'is not an email address'],
    [['admin@lab.test'], 'the level is missing: 1 Admin'],
    [['admin@lab.test', '2'], '2 is not a level: 1 Admin'],
    [['admin@lab.test', '0x3'], '0x3 is not a level'],
    [['admin@lab.test', '3', '5'], 'unexpected argument 5'],
    [['--id', '7', 'admin@lab.test', '3'], '--id replaces the address'],
    [['admin@lab.test', '3', '--remot'], 'there is no option --remot'],
  ];
  for (const [args, problem] of wrong) {
    const { status, output } = await grant(args);
    expect(status).toBe(64);
    expect(output).toContain(problem);
    expect(output).toContain('usage: npm run person -- grant');
  }
  rmSync('/tmp/cps-lab-nothing-here', { recursive: true, force: true });
  expect((await grant(['admin@lab.test', '1'], '/tmp/cps-lab-nothing-here')).output).toContain(
    'run npm start once',
  );
});

test('OPS-13 a command, as npm starts it, works while the product runs, and its exit status is that of what came of it', async () => {
  const typed: [script: string, args: string[], status: number, output: RegExp][] = [
    ['person', ['grant', 'member@lab.test', '5'], 0, /^member@lab.test is now \S+ \(level 5\)$/],
    ['person', ['erase', 'nobody@lab.test'], 1, /^nobody has that address or number: check the spelling$/],
    ['dead-letters', ['list', '--no-such'], 64, /^there is no option --no-such;/],
  ];
  const env = { ...process.env, DATA_DIR: stack.dataDir, MQTT_URL: stack.brokerUrl };
  const run = promisify(execFile);
  const all = typed.map(async ([script, args, status, output]) => {
    const words = ['--disable-warning=ExperimentalWarning', `scripts/operator/${script}.ts`, ...args];
    const ended = await run(process.execPath, words, { env }).then(
      (said) => ({ code: 0, ...said }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
    const said = { script, code: ended.code, output: (ended.stdout + ended.stderr).trim() };
    expect(said).toEqual({
      script,
      code: status,
      output: expect.stringMatching(output),
    });
  });
  await Promise.all(all);
});

/** Sends a reading with this key. @returns the HTTP status */
async function send(bridge: string, key: string, plant: string): Promise<number> {
  const datetime = new Date().toISOString();
  const body = JSON.stringify({
    readings: [{ plant, datetime, soil_moisture: 512, received_at: datetime }],
  });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const hash = createHash('sha256').update(body).digest('hex');
  const signature = createHmac('sha256', key).update(`${timestamp}\nPOST\n/readings\n${hash}`).digest('hex');
  const answer = await fetch(`${stack.ingestUrl}/readings`, {
    method: 'POST',
    body,
    headers: {
      'x-bridge-id': bridge,
      'x-bridge-timestamp': timestamp,
      'x-bridge-signature': signature,
    },
  });
  return answer.status;
}

const keyIn = (output: string) => /^BRIDGE_KEY=(\S+)$/m.exec(output)?.[1] ?? '';

test('ING-2 a key made while the product runs works at once, for its plants only, and ends when it is revoked', async () => {
  // A new name each time, because a second try still has the keys of the first try.
  const bridge = `balcony-${randomUUID().slice(0, 8)}`;
  const added = await keys('add', bridge, '--plants', 'fern,이끼');
  expect(added.status, added.output).toBe(0);
  expect(added.output).toMatch(
    new RegExp(
      `^# key \\d+ of ${bridge}, for fern, 이끼, made .*, works, in the local database\nBRIDGE_ID=${bridge}\nBRIDGE_KEY=`,
    ),
  );
  const key = keyIn(added.output);
  expect(key.length).toBeGreaterThanOrEqual(43);
  expect(await send(bridge, key, 'fern')).toBe(200);
  expect(await send(bridge, key, '이끼')).toBe(200);
  expect(await send(bridge, key, 'ivy')).toBe(403);

  const next = keyIn((await keys('add', bridge)).output);
  expect(await send(bridge, next, 'ivy')).toBe(200);
  expect(await send(bridge, key, 'fern')).toBe(200);

  const [, first = ''] = /^# key (\d+)/.exec(added.output) ?? [];
  expect((await keys('revoke', bridge, first)).output).toMatch(
    /^key \d+ of balcony-.*revoked [0-9: -]+\nbalcony-\S+ keeps its readings on its disk until/,
  );
  expect(await send(bridge, key, 'fern')).toBe(401);
  expect(await send(bridge, next, 'ivy')).toBe(200);

  const list = (await keys('list', bridge)).output;
  expect(list.split('\n')).toHaveLength(2);
  expect(list).not.toContain(key);
  expect(list).not.toContain(next);
  expect((await keys('revoke', bridge)).output.match(/revoked/g)).toHaveLength(2);
  expect(await send(bridge, next, 'ivy')).toBe(401);
});

test('ING-2 says what is wrong with a command about keys', async () => {
  const wrong: [args: string[], problem: string][] = [
    [[], 'say what to do: key add, key list or key revoke'],
    [['show'], 'there is no command show: use add, list or revoke'],
    [['add'], 'add needs the name of a bridge'],
    [['revoke', "x'--"], "x'-- is not a bridge's name"],
    [['revoke', 'x', '1 OR 1=1'], "1 OR 1=1 is not a key's number"],
    [['list', 'x', '--plants', 'fern'], '--plants is only for add'],
    [['list', '--name', 'moss-lab'], '--name needs --remote: add --remote'],
    [['list', '--remote', '--name', 'moss-plants'], '--name takes 3 to 40 small letters, digits and dashes'],
    [['add', 'x', 'y'], 'unexpected argument y'],
  ];
  for (const [args, problem] of wrong) {
    const { status, output } = await keys(...args);
    expect(status).toBe(64);
    expect(output).toContain(problem);
    expect(output).toContain('usage: npm run bridge -- key add');
  }
  expect(await keys('add', 'x', '--plants', 'a/b')).toEqual({
    status: 64,
    output: expect.stringContaining('--plants has an invalid name: a/b'),
  });
  expect(await keys('revoke', 'nobody')).toEqual({ status: 1, output: 'nobody has no key' });
});
