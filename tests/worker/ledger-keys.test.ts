import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { DELETED_ENTRY_FIELD, type LedgerEntry } from '../../contract/ledger.ts';
import { call } from './client.ts';
import { api, sessionOf } from './support.ts';
import { emptyAccount, form, list, logged, post } from './account.ts';

emptyAccount();

describe('an entry with a key', () => {
  test('ACC-5 is stored once, however often it is sent', async () => {
    const before = await logged();
    const answers = [await post(form, 'a'), await post(form, 'a'), await post(form, 'a')];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const [first, ...others] = await Promise.all(answers.map((answer) => answer.json()));
    expect(others).toEqual([first, first]);
    expect(await list()).toEqual([first]);
    expect(await logged()).toHaveLength(before.length + 1);
  });

  test('ACC-5 is stored once when it is sent ten times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(form, 'same')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const ids = await Promise.all(answers.map(async (answer) => (await answer.json<LedgerEntry>()).id));
    expect(new Set(ids).size).toBe(1);
    expect(await list()).toHaveLength(1);
  });

  test('ACC-5 is the same however its body is written', async () => {
    const entry = await (await post(form, 'b')).json();
    const { amount, datetime, description } = form;
    const other = await post(JSON.stringify({ description, datetime, amount }, null, 2), 'b');
    expect(await other.json()).toEqual(entry);
    expect(await list()).toHaveLength(1);
  });

  test.each([{ amount: -12_001 }, { datetime: '2026-03-03T13:00:00' }, { description: '복사용지' }])(
    'ACC-5 is 409 when the key came with another body: %j',
    async (other) => {
      await post(form, 'c');
      expect((await post({ ...form, ...other }, 'c')).status).toBe(409);
      expect(await list()).toMatchObject([form]);
    },
  );

  test('ACC-16 stays deleted when a retry comes late, which is told so', async () => {
    const { id } = await (await post(form, 'd')).json<LedgerEntry>();
    await call(`/account/${id}`, 'DELETE');
    const before = await logged();
    const late = await post(form, 'd');
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({
      error: { message: '이미 추가되었다가 삭제된 내역입니다', field: DELETED_ENTRY_FIELD },
    });
    expect(await list()).toEqual([]);
    expect(await logged()).toEqual(before);
  });

  test('ACC-5 is known by a hash that stays what it was, whatever an entry can say besides', async () => {
    const entry = { amount: -12_000, datetime: '2026-03-02T13:00:00', description: '회식' };
    await post(entry, 'hash');
    // SHA-256 of `[-12000,"2026-03-02T13:00:00","회식"]`, as the first version stored it.
    const hash = await env.DB.prepare("SELECT body_hash FROM ledger_keys WHERE key = 'hash'").first(
      'body_hash',
    );
    expect(hash).toBe('5450311b0e2f63a3fff2bac3aac5135263f982a09a81f43bde7a0d8648285eb7');
  });

  test('ACC-5 is each user’s own', async () => {
    await post(form, 'e');
    const cookie = await sessionOf('other@lab.test', 3);
    const other = await api('/account', {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', 'idempotency-key': 'e' },
      body: JSON.stringify({ ...form, amount: 7 }),
    });
    expect(other.status).toBe(201);
    expect(await list()).toHaveLength(2);
  });

  test.each([
    ['x', 201],
    ['x'.repeat(128), 201],
    ['x'.repeat(129), 400],
    ['a b', 400],
    ['', 400],
    ['\u00e9', 400],
  ])('ACC-5 takes a key of visible ASCII, up to 128: %j is %i', async (key, status) => {
    expect((await post(form, key)).status).toBe(status);
    expect(await list()).toHaveLength(status === 201 ? 1 : 0);
  });
});
