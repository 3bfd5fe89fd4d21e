import { Hono } from 'hono';
import { expect, test, vi } from 'vitest';
import { onError } from '#http/api-error';
import { databaseFailedRecently } from '#http/broken-database';
import { requestLogger, type RequestEnv } from '#http/request-logger';

test('OPS-4 a database that broke for a route is known until that works again or five minutes have passed, and for no other route', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
    .spyOn(console, 'error')
    .mockImplementation(() => undefined);
  const app = new Hono<RequestEnv>();
  app.onError(onError);
  app.use(requestLogger('GET'));
  app.get('/api/:what', (c) => {
    if (c.req.query('why') === '') return c.json({});
    throw new Error('Failed query', { cause: new Error(c.req.query('why')) });
  });
  const ask = async (why: string) =>
    await app.request(`/api/students?why=${encodeURIComponent(why)}`, {}, {});
  await ask('D1_ERROR: NOT NULL constraint failed: SQLITE_CONSTRAINT');
  expect(databaseFailedRecently(() => true)).toBe(false);
  // As D1 says of a page that is overwritten.
  await ask('internal error; reference = 6ntsuae215n4sjlmiohom4lk');
  expect(databaseFailedRecently((route) => route === '/api/:what')).toBe(true);
  expect(databaseFailedRecently((route) => route !== '/api/:what')).toBe(false);
  await ask('');
  expect(databaseFailedRecently(() => true)).toBe(false);
  await ask('internal error; reference = 6ntsuae215n4sjlmiohom4lk');
  expect(databaseFailedRecently(() => true)).toBe(true);
  vi.setSystemTime(Date.now() + 5 * 60_000);
  expect(databaseFailedRecently(() => true)).toBe(false);
  vi.useRealTimers();
});
