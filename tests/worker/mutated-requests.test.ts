import { errorBodySchema } from '#contract/errors';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { fewOrMany, isFull } from '../support/counts.ts';
import {
  bodies,
  contentTypes,
  damaged,
  faultIn,
  generator,
  headers,
  methods,
  near,
  oddForm,
  texts,
  worse,
  type Random,
} from '../support/mutations.ts';
import {
  callerOf,
  expectedStatus,
  identities,
  registered,
  validCall,
  type Call,
  type Caller,
} from './route-table.ts';
import { expectIntegrity } from '../support/integrity.ts';
import { png } from './sample-images.ts';
import { api, contents, migrateDatabase, NAME, standingBridge } from './support.ts';

/** The second kind takes longer: each request has what it asks for made before. */
const NONSENSE = fewOrMany(250, 9000);
const PLAUSIBLE = fewOrMany(60, 6000);
const SOCKET = fewOrMany(20, 2000);
/** The same requests in every run; a failure names the number of its request. */
const SEED = 20_260_302;
/** How often everybody signs in anew, so that no one's rates are used up for long. */
const TURN = 400;

type Sent = { url: string; init: RequestInit };

beforeAll(async () => {
  await migrateDatabase();
  await standingBridge();
});

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

// Whoever does this needs a new session, and rightly so.
const endsSession = (path: string) => /^\/log(out|in)$/.test(path);

/** A request that may read, but that nobody has reason to obey. */
function nonsense(random: Random, template: Call, caller: Caller): Sent {
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
  const own = endsSession(template.path) ? '' : caller.cookie;
  const cookie = random.oneOf([
    own,
    own,
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

/** A request that is right but for little, and may be obeyed. */
function plausible(random: Random, { method, path, query = '', headers: own, ...call }: Call): Sent {
  const text = call.body === undefined ? undefined : JSON.stringify(near(JSON.parse(call.body), random));
  const type = { 'content-type': 'multipart/form-data; boundary=x' };
  const isForm = call.form !== undefined && random.happens(0.7);
  const field = [...(call.form?.keys() ?? [])][0] ?? '';
  const init: RequestInit = {
    method: method === 'GET' ? random.oneOf(['GET', 'GET', 'GET', 'HEAD', 'OPTIONS']) : method,
    headers: {
      ...own,
      ...(isForm && type),
      ...(random.happens(0.2) && random.oneOf<Record<string, string>>(headers)),
    },
    ...(call.form && { body: isForm ? oddForm(field, png, random) : call.form }),
    ...(text !== undefined && { body: random.happens(0.7) ? text : damaged(text, random) }),
  };
  return { url: path + (random.happens(0.7) ? query : queryOf(random)), init };
}

/** What is wrong with an answer; undefined when nothing is. */
async function faultOf(answer: Response, method = ''): Promise<string | undefined> {
  const text = new TextDecoder().decode(await answer.bytes());
  const fault = faultIn(answer, text);
  if ([401, 403].includes(answer.status) && text.includes(NAME)) return `tells of a person: ${text}`;
  if (fault !== undefined || answer.status < 400 || method === 'HEAD') return fault;
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return `no JSON: ${text}`;
  const body = errorBodySchema.strict().safeParse(JSON.parse(text));
  return body.success ? undefined : `not the contract's error: ${text}`;
}

/** Sends it and looks at the answer; in the long run also at how long it took, a second time when it was slow. */
async function sendAndJudge({ url, init }: Sent, name: string): Promise<number> {
  let answer: Response;
  let took: number;
  let tries = 0;
  do {
    const begun = Date.now();
    answer = await api(url, init);
    expect(
      await faultOf(answer, init.method),
      `${name}: ${init.method} ${url.slice(0, 200)}`,
    ).toBeUndefined();
    took = Date.now() - begun;
  } while (took >= 2000 && tries++ < 2);
  expect(isFull ? took : 0, `milliseconds of ${name}: ${init.method} ${url.slice(0, 200)}`).toBeLessThan(
    2000,
  );
  return answer.status;
}

/** How many rows each table holds, but for the log, in which reading leaves its own, and the dues: any text is a name. */
async function counts(): Promise<Record<string, number>> {
  const tables = Object.entries(await contents()).filter(([name]) => !['access_log', 'dues'].includes(name));
  return Object.fromEntries(tables.map(([name, rows]) => [name, rows.length]));
}

async function expectCounts(before: Record<string, number>): Promise<void> {
  expect(await counts()).toEqual(before);
}

/** What each version stands for, as text, beside its tag and its count. */
async function versions() {
  const [roster, ledger, parts, entries] = await env.DB.batch<Record<string, unknown>>(
    [
      'SELECT tag, students AS count FROM roster_version',
      'SELECT tag, entries AS count FROM ledger_version',
      `SELECT 'student' AS kind, id, name, department, tel, json_array(email, version) FROM students UNION ALL
       SELECT 'enrolment', student_id, year, semester, subject, json_array(no, school_year, type) FROM enrolments UNION ALL
       SELECT 'picture', student_id, NULL, NULL, NULL, NULL FROM pictures ORDER BY 1, 2, 3, 4, 5`,
      'SELECT * FROM ledger_entries ORDER BY id',
    ].map((sql) => env.DB.prepare(sql)),
  );
  const students = parts?.results.filter(({ kind }) => kind === 'student').length;
  return {
    roster: { ...roster?.results[0], data: JSON.stringify(parts?.results), rows: students },
    ledger: { ...ledger?.results[0], data: JSON.stringify(entries?.results), rows: entries?.results.length },
  };
}
type Versions = Awaited<ReturnType<typeof versions>>;

function expectRight(before: Versions, after: Versions, name: string): void {
  for (const part of ['roster', 'ledger'] as const) {
    const [was, is] = [before[part], after[part]] as [Record<string, unknown>, Record<string, unknown>];
    expect(is['count'], `${name}: ${part} count`).toBe(is['rows']);
    expect(is['tag'] !== was['tag'], `${name}: ${part} tag`).toBe(is['data'] !== was['data']);
  }
}

/** Everybody with a session of their own, anew for each turn. */
const everybody = () => Promise.all(Object.values(identities).map((make) => make()));

describe('requests that make no sense', () => {
  test(
    `API-1 SEC-24 SEC-26 SEC-30 SEC-64 ${NONSENSE} of them never fail the server and change nothing`,
    { timeout: 1_800_000 },
    async () => {
      const random = generator(SEED);
      const admin = await callerOf(1);
      const templates: Call[] = [];
      // Publishing asks for nothing, so nothing that comes with it is nonsense.
      const refusable = registered.filter((route) => !/\/(?:publish|restore)$/.test(route));
      for (const route of refusable) templates.push(await validCall(route, admin));
      const [first, ...others] = templates;
      if (first === undefined) throw new Error('no routes');
      let callers = [admin];
      let before = await counts();
      const seen = new Set<number>();
      for (let number = 0; number < NONSENSE; number++) {
        if (number % TURN === 0) {
          await expectCounts(before);
          callers = [...(await everybody()), admin, admin, admin];
          before = await counts();
        }
        const caller = random.oneOf([admin, ...callers]);
        const sent = nonsense(random, random.oneOf([first, ...others]), caller);
        seen.add(await sendAndJudge(sent, `${caller.is}, request ${number}`));
      }
      await expectCounts(before);
      await expectIntegrity(env.DB);
      expect('polluted' in {}).toBe(false);
      // They reached every door, not only the first.
      for (const status of [200, 400, 401, 403, 404, 415]) expect(seen).toContain(status);
      expect((await api('/login/status', { method: 'POST', headers: { cookie: admin.cookie } })).status).toBe(
        200,
      );
    },
  );
});

describe('requests that are right but for little', () => {
  test(
    `SEC-1 SEC-64 ${PLAUSIBLE} of them never fail the server, and a version is new exactly when what it stands for is`,
    { timeout: 1_800_000 },
    async () => {
      const random = generator(SEED + 1);
      const [first = '', ...others] = registered;
      let callers: Caller[] = [];
      const seen = new Set<number>();
      for (let number = 0; number < PLAUSIBLE; number++) {
        if (number % TURN === 0) callers = await everybody();
        const route = random.oneOf([first, ...others]);
        const admin = callers.find(({ level }) => level === 1) ?? (await callerOf(1));
        const chosen = random.oneOf([admin, admin, ...callers]);
        const call = await validCall(route, chosen);
        // Who logs out does so with a session that nobody needs.
        const caller = endsSession(call.path) ? { ...chosen, cookie: '' } : chosen;
        const sent = plausible(random, { ...call, headers: { ...call.headers, cookie: caller.cookie } });
        const name = `${caller.is}, request ${number}`;
        for (let time = random.happens(0.2) ? 2 : 1; time > 0; time--) {
          const before = await versions();
          const status = await sendAndJudge(sent, name);
          const mayPass = ![401, 403].includes(expectedStatus(route, caller));
          expect(mayPass ? 400 : status, `${name}: ${route}`).toBeGreaterThan(399);
          seen.add(status);
          expectRight(before, await versions(), `${name}: ${route}`);
        }
      }
      await expectIntegrity(env.DB);
      for (const status of [200, 400, 401, 403]) expect(seen).toContain(status);
    },
  );
});

test(
  `SEC-64 SEC-94 ${SOCKET} messages that no screen sends close its socket, and open addresses that name nothing none`,
  { timeout: 1_800_000 },
  async () => {
    const random = generator(SEED + 2);
    const { cookie } = await callerOf(1);
    for (let number = 0; number < SOCKET; number++) {
      const query = random.happens(0.2) ? queryOf(random) : '';
      const { status, webSocket } = await api(`/plants/live${query}`, {
        headers: { upgrade: 'websocket', cookie },
      });
      expect(status, `message ${number} to ${query}`).toBe(query.length > 1 ? 400 : 101);
      if (!webSocket) continue;
      const closed = new Promise<number>((resolve) => {
        webSocket.addEventListener('close', ({ code }) => resolve(code));
      });
      webSocket.accept();
      webSocket.send(random.oneOf<string | Uint8Array<ArrayBuffer>>([...bodies, ...texts]));
      expect(await closed, `message ${number}`).toBe(1008);
    }
  },
);
