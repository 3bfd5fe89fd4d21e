import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { fewOrMany } from '../support/counts.ts';
import { callerOf, send, type Caller } from './route-table.ts';
import { count, credential, login, migrateDatabase } from './support.ts';

/** Of each kind. */
const RACES = fewOrMany(5, 100);
/** The address that ADMIN_EMAILS names in these tests. */
const LISTED = 'admin@lab.test';

beforeAll(migrateDatabase);

const admins = async () =>
  (await env.DB.prepare('SELECT count(*) AS n FROM users WHERE secure_level = 1').first<number>('n')) ?? 0;

const firstRows = async () => {
  const rows = env.DB.prepare("SELECT * FROM access_log WHERE action = 'create' AND subject = 'user'");
  return (await rows.all()).results;
};

describe('the first admin', () => {
  test('AUTH-10 SEC-14 twenty first sign-ins at once are one user, and an admin', async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => credential(LISTED)));
    const answers = await Promise.all(tokens.map((token) => login(token)));
    const users = await Promise.all(
      answers.map((answer) => answer.json<{ id: number; secureLevel: number }>()),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(users.map(({ id }) => id)).size).toBe(1);
    expect(new Set(users.map(({ secureLevel }) => secureLevel))).toEqual(new Set([1]));
    expect(await count('users')).toBe(1);
    expect(await count('sessions')).toBe(20);
  });

  test('SEC-82 has a row in the log, with the address, and nobody who signs in as before', async () => {
    const [admin] = await firstRows();
    expect(admin).toMatchObject({
      action: 'create',
      subject: 'user',
      detail: '{"secure_level":[null,1]}',
      address: expect.stringMatching(/^[0-9a-f-]{36}$/),
      request_id: expect.any(String),
    });
    const { actor_id, subject_id } = admin ?? {};
    expect(subject_id).toBe(String(actor_id));
    await login(await credential(LISTED));
    await login(await credential('newcomer@lab.test'));
    await login(await credential(LISTED, { sub: 'another of the same address' }));
    expect(await firstRows()).toHaveLength(1);
  });

  test.each([
    'admin@lab.test.evil.test',
    'xadmin@lab.test',
    'admin+x@lab.test',
    'admin@lab.tes',
    'admin@sub.lab.test',
    'aḋmin@lab.test',
    'admin@lab.test,',
    '',
  ])('SEC-14 the address "%s" is not the listed one', async (email) => {
    const answer = await login(await credential('stranger@lab.test', { email, sub: `stranger ${email}` }));
    expect(await answer.json()).toMatchObject({ secureLevel: 10 });
  });

  test('SEC-14 nobody who later takes over the listed address becomes an admin by changing theirs', async () => {
    const before = await login(await credential('changes@lab.test'));
    expect(await before.json()).toMatchObject({ secureLevel: 10 });
    const after = await login(await credential('changes@lab.test', { email: LISTED }));
    expect(await after.json()).toMatchObject({ email: LISTED, secureLevel: 10 });
  });
});

type Deed = (by: Caller, to: Caller) => Promise<Response>;

const demote: Deed = ({ cookie }, { id }) =>
  send({
    method: 'PUT',
    path: `/users/${id}`,
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ secureLevel: 5 }),
  });
const remove: Deed = ({ cookie }, { id }) =>
  send({ method: 'DELETE', path: `/users/${id}`, headers: { cookie } });

/** So many new admins, and no other. */
async function onlyAdmins(howMany: number): Promise<Caller[]> {
  const callers = await Promise.all(Array.from({ length: howMany }, () => callerOf(1)));
  const ids = callers.map(({ id }) => id).join();
  await env.DB.prepare(`UPDATE users SET secure_level = 10 WHERE id NOT IN (${ids})`).run();
  return callers;
}

const changesInLog = async () =>
  (await env.DB.prepare("SELECT count(*) AS n FROM access_log WHERE action <> 'read'").first<number>('n')) ??
  0;

describe('the last admin', () => {
  test.each([
    ['demoted', demote],
    ['deleted', remove],
  ])('AUTH-10 SEC-15 cannot be %s, by themselves alone', async (_, deed) => {
    const [last] = await onlyAdmins(1);
    if (!last) throw new Error('no admin');
    const logged = await changesInLog();
    const answer = await deed(last, last);
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ error: { code: 'conflict' } });
    expect(await admins()).toBe(1);
    expect(await changesInLog()).toBe(logged);
  });

  const races: [string, Deed, Deed, boolean][] = [
    ['demote each other', demote, demote, true],
    ['delete each other', remove, remove, true],
    ['demote and delete each other', demote, remove, true],
    ['demote themselves', demote, demote, false],
    ['delete themselves', remove, remove, false],
    ['demote and delete themselves', demote, remove, false],
  ];

  test.each(races)(
    `AUTH-10 SEC-15 one is left whenever two %s at once, ${RACES} times`,
    { timeout: 120_000 },
    async (_, first, second, eachOther) => {
      for (let race = 0; race < RACES; race++) {
        const [one, other] = await onlyAdmins(2);
        if (!one || !other) throw new Error('no admins');
        const logged = await changesInLog();
        const answers = await Promise.all(
          eachOther ? [first(one, other), second(other, one)] : [first(one, one), second(other, other)],
        );
        const [winner, loser] = answers.map(({ status }) => status).toSorted((a, b) => a - b);
        expect(winner).toBe(200);
        // Who was demoted or deleted before the guard looked is refused there.
        expect(eachOther ? [401, 403, 409] : [409]).toContain(loser);
        expect(await admins()).toBe(1);
        expect(await changesInLog()).toBe(logged + 1);
      }
    },
  );

  test('AUTH-10 SEC-15 one is left when five demote and delete all the others and themselves at once', async () => {
    for (let race = 0; race < RACES / 5; race++) {
      const five = await onlyAdmins(5);
      const deeds = five.flatMap((by) => five.map((to, n) => (n % 2 === 0 ? demote : remove)(by, to)));
      const statuses = (await Promise.all(deeds)).map(({ status }) => status);
      expect(await admins()).toBeGreaterThanOrEqual(1);
      expect(statuses.filter((status) => ![200, 401, 403, 404, 409].includes(status))).toEqual([]);
    }
  });

  test.each(['DELETE FROM users', 'UPDATE users SET secure_level = 10', 'UPDATE users SET secure_level = 3'])(
    'AUTH-10 SEC-15 the database itself refuses: %s',
    async (statement) => {
      await onlyAdmins(2);
      await expect(env.DB.prepare(statement).run()).rejects.toThrow('the last admin stays');
      expect(await admins()).toBe(2);
    },
  );
});
