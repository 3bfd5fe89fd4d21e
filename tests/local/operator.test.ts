import { spawnSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { smokeTest } from '../../scripts/deploy/smoke.ts';
import { credential, login } from '../support/sign-in.ts';
import { startStack, type Stack } from '../support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ DEMO_DATA: 'off', SIMULATOR: 'off' });
});
afterAll(() => stack?.stop());

function command(script: string, args: string[], dataDir = stack.dataDir) {
  const done = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    encoding: 'utf8',
    env: { ...process.env, DATA_DIR: dataDir },
  });
  return { status: done.status, output: (done.stdout + done.stderr).trim() };
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
  expect(grant(['GUEST@lab.test', '1'])).toEqual({
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
  expect(grant(['guest@lab.test', '10']).status).toBe(0);
});

test('AUTH-10 refuses to take the last admin away', () => {
  expect(grant(['admin@lab.test', '5'])).toEqual({
    status: 1,
    output: 'refused: there is always at least one admin',
  });
});

test('says what is wrong with an unknown address, a wrong level or a missing database', () => {
  expect(grant(['stranger@lab.test', '5'])).toEqual({
    status: 1,
    output: 'nobody with the address stranger@lab.test has signed in yet',
  });
  for (const args of [[], ['admin@lab.test'], ['admin@lab.test', '2'], ["x' OR 1=1 --", '1']]) {
    expect(grant(args).output).toContain('usage: npm run grant');
  }
  rmSync('/tmp/cps-lab-nothing-here', { recursive: true, force: true });
  expect(grant(['admin@lab.test', '1'], '/tmp/cps-lab-nothing-here').output).toContain('run npm start once');
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
  const added = bridgeKey('add', 'balcony', '--plants', 'fern,이끼');
  expect(added.status, added.output).toBe(0);
  expect(added.output).toMatch(
    /^key \d+ of balcony, for fern, 이끼, made .*, works\nBRIDGE_ID=balcony\nBRIDGE_KEY=/,
  );
  const key = keyIn(added.output);
  expect(key.length).toBeGreaterThanOrEqual(43);
  expect(await send('balcony', key, 'fern')).toBe(200);
  expect(await send('balcony', key, '이끼')).toBe(200);
  expect(await send('balcony', key, 'ivy')).toBe(403);

  const next = keyIn(bridgeKey('add', 'balcony').output);
  expect(await send('balcony', next, 'ivy')).toBe(200);
  expect(await send('balcony', key, 'fern')).toBe(200);

  const [, first = ''] = /^key (\d+)/.exec(added.output) ?? [];
  expect(bridgeKey('revoke', 'balcony', first).output).toMatch(/^key \d+ of balcony.*revoked [0-9: -]+$/);
  expect(await send('balcony', key, 'fern')).toBe(401);
  expect(await send('balcony', next, 'ivy')).toBe(200);

  const list = bridgeKey('list').output;
  expect(list.split('\n')).toHaveLength(3);
  expect(list).not.toContain(key);
  expect(list).not.toContain(next);
  expect(bridgeKey('revoke', 'balcony').output.match(/revoked/g)).toHaveLength(2);
  expect(await send('balcony', next, 'ivy')).toBe(401);
});

test('ING-2 says what is wrong with a command about keys', () => {
  for (const args of [
    [],
    ['revoke', "x'--"],
    ['revoke', 'x', '1 OR 1=1'],
    ['list', 'x', '--plants', 'fern'],
  ]) {
    expect(bridgeKey(...args)).toMatchObject({
      status: 1,
      output: expect.stringContaining('usage: npm run bridge-key'),
    });
  }
  expect(bridgeKey('add', 'x', '--plants', 'a/b')).toEqual({
    status: 1,
    output: 'no such plants can be: a/b',
  });
  expect(bridgeKey('revoke', 'nobody')).toEqual({ status: 1, output: 'nobody has no key' });
});
