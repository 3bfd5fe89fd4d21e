import { ACCOUNT_MANAGER } from '#contract/access-levels';
import type { AccessLogEntry } from '#contract/access-log';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { call, signInAdmin } from './client.ts';
import { course, post, row } from './roster.ts';
import { png } from './sample-images.ts';
import { api, contents, credential, login, migrateDatabase, sessionCookie, sessionOf } from './support.ts';
import { formOf } from './uploads.ts';

beforeAll(async () => {
  await migrateDatabase();
  await signInAdmin('admin@lab.test');
});

const newest = async () => (await (await call('/access_log')).json<AccessLogEntry[]>())[0];
const entry = { amount: 50_000, datetime: '2026-03-02T13:00:00' };

describe('reading the account', () => {
  test('SEC-58 leaves a row: who, how many entries, also when nothing has changed since', async () => {
    const cookie = await sessionOf('keeper@lab.test', ACCOUNT_MANAGER);
    const { id } = await (
      await call('/account', 'POST', { ...entry, description: '' })
    ).json<{ id: number }>();
    for (let time = 0; time < 2; time++) {
      await api('/account', { headers: { cookie, 'cf-connecting-ip': '192.0.2.9' } });
      expect(await newest()).toMatchObject({
        actor: { email: 'keeper@lab.test' },
        address: '192.0.2.9',
        action: 'read',
        subject: 'ledger_entry',
        person: null,
        detail: { count: 1 },
      });
    }
    await call(`/account/${id}`, 'DELETE');
    await call('/account');
    expect(await newest()).toMatchObject({ action: 'read', subject: 'ledger_entry', detail: { count: 0 } });
  });

  test('SEC-58 and its receipts leaves one too, and nobody who may not read leaves one', async () => {
    const { id } = await (
      await call('/account', 'POST', { ...entry, description: '' })
    ).json<{ id: number }>();
    await call(`/account/${id}/receipts`, 'POST', formOf([['영수증.png', png]], 'receipt'));
    await call('/account/receipts');
    const read = { action: 'read', subject: 'receipt', person: null, detail: { count: 1 } };
    expect(await newest()).toMatchObject(read);
    const before = await contents();
    const cookie = await sessionOf('member@lab.test', 5);
    for (const path of ['/account', '/account/receipts'])
      expect((await api(path, { headers: { cookie } })).status).toBe(403);
    expect((await contents())['access_log']).toEqual(before['access_log']);
  });
});

/** One person, in every place where somebody can write or look for a name. */
const ghost = { name: '유 령이', email: 'ghost@univ.test', number: '202399999', tel: '010-7777-6666' };

async function leaveTraces(): Promise<{ user: number; own: string }> {
  const { name, email, number, tel } = ghost;
  const signedIn = await login(await credential(email, { name }));
  const { id: user } = await signedIn.json<{ id: number }>();
  const own = sessionCookie(signedIn) ?? '';
  const claim = JSON.stringify({ name, email, univId: number });
  await api(`/login/${user}`, {
    method: 'PUT',
    headers: { cookie: own, 'content-type': 'application/json' },
    body: claim,
  });
  await post([row(0, { id: number, name, email, tel })]);
  await call('/students');
  const words = encodeURIComponent(name);
  for (const text of [words, encodeURIComponent(email), number, tel, words.slice(0, 9)])
    expect((await call(`/access_log?person=${text}`)).status).toBe(200);
  await call(`/students?year=2026&semester=1&subject=${words}`);
  await call(`/students/${number}`, 'PUT', { name, department: name, tel, email });
  await call(`/students/${number}`, 'POST', { name, department: name, tel, email });
  await call(`/students/pictures/${number}?name=${words}`);
  await call('/students/preview', 'POST', { ...course, subject: name, data: [row(1)] });
  await call('/upload', 'POST', formOf([[`${name}_${number}.png`, png]]));
  const reasons = [`${name} 열람 요청`, `유령이(${number})의 요청`, `${email}, ${tel}`, `유  령이님께`];
  for (const reason of reasons) {
    expect((await call(`/students/${number}/export`, 'POST', { reason })).status).toBe(200);
    const list = { reason, count: 1, search: true, course: { ...course, subject: name }, filter: name };
    expect((await call('/students/exports', 'POST', list)).status).toBe(200);
    expect((await call('/account/dues/2026/1/exports', 'POST', { reason })).status).toBe(200);
  }
  const paid = await call('/account', 'POST', { ...entry, description: `${name} 회비` });
  const { id: paidBy } = await paid.json<{ id: number }>();
  const receipt = await call(
    `/account/${paidBy}/receipts`,
    'POST',
    formOf([[`${name}.png`, png]], 'receipt'),
  );
  const { id: file } = await receipt.json<{ id: string }>();
  await call(`/account/receipts/${file}`);
  await call('/account/dues/2026/1', 'POST', { names: [name] });
  await call(`/users/${user}`, 'PUT', { secureLevel: 5 });
  await call(`/users/${user}/univ_id`, 'PUT', { univ_id: number });
  await call('/account/dues/2026/1', 'PUT', { user_id: user, entry_id: paidBy });
  await call(`/account/receipts/${file}`, 'DELETE');
  await call(`/account/${paidBy}`, 'DELETE');
  return { user, own };
}

test('SEC-58 after a deletion no search of the log finds the name, nor does whoever reads it whole', async () => {
  const { user } = await leaveTraces();
  const { name, email, number, tel } = ghost;
  expect((await call(`/users/${user}`, 'DELETE')).status).toBe(200);
  expect((await call(`/students/${number}`, 'DELETE')).status).toBe(200);

  const rows = (await contents())['access_log'] ?? [];
  expect(rows.length).toBeGreaterThan(30);
  const text = JSON.stringify(rows);
  for (const word of [name, '유령이', '유  령이', '령이', email, 'ghost', tel])
    expect(text).not.toContain(word);
  for (const word of [name, '유령이', '령', email, 'ghost'])
    expect(await (await call(`/access_log?person=${encodeURIComponent(word)}`)).json()).toEqual([]);
  // Its number is what the law wants: whose data it was.
  const kept: AccessLogEntry[] = await (await call(`/access_log?person=${number}`)).json();
  expect(kept.length).toBeGreaterThan(3);
  expect(new Set(kept.map(({ person }) => person?.name))).toEqual(new Set([null]));
  const reasons = [...text.matchAll(/\\"reason\\":\\"(.*?)\\"/g)].map(([, reason]) => reason);
  expect(new Set(reasons)).toEqual(new Set(['○○○ 열람 요청', '○○○(○○○)의 요청', '○○○, ○○○', '○○○님께']));
});

describe('a list of imports', () => {
  const lists = ['/students/imports', '/account/imports', '/subjects/imports'];
  const subject = {
    id: 'A1',
    name: '가',
    year: 1,
    type: '',
    score: 3,
    prof: '',
    time: '',
    classroom: '',
    etc: '',
  };

  test('SEC-43 says who made them, so it leaves a row, and none when it names nobody', async () => {
    await env.DB.batch(
      ['imports', 'ledger_imports', 'subject_imports'].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
    );
    const before = (await newest())?.id ?? 0;
    for (const path of lists) await call(path);
    // That of the log itself, which was read before.
    expect((await newest())?.id).toBe(before + 1);
    await post([row(0)]);
    await call(
      '/account',
      'POST',
      { ...entry, description: '' },
      { 'idempotency-key': '1', 'import-run': '1' },
    );
    await call('/subjects/cs/2026/fall', 'PUT', [subject]);
    for (const path of lists) {
      await call(path);
      const read = { action: 'read', subject: 'user', person: null, detail: { importers: 1 } };
      expect(await newest(), path).toMatchObject(read);
    }
  });
});
