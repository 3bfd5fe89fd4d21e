import { errorBodySchema } from '#contract/errors';
import { beforeAll, describe, expect, test } from 'vitest';
import { fewOrMany } from '../support/counts.ts';
import { callerOf, registered, validCall, type Call, type Caller } from './route-table.ts';
import { api, contents, migrateDatabase, standingBridge } from './support.ts';

const REQUESTS = fewOrMany(300, 10_000);
/** The same requests in every run; a failure names the number of its request. */
const SEED = 20_260_302;

let admin: Caller;
const templates: Call[] = [];
beforeAll(async () => {
  await migrateDatabase();
  await standingBridge();
  admin = await callerOf(1);
  for (const route of registered) templates.push(await validCall(route, admin));
});

/** Mulberry32: small, seeded, good enough to choose with. */
function generator(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    happens: (share: number) => next() < share,
    oneOf: <T>(of: readonly [T, ...T[]]): T => of[Math.floor(next() * of.length)] ?? of[0],
  };
}
type Random = ReturnType<typeof generator>;

const nested = (open: string, close: string) => open.repeat(10_000) + close.repeat(10_000);

const texts = [
  `'; DROP TABLE users; --`,
  `1' OR '1'='1`,
  '"; DELETE FROM sessions; --',
  '%',
  'a\0b',
  '🌱👩‍👩‍👧‍👦',
  '\u202eمرحبا\u202c',
  '\ud800',
  '２０２１０００１',
  '가'.repeat(10_240),
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '{{7*7}}${7*7}',
  'a\r\nset-cookie: x=1',
  ' ',
  '',
] as const;

const values: readonly [unknown, ...unknown[]] = [
  null,
  true,
  -0,
  -1,
  0.5,
  2 ** 53,
  1e308,
  [],
  {},
  [[1]],
  { $gt: '' },
  { length: 1e9 },
  { __proto__: null, constructor: { prototype: { polluted: 1 } } },
  ...texts,
];

const bodies = [
  '',
  '{',
  'null',
  'undefined',
  '"text"',
  '[null]',
  '[[]]',
  '{}',
  'NaN',
  '{"secureLevel":NaN}',
  '{"secureLevel":1e400}',
  `{"secureLevel":${'9'.repeat(1000)}}`,
  '\ufeff{}',
  '{"secureLevel":2,"secureLevel":4}',
  nested('[', ']'),
  nested('{"a":', '}').replace(':}', ':1}'),
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '[{"__proto__":{"polluted":1}}]',
  'secureLevel=1&_method=DELETE',
  '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--',
  `{"name":"${'x'.repeat(70_000)}"}`,
  Uint8Array.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]),
] as const;

const contentTypes = [
  'application/json',
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
  ';;;',
] as const;

const segments = [
  '0',
  '-1',
  '1e9',
  '0x1',
  '1.0',
  '999999999',
  '9007199254740993',
  'me',
  '%00',
  '%ff',
  '%2e%2e%2f',
  '%252e',
  '%F0%9F%8C%B1',
  '..;',
  '1;2',
  "'",
  '*',
  ':id',
  '가',
  'x'.repeat(2048),
] as const;

const headers = [
  { accept: '*/*;q=9,,' },
  { 'content-encoding': 'gzip' },
  { 'if-none-match': '*' },
  { range: 'bytes=0-,-1' },
  { 'user-agent': 'x'.repeat(10_000) },
  { authorization: 'Bearer a.b.c' },
  { authorization: 'Bearer' },
  { authorization: `Basic ${'x'.repeat(10_000)}` },
  { 'x-forwarded-for': "127.0.0.1, ' OR 1=1" },
  { 'idempotency-key': 'x'.repeat(500) },
  { 'content-length': '-1' },
  { origin: 'not an origin' },
] as const;

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'PROPFIND'] as const;

/** The value with everything in it replaced by something worse. */
function worse(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value.map((item) => worse(item, random));
  if (typeof value !== 'object' || value === null) return random.oneOf(values);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, worse(item, random)]));
}

function queryOf(random: Random): string {
  const name = random.oneOf([
    'plant',
    'from',
    'to',
    'points',
    'person',
    'before',
    'lang',
    'a[]',
    '__proto__',
  ]);
  // A lone surrogate cannot be written in an address.
  const value = encodeURIComponent(random.oneOf(texts).toWellFormed());
  return random.oneOf(['', '', `?${name}=${value}`, `?${name}=${value}&${name}=2`, '?%ff=%', '?&&==', '?=']);
}

/** A request that may read, but that nobody has reason to obey. */
function mutated(random: Random, template: Call) {
  const changed = template.path.replaceAll(/\/[^/]*\d[^/]*/g, () => `/${random.oneOf(segments)}`);
  // Only beside a body that is refused may the address be one that exists.
  const keepsPath = template.body !== undefined && random.happens(0.5);
  const path = random.happens(0.1)
    ? `/${random.oneOf(segments)}${changed}`
    : keepsPath
      ? template.path
      : changed;
  const method = random.happens(0.2) && !keepsPath ? random.oneOf(methods) : template.method;
  const isKnown = template.body !== undefined && random.happens(0.6);
  const body = isKnown
    ? JSON.stringify(worse(JSON.parse(template.body ?? ''), random))
    : random.oneOf(bodies);
  // Logging out and signing in end a session, and undoing the last import undoes it, and rightly so.
  const keepsSession = !/^\/(log(out|in)|students\/imports\/last)$/.test(template.path);
  const cookie = random.oneOf([
    keepsSession ? admin.cookie : '',
    keepsSession ? admin.cookie : '',
    '',
    '__Host-session=',
    `__Host-session="${'x'.repeat(43)}"; nonce=%`,
    `${'x'.repeat(12_000)}=1; ;;=`,
  ]);
  const init: RequestInit = {
    method,
    headers: {
      cookie,
      'content-type': random.oneOf(contentTypes),
      'cf-connecting-ip': crypto.randomUUID(),
      ...(random.happens(0.3) && random.oneOf<Record<string, string>>(headers)),
    },
    ...(method !== 'GET' && method !== 'HEAD' && { body }),
  };
  return { url: path + queryOf(random), init };
}

/** How many rows each table holds, but for the log, in which reading leaves its own, and the dues: any text is a name. */
async function counts(): Promise<Record<string, number>> {
  const tables = Object.entries(await contents()).filter(([name]) => !['access_log', 'dues'].includes(name));
  return Object.fromEntries(tables.map(([name, rows]) => [name, rows.length]));
}

/** What is wrong with an answer; undefined when nothing is. */
async function faultOf(answer: Response, method = ''): Promise<string | undefined> {
  const text = await answer.text();
  if (answer.status >= 500) return text;
  if (answer.headers.get('x-content-type-options') !== 'nosniff') return 'no security headers';
  if (answer.status < 400 || method === 'HEAD') return undefined;
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return `no JSON: ${text}`;
  const body = errorBodySchema.strict().safeParse(JSON.parse(text));
  return body.success ? undefined : `not the contract's error: ${text}`;
}

describe('requests that make no sense', () => {
  test(
    `API-1 SEC-24 SEC-26 SEC-30 ${REQUESTS} of them never fail the server and change nothing`,
    { timeout: 600_000 },
    async () => {
      const random = generator(SEED);
      const [first, ...others] = templates;
      if (first === undefined) throw new Error('no routes');
      const before = await counts();
      const seen = new Set<number>();
      for (let number = 0; number < REQUESTS; number++) {
        const { url, init } = mutated(random, random.oneOf([first, ...others]));
        const answer = await api(url, init);
        seen.add(answer.status);
        const fault = await faultOf(answer, init.method);
        expect(fault, `request ${number}: ${init.method} ${url.slice(0, 200)}`).toBeUndefined();
      }
      expect(await counts()).toEqual(before);
      expect('polluted' in {}).toBe(false);
      // They reached every door, not only the first.
      for (const status of [200, 400, 401, 404, 415]) expect(seen).toContain(status);
      expect((await api('/login/status', { method: 'POST', headers: { cookie: admin.cookie } })).status).toBe(
        200,
      );
    },
  );
});
