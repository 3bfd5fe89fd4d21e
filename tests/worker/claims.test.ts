import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AccessLogEntry } from '#contract/access-log';
import type { User } from '#contract/users';
import { propertyRuns } from '../support/counts.ts';
import { asAdmin, call } from './client.ts';
import { post, row, undo } from './roster.ts';
import { api, credential, login, migrateDatabase, NAME, sessionCookie } from './support.ts';

beforeAll(migrateDatabase);
asAdmin();
beforeEach(async () => {
  await env.DB.batch(
    [
      'DELETE FROM students',
      'DELETE FROM imports',
      'UPDATE users SET univ_id = NULL, univ_id_verified_at = NULL',
      'DELETE FROM number_claims',
    ].map((statement) => env.DB.prepare(statement)),
  );
});

const find = async (email: string) =>
  (await (await call('/users')).json<User[]>()).find((user) => user.email === email);
const isVerified = async (email: string) => (await find(email))?.univ_id_verified;
const rosterOf = (id: string, email: string) => row(0, { id, email });

/** Signs somebody in and lets them claim a number. */
async function claim(email: string, univId: string, claims: Record<string, unknown> = {}) {
  const answer = await login(await credential(email, claims));
  const { id } = await answer.json<{ id: number }>();
  const headers = { cookie: sessionCookie(answer) ?? '', 'content-type': 'application/json' };
  const body = JSON.stringify({ name: NAME, email, univId });
  return { id, status: (await api(`/login/${id}`, { method: 'PUT', headers, body })).status };
}

const verifications = async (): Promise<AccessLogEntry[]> =>
  (await (await call('/access_log?action=change')).json<AccessLogEntry[]>()).filter(
    ({ detail }) => 'univ_id_verified' in detail,
  );

test('AUTH-9 a claim from before the roster is verified by the import that brings the number under its email', async () => {
  const { id } = await claim('Early@univ.test', '202311111');
  await claim('other@univ.test', '202322222');
  expect(await isVerified('Early@univ.test')).toBe(false);
  await post([rosterOf('202311111', 'early@UNIV.test'), rosterOf('202322222', 'somebody@univ.test')]);
  expect(await isVerified('Early@univ.test')).toBe(true);
  expect(await isVerified('other@univ.test')).toBe(false);
  expect((await verifications())[0]).toMatchObject({
    actor: { email: 'admin@lab.test' },
    subject: 'user',
    person: { id },
    detail: { univ_id_verified: [0, 1] },
  });
});

test('AUTH-9 a later import that corrects the email verifies too, and one that is the same again', async () => {
  await post([rosterOf('202311112', 'typo@univ.test')]);
  await claim('right@univ.test', '202311112');
  await post([rosterOf('202311112', 'right@univ.test')]);
  expect(await isVerified('right@univ.test')).toBe(true);

  await env.DB.prepare('UPDATE users SET univ_id_verified_at = NULL').run();
  await post([rosterOf('202311112', 'right@univ.test')]);
  expect(await isVerified('right@univ.test')).toBe(true);
});

test('AUTH-9 an import that takes the email away leaves verified who is verified, by an admin or by the roster', async () => {
  const { id } = await claim('confirmed@univ.test', '202311113');
  await call(`/users/${id}/univ_id`, 'PUT', { univ_id: '202311113' });
  await claim('proven@univ.test', '202311114');
  await post([rosterOf('202311113', 'x@univ.test'), rosterOf('202311114', 'proven@univ.test')]);
  await post([rosterOf('202311113', 'y@univ.test'), rosterOf('202311114', 'y@univ.test')]);
  expect(await isVerified('confirmed@univ.test')).toBe(true);
  expect(await isVerified('proven@univ.test')).toBe(true);
});

test('AUTH-9 STU-6 an undo takes back what its import verified, not what an admin confirmed since', async () => {
  const { id } = await claim('first@univ.test', '202311115');
  await claim('second@univ.test', '202311116');
  await post([rosterOf('202311115', 'first@univ.test'), rosterOf('202311116', 'second@univ.test')]);
  await env.DB.prepare('UPDATE users SET univ_id_verified_at = univ_id_verified_at + 1 WHERE id = ?')
    .bind(id)
    .run();
  expect((await undo()).status).toBe(200);
  expect(await isVerified('first@univ.test')).toBe(true);
  expect(await isVerified('second@univ.test')).toBe(false);
  expect((await verifications())[0]).toMatchObject({ detail: { univ_id_verified: [1, 0] } });
});

test('AUTH-9 who could not claim a taken number displaces the claim when an import has brought the roster', async () => {
  await claim('squatter@univ.test', '202311117');
  expect((await claim('owner@univ.test', '202311117')).status).toBe(409);
  await post([rosterOf('202311117', 'owner@univ.test')]);
  expect((await claim('owner@univ.test', '202311117')).status).toBe(200);
  expect(await find('squatter@univ.test')).toMatchObject({ univ_id: null });
  expect(await isVerified('owner@univ.test')).toBe(true);
});

test('AUTH-9 a claim is verified at the sign-in that brings the email which the roster has', async () => {
  await post([rosterOf('202311118', 'new@univ.test')]);
  await claim('old@univ.test', '202311118', { sub: 'moves' });
  expect(await isVerified('old@univ.test')).toBe(false);
  await login(await credential('new@univ.test', { sub: 'moves' }));
  expect(await isVerified('new@univ.test')).toBe(true);
});

describe('who tries numbers out', () => {
  /** Somebody new, who may claim one number after another. */
  async function prober() {
    const email = `${crypto.randomUUID()}@univ.test`;
    const answer = await login(await credential(email));
    const { id } = await answer.json<{ id: number }>();
    const headers = { cookie: sessionCookie(answer) ?? '', 'content-type': 'application/json' };
    const claims = async (univId: number | string) => {
      const body = JSON.stringify({ name: NAME, email, univId: String(univId) });
      const { status, headers: sent } = await api(`/login/${id}`, { method: 'PUT', headers, body });
      return { status, retryAfter: Number(sent.get('retry-after')) };
    };
    return { id, claims };
  }

  test('SEC-54 may do so ten times in an hour, and learns nothing by the eleventh', async () => {
    await claim('holder@univ.test', '20230000');
    const { id, claims } = await prober();
    // Taken and free ones count alike.
    for (let n = 0; n < 9; n++) expect((await claims(20230001 + n)).status).toBe(200);
    expect((await claims(20230000)).status).toBe(409);
    const before = await env.DB.prepare('SELECT univ_id FROM users WHERE id = ?').bind(id).first();
    for (const number of [20230000, 20239999]) {
      const { status, retryAfter } = await claims(number);
      expect(status).toBe(429);
      expect(retryAfter).toBeGreaterThan(3500);
      expect(retryAfter).toBeLessThanOrEqual(3600);
    }
    expect(await env.DB.prepare('SELECT univ_id FROM users WHERE id = ?').bind(id).first()).toEqual(before);
    // One's own number again is no claim, and others are not held up.
    expect((await claims(20230009)).status).toBe(200);
    expect((await (await prober()).claims(20230010)).status).toBe(200);
    await env.DB.prepare('UPDATE number_claims SET at = at - 3600000').run();
    expect((await claims(20239999)).status).toBe(200);
  });

  test('SEC-54 gets no further with many requests at once', async () => {
    const { claims } = await prober();
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => claims(20230100 + n)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  test('SEC-54 is not told who holds a number, nor whether the roster knows it', async () => {
    await post([rosterOf('202330001', 'owner@univ.test'), rosterOf('202330002', 'absent@univ.test')]);
    await claim('owner@univ.test', '202330001');
    await claim('squatter@univ.test', '202330003');
    const { id } = await claim('confirmed@univ.test', '202330004');
    await call(`/users/${id}/univ_id`, 'PUT', { univ_id: '202330004' });
    const { claims } = await prober();
    const taken = await Promise.all(['202330001', '202330003', '202330004'].map(claims));
    expect(taken.map(({ status }) => status)).toEqual([409, 409, 409]);
    const free = [await claims('202330002'), await claims('202330005')];
    expect(free.map(({ status }) => status)).toEqual([200, 200]);
  });
});

test('AUTH-9 in whatever order claims and rosters come, a claim is verified when the roster has its email', async () => {
  const numbers = ['202300001', '202300002'] as const;
  const emails = ['a@univ.test', 'b@univ.test', ''] as const;
  const step = fc.oneof(
    fc.record({ claims: fc.constantFrom('a@univ.test', 'b@univ.test'), number: fc.constantFrom(...numbers) }),
    fc.record({
      roster: fc.uniqueArray(
        fc.record({ id: fc.constantFrom(...numbers), email: fc.constantFrom(...emails) }),
        {
          minLength: 1,
          selector: ({ id }) => id,
        },
      ),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
      await env.DB.batch([
        env.DB.prepare('DELETE FROM students'),
        env.DB.prepare('UPDATE users SET univ_id = NULL, univ_id_verified_at = NULL'),
        env.DB.prepare('DELETE FROM number_claims'),
      ]);
      for (const taken of steps) {
        if ('claims' in taken) await claim(taken.claims, taken.number);
        else await post(taken.roster.map(({ id, email }) => rosterOf(id, email)));
        const { results } = await env.DB.prepare(
          `SELECT users.email FROM users JOIN students ON students.id = univ_id
           WHERE students.email = users.email AND univ_id_verified_at IS NULL`,
        ).all();
        expect(results).toEqual([]);
      }
    }),
    propertyRuns(8, 100),
  );
}, 600_000);
