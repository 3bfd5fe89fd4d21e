import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import worker from '../../worker/src/app.ts';
import { api, contents, count, credential, login, migrateDatabase, sessionCookie } from './support.ts';

beforeAll(migrateDatabase);

/** What came of a token: a refusal signs nobody in, sets no cookie and stores nothing. */
async function outcomeOf(token: string, headers: Record<string, string> = {}) {
  const before = JSON.stringify(await contents());
  const answer = await login(token, headers);
  const isStored = JSON.stringify(await contents()) !== before;
  return { status: answer.status, cookies: answer.headers.getSetCookie(), isStored };
}
const refused = { status: 401, cookies: [], isStored: false };

const run = (sql: string, ...values: (string | number)[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

describe('an ID token', () => {
  test('SEC-51 opens one session, also to a browser that holds it still', async () => {
    const token = await credential('once@lab.test');
    const cookie = sessionCookie(await login(token)) ?? '';
    expect(await outcomeOf(token)).toEqual(refused);
    expect(await outcomeOf(token, { cookie })).toEqual(refused);
  });

  test('SEC-51 is not another one when its signature is spelled otherwise', async () => {
    const token = await credential('spelled@lab.test');
    expect((await login(token)).status).toBe(200);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet.indexOf(token.at(-1) ?? '');
    // The last character of 256 bytes carries four bits that no byte has.
    for (let spare = 0; spare < 16; spare++) {
      expect(await outcomeOf(token.slice(0, -1) + alphabet[(last & ~15) | spare])).toEqual(refused);
    }
  });

  test('SEC-51 opens no second session after logout', async () => {
    const token = await credential('leaves@lab.test');
    const cookie = sessionCookie(await login(token)) ?? '';
    await api('/logout', { method: 'POST', headers: { cookie } });
    expect(await outcomeOf(token, { cookie })).toEqual(refused);
  });

  test('SEC-51 does not bring a deleted user back', async () => {
    const token = await credential('deleted@lab.test');
    await login(token);
    await run("DELETE FROM users WHERE email = 'deleted@lab.test'");
    expect(await outcomeOf(token)).toEqual(refused);
    // Whoever signs in anew may.
    expect((await login(await credential('deleted@lab.test'))).status).toBe(200);
  });

  test('SEC-51 of twenty uses at once opens one session', async () => {
    const token = await credential('at-once@lab.test');
    const before = await count('sessions');
    const answers = await Promise.all(Array.from({ length: 20 }, () => login(token)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 19 }, () => 401)]);
    expect(await count('sessions')).toBe(before + 1);
  });

  test('SEC-51 is used up by its session alone: where that cannot be stored, it is good for another try', async () => {
    await run(
      "CREATE TRIGGER no_session BEFORE INSERT ON sessions BEGIN SELECT RAISE(ABORT, 'no room'); END",
    );
    const token = await credential('unlucky@lab.test');
    const before = await contents();
    try {
      expect((await login(token)).status).toBe(500);
      expect(await contents()).toEqual(before);
    } finally {
      await run('DROP TRIGGER no_session');
    }
    expect((await login(token)).status).toBe(200);
  });

  test('SEC-51 without an email is used up by nothing', async () => {
    const token = await credential('x@lab.test', { email: null, email_verified: null });
    const before = await contents();
    expect(await (await login(token)).json()).toEqual({ email: null });
    expect(await contents()).toEqual(before);
  });

  test('SEC-51 is remembered until it has expired, and no longer', async () => {
    await run('DELETE FROM used_tokens');
    const exp = Math.floor(Date.now() / 1000) + 1000;
    await login(await credential('remembered@lab.test', { exp }));
    await run('INSERT INTO used_tokens VALUES (hex(zeroblob(32)), ?)', Date.now() - 1);
    await worker.scheduled(createScheduledController({ cron: '17 18 * * *' }), env);
    const { results } = await env.DB.prepare('SELECT expires_at FROM used_tokens').all();
    expect(results).toEqual([{ expires_at: (exp + 30) * 1000 }]);
  });
});

describe('the nonce of the login page', () => {
  /** Asks as the login page does. */
  async function ask(cookie = '') {
    const answer = await api('/login/nonce', { method: 'POST', headers: { cookie } });
    const { nonce } = await answer.json<{ nonce: string }>();
    return { nonce, set: answer.headers.getSetCookie() };
  }

  async function page() {
    const { nonce, set } = await ask();
    return { nonce, cookie: set[0]?.split(';')[0] ?? '' };
  }

  test('SEC-51 is the hash of what a cookie holds that is sent to this site alone, never to its scripts', async () => {
    const { nonce, set } = await ask();
    expect(nonce).toMatch(/^page-[0-9a-f]{64}$/);
    expect(set).toEqual([
      expect.stringMatching(/^__Host-sign-in-page=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    expect(set.join()).not.toContain(nonce);
    expect((await page()).nonce).not.toBe(nonce);
  });

  test('SEC-51 is one for all tabs of a browser, until it logs out', async () => {
    const { nonce, cookie } = await page();
    expect(await ask(cookie)).toEqual({ nonce, set: [] });
    const answer = await login(await credential('tabs@lab.test', { nonce }), { cookie });
    expect(answer.status).toBe(200);
    expect((await login(await credential('tabs@lab.test', { nonce }), { cookie })).status).toBe(200);
    const left = await api('/logout', { method: 'POST', headers: { cookie } });
    expect(left.headers.getSetCookie().join('\n')).toMatch(/^__Host-sign-in-page=; Max-Age=0;/m);
  });

  test('SEC-51 keeps the token from every other browser, and from whoever has read it', async () => {
    const { nonce } = await page();
    const other = await page();
    for (const cookie of [
      '',
      other.cookie,
      `__Host-sign-in-page=${nonce}`,
      '__Host-sign-in-page=',
      '__Host-sign-in-page="x"',
    ])
      expect(await outcomeOf(await credential('read@lab.test', { nonce }), { cookie })).toEqual(refused);
  });

  test('SEC-67 is no good out of the cookie in which a program keeps its own', async () => {
    const { nonce } = await page();
    const other = await page();
    const stolen = await credential('read@lab.test', { nonce });
    for (const cookie of [
      `nonce=${nonce}`,
      `nonce="${nonce}"`,
      `nonce=${encodeURIComponent(nonce).replace('-', '%2D')}`,
      `nonce=${nonce}; __Host-sign-in-page=`,
      `nonce=${nonce}; ${other.cookie}`,
    ])
      expect(await outcomeOf(stolen, { cookie })).toEqual(refused);
    expect(await outcomeOf(await credential('bare@lab.test'), { cookie: `nonce=${nonce}` })).toEqual(refused);
  });

  test('SEC-51 counts alone, whatever a sibling site has planted beside it', async () => {
    const { nonce, cookie } = await page();
    const planted = { cookie: `nonce=planted; ${cookie}` };
    expect(await outcomeOf(await credential('bare@lab.test'), planted)).toEqual(refused);
    expect(await outcomeOf(await credential('bare@lab.test', { nonce: 'planted' }), planted)).toEqual(
      refused,
    );
    const answer = await login(await credential('bare@lab.test', { nonce }), {
      cookie: `nonce=page-planted; ${cookie}`,
    });
    expect(answer.status).toBe(200);
  });

  test('SEC-51 is not asked of a token that names none, as a program brings it, nor where the page was opened before', async () => {
    expect((await login(await credential('program@lab.test'))).status).toBe(200);
    const { cookie } = await page();
    expect((await login(await credential('program@lab.test'), { cookie })).status).toBe(200);
  });
});
