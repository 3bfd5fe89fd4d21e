import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { app } from '../../ingest/src/app.ts';
import { BRIDGE_ID, bytesOf, freshDatabase, KEY, reading, signature } from './support.ts';

const lineSchema = z.looseObject({
  time: z.iso.datetime(),
  level: z.string(),
  event: z.string(),
  request_id: z.string(),
});

const NAME = '비밀스런솔';
const EMAIL = 'very.private@hanbit.example';
const PHONE = '010-9876-5432';
const NUMBER = '209987654';

beforeEach(freshDatabase);

/** The answer to a signed request, and its log lines. */
async function linesOf(path: string, content: unknown, headers: Record<string, string> = {}) {
  const written: string[] = [];
  const write = (line: unknown) => void written.push(String(line));
  const spies = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')];
  for (const spy of spies) spy.mockImplementation(write);
  const body = bytesOf(content);
  const request = new Request(`https://ingest.test${path}`, {
    method: 'POST',
    body,
    headers: { ...(await signature(path.split('?')[0] ?? '', body)), ...headers },
  });
  const answer = await app.fetch(request, { ...env, LOG_LEVEL: 'debug' }, createExecutionContext());
  for (const spy of spies) spy.mockRestore();
  const lines = written.map((line) => lineSchema.parse(JSON.parse(line)));
  const id = answer.headers.get('x-request-id');
  expect(lines.map(({ request_id }) => request_id)).toEqual(lines.map(() => id));
  expect(lines.at(-1)).toMatchObject({ event: 'request', status: answer.status });
  return { status: answer.status, id, text: written.join('\n') };
}

test('OPS-4 the ingest worker logs each request under its id, and nobody whatever is sent', async () => {
  const requests: [path: string, content: unknown, headers?: Record<string, string>][] = [
    ['/readings', { readings: [reading()] }],
    ['/readings', { readings: [reading({ plant: NAME }), reading({ datetime: PHONE, seq: EMAIL })] }],
    ['/readings', `{"readings":"${NAME}`],
    ['/readings', { readings: [reading()] }, { 'x-bridge-signature': NUMBER.padEnd(64, '0') }],
    ['/readings', { readings: [reading()] }, { 'x-bridge-id': EMAIL, 'user-agent': EMAIL, cookie: NUMBER }],
    [`/heartbeat?who=${EMAIL}`, { broker_connected: true, valid_for_ms: 5000, boards: [{ plant: NAME }] }],
    ['/heartbeat', { broker_connected: true, valid_for_ms: 5000 }],
    [`/${NUMBER}/${EMAIL}`, PHONE],
  ];
  const answers = [];
  for (const request of requests) answers.push(await linesOf(...request));
  await env.PLANTS_DB.prepare('ALTER TABLE plant_readings RENAME TO gone').run();
  answers.push(await linesOf('/readings', { readings: [reading({ plant: NAME })] }));
  await env.PLANTS_DB.prepare('ALTER TABLE gone RENAME TO plant_readings').run();
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 401, 401, 400, 200, 404, 500]);
  const text = answers.map((answer) => answer.text).join('\n');
  for (const secret of [NAME, EMAIL, PHONE, NUMBER, KEY, BRIDGE_ID]) expect(text).not.toContain(secret);
});

test('OPS-4 the id that a bridge gave its request is the one that the worker logs', async () => {
  const headers = { 'x-request-id': '3f2a9c1e-7b4d' };
  expect(await linesOf('/readings', {}, headers)).toMatchObject({
    status: 400,
    id: expect.stringMatching(/^[0-9a-f]{8}\.3f2a9c1e-7b4d$/),
  });
});
