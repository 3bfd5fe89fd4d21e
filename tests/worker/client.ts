import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll } from 'vitest';
import worker from '../../worker/src/app.ts';
import { api, ORIGIN, sessionOf } from './support.ts';

let cookie = '';

/** Signs an admin in before the tests of the file: `call` then speaks for them. */
export function asAdmin(): void {
  beforeAll(() => signInAdmin('admin@lab.test'));
}

/** Lets `call` speak for an admin of this address from now on. */
export async function signInAdmin(email: string): Promise<void> {
  cookie = await sessionOf(email, 1);
}

/** A request of the admin. A body that is neither text nor bytes goes as JSON. */
export async function call(
  path: string,
  method = 'GET',
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return await api(path, {
    method,
    headers: {
      cookie,
      ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
  });
}

const isRaw = (body: unknown): body is BodyInit =>
  typeof body === 'string' || [Uint8Array, ReadableStream, FormData].some((kind) => body instanceof kind);

/**
 * What a request of the admin, a POST when it has a body, asks of the databases: queries of their own, statements in
 * each batch, and the rows that all of them read.
 */
export async function askedBy(path: string, body?: unknown, headers: Record<string, string> = {}) {
  const asked = { queries: 0, batches: [] as number[], rowsRead: 0 };
  let prepared = 0;
  const watched = (d1: D1Database) => {
    const prepare = (query: string) => {
      prepared++;
      return d1.prepare(query);
    };
    const batch = async (statements: D1PreparedStatement[]) => {
      asked.batches.push(statements.length);
      const results = await d1.batch(statements);
      for (const { meta } of results) asked.rowsRead += meta.rows_read;
      return results;
    };
    const replaced: Record<PropertyKey, unknown> = { prepare, batch };
    return new Proxy(d1, { get: (db, name) => replaced[name] ?? Reflect.get(db, name) });
  };
  const databases = { DB: watched(env.DB), PLANTS_DB: watched(env.PLANTS_DB) };
  const json = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const request = new Request(`${ORIGIN}/api${path}`, {
    headers: { cookie, 'content-type': 'application/json', ...headers },
    ...json,
  });
  const answer = await worker.fetch(request, { ...env, ...databases }, createExecutionContext());
  asked.queries = prepared - asked.batches.reduce((sum, statements) => sum + statements, 0);
  return { answer, ...asked };
}

/** What an error answer says, with its status. */
export async function refusal(answer: Response): Promise<unknown> {
  const { error } = await answer.json<{ error: Record<string, unknown> }>();
  return { status: answer.status, field: error['field'], row: error['row'] };
}

/** Bodies that no route may fail on: each is answered with 400 or 415. */
export const malformedBodies: Record<string, [type: string, body: string | Uint8Array]> = {
  'broken JSON': ['application/json', '{"year":'],
  'an empty body': ['application/json', ''],
  'a BOM alone': ['application/json', '\uFEFF'],
  'an array in place of an object, or the reverse': ['application/json', '"text"'],
  'ten thousand levels': ['application/json', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
  'ten thousand levels of objects': ['application/json', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
  NaN: ['application/json', '{"year":NaN}'],
  'a number beyond all': ['application/json', '{"year":1e400}'],
  'a key twice': ['application/json', '{"year":1,"year":2}'],
  'bytes that are no text': ['application/json', Uint8Array.from([0xff, 0xfe, 0, 0x7b])],
  'another type': ['text/plain', '{}'],
  'a form': ['application/x-www-form-urlencoded', 'year=2026'],
};

/** Texts that come back as they were, or are refused. */
export const awkwardTexts = [
  `'; DROP TABLE students; --`,
  `" OR ""="`,
  '%_\\',
  '😀👩‍👩‍👧‍👦',
  '\u202Eمرحبا\u202C',
  ' \t\n가 ',
  '\0',
  'a\0b',
  '\uD800',
  'ㄱ'.repeat(10_240),
  '__proto__',
  'constructor',
];
