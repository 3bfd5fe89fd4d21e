import { createExecutionContext, createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import worker from '../../worker/src/app.ts';
import { someEntryId } from './route-fixtures.ts';
import { jpeg, png } from './sample-images.ts';
import { contents, migrateDatabase, ORIGIN, sessionOf } from './support.ts';
import { beginWithoutPictures, formOf, upload } from './uploads.ts';

beforeAll(migrateDatabase);
beforeEach(beginWithoutPictures);

const filesNow = async () => {
  const { objects } = await env.FILES.list();
  const bytes = objects.map(async ({ key }) => [key, await (await env.FILES.get(key))?.bytes()] as const);
  return Object.fromEntries(await Promise.all(bytes));
};

type Batch = (statements: D1PreparedStatement[]) => Promise<unknown>;

/** A request in which something happens after the file was stored and before its record is. */
async function send(path: string, form: FormData, between: () => Promise<unknown>, batch: Batch) {
  const cookie = await sessionOf(`${crypto.randomUUID()}@lab.test`, 1);
  const put: R2Bucket['put'] = async (...args: Parameters<R2Bucket['put']>) => {
    const object = await env.FILES.put(...args);
    await between();
    return object;
  };
  const replaced = <T extends object>(of: T, name: string, by: unknown) =>
    new Proxy(of, {
      get: (target, key) => {
        const own: unknown = key === name ? by : Reflect.get(target, key);
        return typeof own === 'function' ? own.bind(target) : own;
      },
    });
  const request = new Request(`${ORIGIN}/api${path}`, { method: 'POST', headers: { cookie }, body: form });
  const here = { ...env, FILES: replaced(env.FILES, 'put', put), DB: replaced(env.DB, 'batch', batch) };
  const answer = await worker.fetch(request, here, createExecutionContext());
  await answer.text();
  return answer.status;
}

const demote = () =>
  env.DB.prepare("UPDATE users SET secure_level = 10 WHERE email <> 'boss@lab.test'").run();
const fail = () => Promise.reject(new Error('D1_ERROR: the database is away'));

const losses: [what: string, between: () => Promise<unknown>, batch: Batch, status: number][] = [
  ['its sender is demoted', demote, (all) => env.DB.batch(all), 403],
  ['the database fails', () => Promise.resolve(), fail, 500],
];

describe.each(losses)('SEC-95 when %s between the file and its record', (_, between, batch, status) => {
  beforeEach(async () => {
    await sessionOf('boss@lab.test', 1);
    vi.spyOn(console, 'error').mockReturnValue();
  });

  const cases: [what: string, path: () => Promise<string>, form: () => FormData][] = [
    ['a picture', () => Promise.resolve('/upload'), () => formOf([['20211111.jpg', jpeg]])],
    [
      'a receipt',
      async () => `/account/${await someEntryId()}/receipts`,
      () => formOf([['영수증.png', png]], 'receipt'),
    ],
  ];

  test.each(cases)(
    '%s changes nothing that was stored, and what it left goes at night',
    async (_what, path, form) => {
      await upload(['20211111.png', png]);
      const [files, to] = [await filesNow(), await path()];
      const { pictures, receipts } = await contents();
      expect(await send(to, form(), between, batch)).toBe(status);
      expect(await contents()).toMatchObject({ pictures, receipts });
      expect(await filesNow()).toMatchObject(files);
      vi.useFakeTimers({ now: Date.now() + 2 * 3_600_000, toFake: ['Date'] });
      await worker.scheduled(createScheduledController(), env);
      vi.useRealTimers();
      expect(await filesNow()).toEqual(files);
    },
  );
});
