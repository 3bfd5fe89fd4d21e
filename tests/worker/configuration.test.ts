import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { app as ingest } from '../../ingest/src/app.ts';
import { onRequest } from '../../web/functions/api/[[path]].ts';
import worker from '../../worker/src/app.ts';
import { migrateDatabase, ORIGIN } from './support.ts';

let written: string[] = [];
beforeEach(async () => {
  await migrateDatabase();
  written = [];
  vi.spyOn(console, 'error').mockImplementation((line: unknown) => void written.push(String(line)));
});
afterEach(() => vi.restoreAllMocks());

test('OPS-5 the API worker answers nothing under a wrong variable, and its log says which and why', async () => {
  const courses = (COOKIE_SECRETS: string) =>
    worker.fetch(new Request(`${ORIGIN}/api/courses`), { ...env, COOKIE_SECRETS }, createExecutionContext());
  expect((await courses('a-secret-of-thirty-two-characters-or-more')).status).toBe(200);
  expect(written).toEqual([]);
  const answer = await courses('too-short');
  expect(answer.status).toBe(500);
  const body = await answer.text();
  expect(body).not.toContain('COOKIE_SECRETS');
  expect(written).toEqual([
    expect.stringContaining(
      'COOKIE_SECRETS must be secrets of at least 32 characters each, comma-separated: secrets for',
    ),
  ]);
  expect(written.join('')).not.toContain('too-short');
});

test('OPS-5 the ingest worker answers nothing without a binding, and its log says which', async () => {
  const rates = { READINGS_RATE: env.LOGIN_RATE, STRANGERS_RATE: env.LOGIN_RATE };
  const bound = { PLANTS_DB: env.PLANTS_DB, LIVE: env.LIVE, ...rates, LOG_LEVEL: 'error' };
  const health = (bindings: object) =>
    ingest.fetch(new Request('https://ingest.test/health'), bindings, createExecutionContext());
  expect((await health(bound)).status).toBe(200);
  expect((await health({ ...bound, READINGS_RATE: undefined })).status).toBe(500);
  expect(written).toEqual([
    expect.stringContaining('READINGS_RATE is not bound: add a rate limit to wrangler.toml'),
  ]);
});

test("OPS-5 the site's function answers 503 in JSON without the API worker, and its log says why", async () => {
  const answer = await Reflect.apply(onRequest, undefined, [
    { env: {}, request: new Request(`${ORIGIN}/api/courses`) },
  ]);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ error: { code: 'unavailable' } });
  expect(written).toEqual([expect.stringContaining('API is not bound: add a service to wrangler.toml')]);
});
