import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { credential, login } from '../support/sign-in.ts';
import { startStack, type Stack } from '../support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ DEMO_DATA: 'off', SIMULATOR: 'off' });
});
afterAll(() => stack?.stop());

function grant(args: string[], dataDir = stack.dataDir) {
  const done = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'scripts/grant.ts', ...args],
    {
      encoding: 'utf8',
      env: { ...process.env, DATA_DIR: dataDir },
    },
  );
  return { status: done.status, output: (done.stdout + done.stderr).trim() };
}

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
