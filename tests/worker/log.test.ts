import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import type { AccessLogEntry } from '#contract/access-log';
import worker from '../../worker/src/app.ts';
import { png } from './sample-images.ts';
import { identities, registered, validCall, type Call } from './route-table.ts';
import { contents, credential, migrateDatabase, ORIGIN, sessionOf, standingBridge } from './support.ts';
import { formOf } from './uploads.ts';

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}|\.[0-9a-f]{8}-[0-9a-f]{4})$/;
const lineSchema = z.looseObject({
  time: z.iso.datetime(),
  level: z.literal(['debug', 'info', 'warn', 'error']),
  event: z.string(),
  request_id: z.string().regex(ID),
});

/** Everything that the console was given since the last look. */
let written: unknown[][] = [];
const methods = ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const;

beforeAll(async () => {
  await migrateDatabase();
  await standingBridge();
});
afterEach(() => vi.restoreAllMocks());

function listen(): void {
  written = [];
  for (const method of methods)
    vi.spyOn(console, method).mockImplementation((...args: unknown[]) => void written.push(args));
}

/** A request to the worker with all of its lines, each of which bears the id that the answer bears. */
async function linesOf(request: Request, bindings: Partial<typeof env> = {}) {
  written = [];
  const context = createExecutionContext();
  const answer = await worker.fetch(request, { ...env, LOG_LEVEL: 'debug', ...bindings }, context);
  const body = new TextDecoder().decode(await answer.arrayBuffer());
  await waitOnExecutionContext(context);
  const lines = written.map(([line]) => lineSchema.parse(JSON.parse(String(line))));
  const id = answer.headers.get('x-request-id');
  expect(id).toMatch(ID);
  expect(lines.map(({ request_id }) => request_id)).toEqual(lines.map(() => id));
  expect(lines.at(-1)).toMatchObject({ event: 'request', method: request.method, status: answer.status });
  return { answer, body, id, lines };
}

function requestOf({ path, query = '', form, headers, ...init }: Call): Request {
  return new Request(`${ORIGIN}/api${path}${query}`, {
    ...init,
    headers: { ...headers, 'user-agent': SEEDED.device },
    redirect: 'manual',
    ...(form && init.body === undefined && { body: form }),
  });
}

/** What belongs to one person, in every place where a person's data can stand. */
const SEEDED = {
  name: '비밀스런솔',
  email: 'very.private@hanbit.example',
  phone: '010-9876-5432',
  number: '209987654',
  words: '비밀스런솔의 회비',
  device: 'Very-Private-Telephone/1.0',
};

/** A database that fails on each statement, telling what it was given, as drivers do. */
const failing: D1Database = new Proxy(env.DB, {
  get: (db, name) => {
    if (name !== 'prepare') return Reflect.get(db, name);
    return (query: string) =>
      new Proxy(db.prepare(query), {
        get: (statement, method) =>
          method === 'bind'
            ? (...values: unknown[]) => db.prepare(`no statement at all: ${query} ${JSON.stringify(values)}`)
            : Reflect.get(statement, method),
      });
  },
});

const asJson = (body: unknown) => ({ 'content-type': 'application/json', body: JSON.stringify(body) });

/** Requests with a person's data in every part of theirs, refused and taken. */
async function personalRequests(cookie: string): Promise<Request[]> {
  const { name, email, phone, number, words } = SEEDED;
  const row = { no: 1, id: number, name, department: words, year: 1, type: '', tel: phone, email };
  const course = { year: 2026, semester: 1, subject: words };
  const to = (method: string, path: string, { body, ...headers }: Record<string, string> = {}) =>
    new Request(`${ORIGIN}/api${path}`, {
      method,
      headers: { cookie, 'user-agent': SEEDED.device, ...headers },
      ...(body !== undefined && { body }),
    });
  const withFile = (path: string, field: string, file: string) =>
    new Request(`${ORIGIN}/api${path}`, {
      method: 'POST',
      headers: { cookie },
      body: formOf([[file, png]], field),
    });
  const token = await credential(email, { name });
  return [
    to('POST', '/login', { authorization: `Bearer ${token}` }),
    to('POST', '/login', { authorization: `Bearer ${token}x` }),
    to('GET', `/login/callback?code=${number}&state=${email}`),
    to('PUT', '/login/1', asJson({ name, email, univId: number })),
    to('POST', '/students/', asJson({ ...course, data: [row] })),
    to('POST', '/students', asJson({ ...course, data: [row, row] })),
    to('POST', '/students', asJson({ ...course, data: [{ ...row, id: name }] })),
    to('POST', '/students', { 'content-type': 'application/json', body: `{"name":"${name}",` }),
    to('POST', '/students', { 'content-type': 'text/plain', body: words }),
    to('GET', `/students?year=2026&semester=1&subject=${encodeURIComponent(words)}`),
    to('GET', `/access_log?person=${encodeURIComponent(name)}`),
    to('GET', `/access_log?person=${encodeURIComponent(email)}&action=${number}`),
    withFile('/upload', 'images', `${name}_${number}.png`),
    withFile('/upload', 'images', `${name}.png`),
    to('GET', `/students/pictures/${number}?name=${encodeURIComponent(name)}`),
    to('POST', `/students/${number}/export`, asJson({ reason: words })),
    to('PUT', `/students/${number}`, asJson({ name, department: words, tel: phone, email })),
    to('POST', `/students/${number}`, asJson({ name, department: words, tel: phone, email })),
    to('DELETE', `/students/${number}`),
    to('POST', '/account', asJson({ amount: 1, datetime: '2026-03-02T13:00:00', description: words })),
    to('POST', '/account', asJson({ amount: 0, datetime: phone, description: words })),
    to('POST', '/account/dues/2026/1', asJson({ names: [name, email] })),
    to('GET', `/${name}`),
    to('GET', `/students/${email}/${phone}`),
    to('DELETE', `/students/${name}`),
  ];
}

test('OPS-4 no name, email, phone or student number is in any line of any route, and each line bears the id of its request', async () => {
  listen();
  const all: string[] = [];
  const keep = () => all.push(...written.flat().map(String));
  for (const route of registered) {
    for (const make of Object.values(identities)) {
      written = [];
      const caller = await make();
      keep();
      const call = await validCall(route, caller);
      await linesOf(requestOf(call));
      keep();
    }
    const admin = await identities['level 1']?.();
    if (!admin) throw new Error('no admin');
    const { lines } = await linesOf(requestOf(await validCall(route, admin)), { DB: failing });
    keep();
    expect(lines.length).toBeGreaterThan(0);
  }
  const cookie = await sessionOf('keeper@lab.test', 1);
  for (const DB of [env.DB, failing])
    for (const request of await personalRequests(cookie)) {
      await linesOf(request, { DB });
      keep();
    }
  expect(all.length).toBeGreaterThan(registered.length * 8);

  const { users, students, sessions, dues, receipts } = await contents();
  const personSchema = z.looseObject({
    sub: z.string().optional(),
    name: z.string().optional(),
    email: z.string().optional(),
    univ_id: z.string().nullish(),
    token_hash: z.string().optional(),
  });
  const stored = z
    .array(personSchema)
    .parse([users, students, sessions, dues, receipts].flat())
    .flatMap(({ sub, name, email, univ_id, token_hash }) => [sub, name, email, univ_id, token_hash])
    .filter((text) => typeof text === 'string' && text !== '');
  // An id of random digits may look like a student's number.
  const text = all.join('\n').replaceAll(/"request_id":"[^"]*"/g, '');
  expect(stored.length).toBeGreaterThan(500);
  for (const secret of new Set([...Object.values(SEEDED), ...stored]))
    expect(text.includes(secret ?? ''), secret ?? '').toBe(false);
  expect(text).not.toMatch(/@|[가-힣]|\b20\d{6,7}\b|eyJ|__Host-/);
});

test('OPS-4 one id leads from the browser over the log to what the request changed', async () => {
  listen();
  const cookie = await sessionOf('tracer@lab.test', 1);
  const sent = '3f2a9c1e-7b4d';
  const target = await env.DB.prepare("SELECT id FROM users WHERE email = 'keeper@lab.test'").first('id');
  const { id, lines } = await linesOf(
    new Request(`${ORIGIN}/api/users/${String(target)}`, {
      method: 'PUT',
      headers: { cookie, 'content-type': 'application/json', 'x-request-id': sent },
      body: '{"secureLevel":5}',
    }),
  );
  expect(id).toMatch(new RegExp(`^[0-9a-f]{8}\\.${sent}$`));
  expect(lines).toMatchObject([
    { level: 'info', event: 'request', method: 'PUT', route: '/api/users/:id', status: 200 },
  ]);
  const { body } = await linesOf(
    new Request(`${ORIGIN}/api/access_log?person=${sent.toUpperCase()}`, { headers: { cookie } }),
  );
  const entries: AccessLogEntry[] = JSON.parse(body);
  expect(entries).toMatchObject([{ action: 'change', request: id, detail: { secure_level: [1, 5] } }]);
});

test.each(['', 'x', '3f2a9c1e-7b4d5', '3F2A9C1E-7B4D', '3f2a9c1e-7b4g', '<script>alert(1)'])(
  'OPS-4 what a browser sends instead of an id is not repeated: %s',
  async (sent) => {
    listen();
    const request = new Request(`${ORIGIN}/api/courses`, { headers: { 'x-request-id': sent } });
    expect((await linesOf(request)).id).not.toBe(sent);
  },
);

test('SEC-104 two requests that name themselves alike are two to the log', async () => {
  listen();
  const idOf = async () =>
    (await linesOf(new Request(`${ORIGIN}/api/courses`, { headers: { 'x-request-id': '3f2a9c1e-7b4d' } })))
      .id;
  expect(await idOf()).not.toBe(await idOf());
});

test('SEC-104 an address that two Host headers made is refused, not failed at', async () => {
  const request = new Proxy(new Request(`${ORIGIN}/api/courses`), {
    get: (of, name) =>
      name === 'url' ? 'https://lab.test, evil.test/api/courses' : Reflect.get(of, name, of),
  });
  const answer = await worker.fetch(request, env, createExecutionContext());
  expect(answer.status).toBe(400);
});

test('OPS-4 reads that succeed are logged only where somebody asks for that much', async () => {
  listen();
  const lines = async (path: string, LOG_LEVEL: string) => {
    written = [];
    const context = createExecutionContext();
    await worker.fetch(new Request(`${ORIGIN}/api${path}`), { ...env, LOG_LEVEL }, context);
    return written.length;
  };
  expect(await lines('/courses', 'info')).toBe(0);
  expect(await lines('/courses', 'debug')).toBe(1);
  expect(await lines('/users', 'info')).toBe(1);
  expect(await lines('/users', 'error')).toBe(0);
  // A level that is none fails the request, and is logged at the standard one.
  expect(await lines('/users', 'everything')).toBe(2);
});
