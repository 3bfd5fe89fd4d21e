import { spawn } from 'node:child_process';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { tableNames } from '../../scripts/backup/archive.ts';
import { quoted } from '../../scripts/backup/cells.ts';
import { openLocalD1 } from '../../scripts/local-d1.ts';
import { smokeTest } from '../../scripts/deploy/after-deployment.ts';
import { someOrAll } from '../support/counts.ts';
import { credential, login } from '../support/sign-in.ts';
import { startStack, type Stack } from '../support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ DEMO_DATA: 'off', SIMULATOR: 'off' });
});
afterAll(() => stack?.stop());

/** Without blocking: a connection that the product closes meanwhile would else be taken for an open one. */
const command = (script: string, args: string[], dataDir?: string) =>
  run(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], dataDir);

async function run(program: string, args: string[], dataDir = stack.dataDir) {
  const child = spawn(program, args, {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, output: (stdout + stderr).trim() };
}

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

const grant = (args: string[], dataDir?: string) => command('scripts/grant.ts', args, dataDir);
const bridgeKey = (...args: string[]) => command('scripts/bridge-key.ts', args);

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
    output: 'refused: there is always at least one admin',
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
    'id 901: level 10, made 2023-11-14 22:13 UTC, no session is left',
    'id 902: level 8, made 2024-03-09 16:00 UTC, signed in last 2024-07-03 09:46 UTC',
    'say which of them: npm run grant -- --id 901 1',
  ]);
  expect(levels()).toEqual([10, 8]);
  expect(await grant(['--id', '902', '1'])).toEqual({
    status: 0,
    output: 'Shared@lab.test is now Admin (level 1)',
  });
  expect(levels()).toEqual([10, 1]);
  expect(await grant(['--id', '999', '1'])).toEqual({ status: 1, output: 'there is no user 999' });
  expect((await grant(['--id', '1 OR 1=1', '1'])).output).toContain('usage: npm run grant');
  db.exec('DELETE FROM users WHERE id > 900');
  db.close();
});

test('says what is wrong with an unknown address, a wrong level or a missing database', async () => {
  expect(await grant(['stranger@lab.test', '5'])).toEqual({
    status: 1,
    output: 'nobody with the address stranger@lab.test has signed in yet',
  });
  const wrong: [args: string[], problem: string][] = [
    [[], 'whose level is not said'],
    [['nobody@x', '3'], 'nobody@x is no email address'],
    [["x' OR 1=1 --", '1'], 'is no email address'],
    [['admin@lab.test'], 'the level is not said: 1 Admin'],
    [['admin@lab.test', '2'], '2 is no level: 1 Admin'],
    [['admin@lab.test', '0x3'], '0x3 is no level'],
    [['admin@lab.test', '3', '5'], '5 does not belong there'],
    [['--id', '7', 'admin@lab.test', '3'], '--id stands for the address'],
    [['admin@lab.test', '3', '--remot'], 'there is no option --remot'],
  ];
  for (const [args, problem] of wrong) {
    const { status, output } = await grant(args);
    expect(status).toBe(64);
    expect(output).toContain(problem);
    expect(output).toContain('usage: npm run grant');
  }
  rmSync('/tmp/cps-lab-nothing-here', { recursive: true, force: true });
  expect((await grant(['admin@lab.test', '1'], '/tmp/cps-lab-nothing-here')).output).toContain(
    'run npm start once',
  );
});

/** Status of a reading that the bridge sends under the key. */
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
  // A second try has the keys of the first beside its own.
  const bridge = `balcony-${randomUUID().slice(0, 8)}`;
  const added = await bridgeKey('add', bridge, '--plants', 'fern,이끼');
  expect(added.status, added.output).toBe(0);
  expect(added.output).toMatch(
    new RegExp(
      `^key \\d+ of ${bridge}, for fern, 이끼, made .*, works, in the local database\nBRIDGE_ID=${bridge}\nBRIDGE_KEY=`,
    ),
  );
  const key = keyIn(added.output);
  expect(key.length).toBeGreaterThanOrEqual(43);
  expect(await send(bridge, key, 'fern')).toBe(200);
  expect(await send(bridge, key, '이끼')).toBe(200);
  expect(await send(bridge, key, 'ivy')).toBe(403);

  const next = keyIn((await bridgeKey('add', bridge)).output);
  expect(await send(bridge, next, 'ivy')).toBe(200);
  expect(await send(bridge, key, 'fern')).toBe(200);

  const [, first = ''] = /^key (\d+)/.exec(added.output) ?? [];
  expect((await bridgeKey('revoke', bridge, first)).output).toMatch(
    /^key \d+ of balcony-.*revoked [0-9: -]+\nreadings that wait on balcony-\S+ stay on its disk until it has a key/,
  );
  expect(await send(bridge, key, 'fern')).toBe(401);
  expect(await send(bridge, next, 'ivy')).toBe(200);

  const list = (await bridgeKey('list', bridge)).output;
  expect(list.split('\n')).toHaveLength(2);
  expect(list).not.toContain(key);
  expect(list).not.toContain(next);
  expect((await bridgeKey('revoke', bridge)).output.match(/revoked/g)).toHaveLength(2);
  expect(await send(bridge, next, 'ivy')).toBe(401);
});

test('ING-16 ING-2 a key of a group speaks for its plants alone, and its bridge for no other group', async () => {
  const bridge = `moss-pi-${randomUUID().slice(0, 8)}`;
  const added = await bridgeKey('add', bridge, '--group', 'moss-lab');
  expect(added.output).toContain(`of ${bridge}, for every plant of moss-lab, made`);
  expect(added.output).toMatch(/^PLANT_GROUP=moss-lab$/m);
  expect(await send(bridge, keyIn(added.output), 'moss-lab/fern')).toBe(200);
  expect(await send(bridge, keyIn(added.output), 'fern')).toBe(403);
  const some = await bridgeKey('add', bridge, '--group', 'moss-lab', '--plants', 'fern,이끼');
  expect(some.output).toContain('for moss-lab/fern, moss-lab/이끼, made');
  expect(await send(bridge, keyIn(some.output), 'moss-lab/ivy')).toBe(403);
  for (const group of [[], ['--group', 'reed-lab']]) {
    expect(await bridgeKey('add', bridge, ...group)).toEqual({
      status: 1,
      output: `the keys of ${bridge} are of group moss-lab, and all keys of a bridge are of one: give another bridge another name`,
    });
  }
});

test('ING-16 ING-2 a key of every group speaks for all plants, or for those of them that it names', async () => {
  const bridge = `every-pi-${randomUUID().slice(0, 8)}`;
  const added = await bridgeKey('add', bridge, '--group', '+');
  expect(added.output).toContain(`of ${bridge}, for every plant of every group, made`);
  for (const plant of ['fern', 'moss-lab/fern'])
    expect(await send(bridge, keyIn(added.output), plant)).toBe(200);
  const some = await bridgeKey('add', bridge, '--group', '+', '--plants', 'fern,moss-lab/fern');
  expect(some.output).toContain('for fern, moss-lab/fern, made');
  expect(await send(bridge, keyIn(some.output), 'reed-lab/fern')).toBe(403);
});

test('ING-2 says what is wrong with a command about keys', async () => {
  const wrong: [args: string[], problem: string][] = [
    [[], 'say what to do: add, list or revoke'],
    [['show'], 'there is no show: add, list or revoke'],
    [['add'], 'add needs the name of a bridge'],
    [['revoke', "x'--"], "x'-- is no name of a bridge"],
    [['revoke', 'x', '1 OR 1=1'], '1 OR 1=1 is no number of a key'],
    [['list', 'x', '--plants', 'fern'], '--plants goes with add alone'],
    [['list', 'x', '--group', 'moss-lab'], '--group goes with add alone'],
    [['add', 'x', '--group', ''], 'the empty text is no group: it must be 1 to 32'],
    [['add', 'x', '--group', 'plants'], 'plants is no group: it must not be plants or bridges'],
    [['add', 'x', '--group', 'Moss Lab'], 'Moss Lab is no group: it must be 1 to 32 of a-z 0-9 -'],
    [['add', 'x', 'y'], 'y does not belong there'],
  ];
  for (const [args, problem] of wrong) {
    const { status, output } = await bridgeKey(...args);
    expect(status).toBe(64);
    expect(output).toContain(problem);
    expect(output).toContain('usage: npm run bridge-key');
  }
  expect(await bridgeKey('add', 'x', '--plants', 'a/b')).toEqual({
    status: 64,
    output: expect.stringContaining('no such plants can be: a/b'),
  });
  expect(await bridgeKey('revoke', 'nobody')).toEqual({ status: 1, output: 'nobody has no key' });
});

/** Each command is a process, two of them with a runtime of their own. */
describe('one person', { timeout: 240_000 }, () => {
  const leaver = { email: 'leaver@univ.test', name: '떠나는솔', number: '209900123', tel: '010-5555-0123' };
  const person = (...args: string[]) => command('scripts/person.ts', args);
  const place = mkdtempSync(join(tmpdir(), 'cps-lab-person-'));
  afterAll(() => rmSync(place, { recursive: true }));

  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAwAAAAICAYAAADN5B7xAAAA30lEQVR4ATSQIQsCQRCF9/a43V9kUIOIgsELgmizCRbBZLCITbAINsFiNlqN/qmdCeOb2TUMj5md971h/bfTk093JO9+K6/BQp7DldzHG7lOdnKeHuTYnmQ/u8h2fpP18iGefXBUoaAJyj665BvH6KlqHNXRkfVZPelDHfIQasu2pDOtBubokpoBywaQCY0OWQH2GAAJeVkTACMoDCCUhkFOaijF0AzBOQYNDoZocYwEvZmxRKXUzAVGpmbQBJgQ9180E85S1Y8ggwWcBwNbA1OhEjSTY/4tIzdOE/S8HwAAAP//xSCFRgAAAAZJREFUAwA2BG/iyEqQ8wAAAABJRU5ErkJggg==',
    'base64',
  );

  /** Somebody who has left something in every part: as a user, as a student, in the books. */
  async function arrive(): Promise<void> {
    const { origin } = stack;
    const { cookie } = await login(origin, await credential(origin, 'admin@lab.test'));
    const send = (path: string, method: string, body: unknown) =>
      fetch(`${origin}/api${path}`, {
        method,
        headers: { cookie, ...(!(body instanceof FormData) && { 'content-type': 'application/json' }) },
        body: body instanceof FormData ? body : JSON.stringify(body),
      });
    const { email, name, number: id, tel } = leaver;
    const row = { no: 1, id, name, department: '컴퓨터공학부', year: 3, type: '재학', tel, email };
    const roster = { year: 2026, semester: 1, subject: '운영체제', data: [row] };
    expect((await send('/students/', 'POST', roster)).status).toBe(201);
    const picture = new FormData();
    picture.append('images', new Blob([png], { type: 'image/png' }), `${id}.png`);
    expect((await send('/upload', 'POST', picture)).status).toBe(200);
    const own = await login(origin, await credential(origin, email, { name }));
    const profile = await fetch(`${origin}/api/login/${own.user.id}`, {
      method: 'PUT',
      headers: { cookie: own.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ name, email, univId: id }),
    });
    expect(profile.status).toBe(200);
    expect((await send(`/users/${own.user.id}`, 'PUT', { secureLevel: 5 })).status).toBe(200);
    const entry = { amount: 50_000, datetime: '2026-03-04T13:00:00', description: `회비 ${name}` };
    const added = z.object({ id: z.int() }).parse(await (await send('/account', 'POST', entry)).json());
    const payment = { user_id: own.user.id, entry_id: added.id };
    expect((await send('/account/dues/2026/1', 'PUT', payment)).status).toBe(200);
  }

  /** Where the words stand: `table.column`, as often as they do. */
  function placesOf(words: string[]): string[] {
    const db = openLocalD1(stack.dataDir, { readOnly: true });
    try {
      return tableNames(db).flatMap((table) => {
        const select = db.prepare(`SELECT * FROM ${quoted(table)}`);
        // A reading without a number of its own has one that no number of JavaScript's is.
        select.setReadBigInts(true);
        return select
          .all()
          .flatMap((row) => Object.entries(row))
          .filter(([, value]) => words.some((word) => String(value).includes(word)))
          .map(([column]) => `${table}.${column}`);
      });
    } finally {
      db.close();
    }
  }

  test('OPS-4 is exported whole and erased from everywhere but where the law and the books need them', async () => {
    await arrive();
    const { email, name, number, tel } = leaver;
    expect(await person('export', email)).toMatchObject({
      status: 64,
      output: expect.stringContaining('export needs --reason <text>\nusage:'),
    });
    for (const reason of ['열', ' 열 ', '열'.repeat(201)]) {
      expect(await person('export', email, '--reason', reason)).toMatchObject({
        status: 64,
        output: expect.stringContaining('--reason needs 2 to 200 characters\n'),
      });
    }
    const exported = await person('export', email, '--reason', '본인 열람 요청', '--to', place);
    expect(exported.status, exported.output).toBe(0);
    const file = exported.output.split('\n').at(-1) ?? '';
    const again = await person('export', email, '--reason', '본인 열람 요청', '--to', place);
    expect(again.output.split('\n').at(-1)).toBe(file.replace('.json', '-2.json'));
    expect(statSync(file).mode & 0o077).toBe(0);
    const held: unknown = JSON.parse(readFileSync(file, 'utf8'));
    expect(held).toMatchObject({
      users: [{ email, name, univ_id: number, secure_level: 5 }],
      students: [{ id: number, name, tel, email }],
      enrolments: [{ year: 2026, semester: 1, subject: '운영체제' }],
      pictures: [{ content_type: 'image/png' }],
      sessions: [{ user_agent: expect.any(String) }],
      dues: [{ year: 2026, semester: 1, name }],
      ledger_entries: [{ amount: 50_000, description: `회비 ${name}` }],
      files: [{ key: `pictures/${number}`, type: 'image/png', base64: expect.stringMatching(/^iVBOR/) }],
    });
    expect(readFileSync(file, 'utf8')).toContain('본인 열람 요청');
    expect(readFileSync(file, 'utf8')).not.toContain('token_hash');

    const before = placesOf([email, name, number, tel]).length;
    const confirmation = (output: string) =>
      /^npm run person -- erase (--confirm=\S+) /m.exec(output)?.[1] ?? '';
    const asked = await person('erase', number);
    for (const { status, output } of [asked, await person('erase', email, `--confirm=student-${number}`)]) {
      expect({ status, asks: confirmation(output) }).toEqual({
        status: 1,
        asks: expect.stringMatching(new RegExp(`^--confirm=user-\\d+\\+student-${number}$`)),
      });
      expect(output).toMatch(/^enrolments: 1 removed$/m);
    }
    expect(placesOf([email, name, number, tel])).toHaveLength(before);

    const erased = await person('erase', number, confirmation(asked.output));
    expect(erased.status, erased.output).toBe(0);
    expect(erased.output).toMatch(/^users: 1 removed$/m);
    expect(erased.output).toMatch(/^dues: 1 kept without the name$/m);
    expect(erased.output).toMatch(/^access_log: \d+ kept: the law/m);
    expect(erased.output).toMatch(/^ledger_entries: 1 \(entry \d+\) kept: the books/m);
    expect(placesOf([email, tel])).toEqual([]);
    // The books' own words; numbers of whom the log tells.
    expect(new Set(placesOf([name]))).toEqual(new Set(['ledger_entries.description']));
    expect(new Set(placesOf([number]))).toEqual(new Set(['access_log.subject_id']));
    expect(await person('erase', number)).toMatchObject({
      status: 1,
      output: expect.stringContaining('nobody is stored'),
    });
    const { cookie } = await login(stack.origin, await credential(stack.origin, 'admin@lab.test'));
    const picture = await fetch(`${stack.origin}/api/students/pictures/${number}`, { headers: { cookie } });
    expect(picture.status).toBe(404);
    const dues = await fetch(`${stack.origin}/api/account/dues/2026/1`, { headers: { cookie } });
    expect(await dues.text()).toContain('삭제된 사용자');
  });

  test('OPS-4 an export holds nobody else: a name within another, a number within a number, an address within an address', async () => {
    const db = openLocalD1(stack.dataDir);
    db.exec(`INSERT INTO users (id, sub, email, name, secure_level, created_at) VALUES
      (801, 'kim', 'kim@univ.test', '김민', 5, 1), (802, 'kimsu', 'akim@univ.test', '김민수', 5, 1);
      INSERT INTO students (id, name, email) VALUES ('20995555', '김민', 'kim@univ.test'), ('209955551', '김민수', 'akim@univ.test');
      INSERT INTO ledger_entries (id, amount, datetime, description) VALUES
        (8001, 1, '2026-03-02T13:00:00', '회비'), (8002, 2, '2026-03-02T13:00:00', '김민수 회비'), (8003, 3, '2026-03-02T13:00:00', '김민 간식'),
        (8004, 4, '2026-03-02T13:00:00', '둘이서'), (8005, 5, '2026-03-02T13:00:00', '남의 것');
      INSERT INTO receipts (id, entry_id, name, content_type, size, uploaded_at) VALUES
        ('${'1'.repeat(32)}', 8001, '영수증.pdf', 'application/pdf', 1, 1), ('${'2'.repeat(32)}', 8002, '김민수.pdf', 'application/pdf', 1, 1),
        ('${'3'.repeat(32)}', 8005, '${'김민.pdf'.normalize('NFD')}', 'application/pdf', 1, 1);
      INSERT INTO dues (id, year, semester, user_id, name, entry_id) VALUES
        (8001, 2026, 1, 801, '김민', 8001), (8002, 2026, 1, 802, '김민수', 8002), (8003, 2026, 2, 801, '김민', 8004),
        (8004, 2026, 2, 802, '김민수', 8004), (8005, 2026, 1, NULL, '김민', NULL);
      INSERT INTO access_log (id, at, address, action, subject, detail) VALUES
        (8001, 1, 'x', 'export', 'student', '{"ids":["20995555"]}'), (8002, 1, 'x', 'export', 'student', '{"ids":["209955551"]}'),
        (8003, 1, 'x', 'read', 'user', '{"email":"akim@univ.test"}'), (8004, 1, 'x', 'read', 'user', '{"words":"KIM@univ.test 20990000"}'),
        (8005, 1, 'x', 'create', 'ledger_entry', '{"amount":[null,20995555]}'), (8006, 1, 'x', 'read', 'user', '{"words":"209955551\\n20995555"}')`);
    db.close();
    const exported = async (...more: string[]) => {
      const { status, output } = await person(
        'export',
        'kim@univ.test',
        '--reason',
        '열람',
        '--to',
        place,
        ...more,
      );
      if (status !== 0) return { output };
      const held: unknown = JSON.parse(readFileSync(output.split('\n').at(-1) ?? '', 'utf8'));
      const tables = z.record(z.string(), z.array(z.record(z.string(), z.unknown()))).parse(held);
      const ids = (table: string, column = 'id') => tables[table]?.map((row) => row[column]);
      const details = ids('access_log', 'detail')?.map(String) ?? [];
      return {
        output,
        entries: ids('ledger_entries'),
        receipts: ids('receipts'),
        dues: ids('dues', 'name'),
        details,
      };
    };
    const first = await exported();
    expect(first).toMatchObject({ entries: [8001], receipts: ['1'.repeat(32)], dues: ['김민', '김민'] });
    expect(first.details?.filter((detail) => /2099|kim|KIM/.test(detail))).toEqual([
      '{"ids":["20995555"]}',
      '{"words":"KIM@univ.test 20990000"}',
      String.raw`{"words":"209955551\n20995555"}`,
    ]);
    expect(first.output).toContain('  ledger_entries:8002  part of a longer word: "김민수 회비"');
    expect(first.output).toContain('  ledger_entries:8003  a word of its own: "김민 간식"');
    expect(first.output).toContain(`  receipts:${'2'.repeat(32)}  part of a longer word: "김민수.pdf"`);
    expect(first.output).toContain(`  receipts:${'3'.repeat(32)}  a word of its own`);
    expect(first.output).toContain('  dues:8005  a word of its own: "김민"');
    expect(first.output).not.toMatch(/dues:800[24]|ledger_entries:800[145]/);

    const chosen = await exported('--include', 'ledger_entries:8003', '--include', 'dues:8005');
    expect(chosen).toMatchObject({ entries: [8001, 8003], dues: ['김민', '김민', '김민'] });
    expect((await exported('--include', 'ledger_entries:8005')).output).toContain(
      'ledger_entries:8005 is none of the rows that hold the name',
    );
    expect((await person('erase', 'kim@univ.test')).output).toContain(
      '  ledger_entries:8002  part of a longer word',
    );
  });

  test.each<[name: string, word: string]>(
    someOrAll(3, [
      ['-rf', '-4711-'],
      ['--confirm', '----'],
      ['두\n줄\t과 탭', "o'neil$(id)`id`@univ.test"],
      ['홍길동'.normalize('NFD'), '-dash@univ.test'],
      ['"\\\'$HOME`!*\u{1B}[2J\u{202E}', '20990092'],
      [' ', '20990093'],
    ]),
  )('OPS-4 what erase prints can be pasted into a shell: the person %j, called by %s', async (name, word) => {
    const [id, email] = word.includes('@') ? ['20990094', word] : [word, ''];
    const db = openLocalD1(stack.dataDir);
    db.prepare('INSERT INTO students (id, name, email) VALUES (?, ?, ?)').run(id, name, email);
    db.close();
    const asked = await person('erase', '--', word);
    expect(asked.status, asked.output).toBe(1);
    expect(asked.output.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u{202E}]/u);
    const line = asked.output.split('\n').at(-1) ?? '';
    expect(line).toContain(`--confirm=student-${id} `);
    const pasted = line.replace('npm run person --', '"$0" scripts/person.ts');
    const erased = await run('sh', ['-c', pasted, process.execPath]);
    expect(erased.status, erased.output).toBe(0);
    expect(erased.output).toMatch(/^students: 1 removed$/m);
  });

  test('OPS-4 is nobody else: a claimed number leads to nobody, an address of two students to none, the last admin stays', async () => {
    const { origin } = stack;
    const claimer = await login(origin, await credential(origin, 'claimer@univ.test', { name: '남의번호' }));
    await fetch(`${origin}/api/login/${claimer.user.id}`, {
      method: 'PUT',
      headers: { cookie: claimer.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ name: '남의번호', email: 'claimer@univ.test', univId: '209900777' }),
    });
    expect((await person('erase', '209900777')).output).toContain('nobody is stored');
    const db = openLocalD1(stack.dataDir);
    db.exec(`INSERT INTO students (id, name, email) VALUES ('20990071', '하나', 'both@univ.test'),
                                                          ('20990072', '둘', 'both@univ.test')`);
    db.close();
    expect((await person('erase', 'both@univ.test')).output).toContain(
      'more than one person: student 20990071, student 20990072',
    );
    expect((await person('erase', '20990071')).output).toContain('--confirm=student-20990071 20990071');
    const admin = /--confirm=\S+/.exec((await person('erase', 'admin@lab.test')).output)?.[0] ?? '';
    expect((await person('erase', 'admin@lab.test', admin)).output).toBe(
      'refused: make somebody else an admin first',
    );
    const wrong: [args: string[], problem: string][] = [
      [[], 'say what to do: export or erase'],
      [['erase'], 'of whom is not said'],
      [['erase', "x' OR 1=1 --"], 'is no email address and no student number'],
      [['show', 'a@b.test'], 'there is no show: export or erase'],
      [['erase', 'a@b.test', '--reason', 'why'], '--reason goes with export alone'],
      [['export', 'a@b.test', '--confirm=x'], '--confirm goes with erase alone'],
    ];
    for (const [args, problem] of wrong) {
      const { status, output } = await person(...args);
      expect(status).toBe(64);
      expect(output).toContain(problem);
      expect(output).toContain('usage: npm run person');
    }
  });
});
