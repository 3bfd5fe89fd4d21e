import { ADMIN, ANY_LEVEL, hasAccess, MEMBER } from '#contract/access-levels';
import { env } from 'cloudflare:workers';
import { routes } from '../../worker/src/app.ts';
import { api, credential, NAME, sessionOf } from './support.ts';

/** The level of what everybody may do, signed in or not. */
const OPEN = Number.POSITIVE_INFINITY;

/** Who sends a request; `level` is null for somebody without a living session. */
export type Caller = { is: string; level: number | null; id: number; email: string; cookie: string };

type Sent = {
  id?: number | string;
  /** What stands in the path for its parameters besides `:id`. */
  path?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
};

type Row = {
  /** The weakest level that may. */
  level: number;
  /** What a caller who may is answered. */
  status?: number;
  /** Largest body in bytes. */
  bodyLimit?: number;
  /** What the caller sends in order to succeed. */
  sent?: (caller: Caller) => Promise<Sent>;
  /** Every JSON key that the answer may hold, however deep. */
  keys?: (level: number | null) => string[];
};

const loginUser = () => ['id', 'email', 'name', 'univId', 'secureLevel'];
const listedUser = () => ['id', 'name', 'email', 'secure_level', 'univ_id', 'univ_id_verified'];
const done = () => ['ok'];

const logEntry = ['id', 'at', 'actor', 'address', 'action', 'subject', 'person', 'detail', 'name', 'email'];
const logDetail = ['filter', 'count', 'secure_level', 'univ_id', 'univ_id_verified'];

const courseKeys = () => ['id', 'year', 'semester', 'subject', 'subject_en', 'target', 'target_etc'];
const someCourse = { year: 2026, semester: 1, subject: '가', subject_en: 'A', target: 3, target_etc: '' };

const someSubject = {
  id: 'S1',
  name: '가',
  year: 1,
  type: '전공',
  score: 3,
  prof: '나린솔',
  time: '월1',
  classroom: 'B1',
  etc: '',
};
const subjectKeys = () => ['S1', ...Object.keys(someSubject)];

const card = ['name', 'position', 'department', 'office', 'email', 'phone', 'interests'];
const publicGroups = ['professors', 'graduate_students', 'graduate_alumnis'];
const memberGroups = ['undergraduate_students', 'undergraduate_alumnis'];

/** One row for each route of the API: a route without a row fails the tests. */
export const table: Record<string, Row> = {
  'GET /api/health': {
    level: OPEN,
    keys: () => ['ok', 'parts', 'api', 'ingest', 'broker', 'bridge'],
  },
  'GET /api/login/provider': { level: OPEN, keys: () => ['clientId', 'scriptUrl'] },
  'POST /api/login': {
    level: OPEN,
    sent: async () => ({
      headers: { authorization: `Bearer ${await credential(`${crypto.randomUUID()}@lab.test`)}` },
    }),
    keys: loginUser,
  },
  'POST /api/login/status': { level: ANY_LEVEL, keys: loginUser },
  'PUT /api/login/:id': {
    level: ANY_LEVEL,
    sent: async ({ id, email }) => ({ id, body: { name: NAME, email, univId: freshNumber() } }),
    keys: loginUser,
  },
  'GET /api/login/sessions': {
    level: ANY_LEVEL,
    keys: () => ['id', 'created_at', 'last_used_at', 'user_agent', 'current'],
  },
  'DELETE /api/login/sessions/:id': {
    level: ANY_LEVEL,
    sent: async ({ id }) => ({ id: await spareSessionOf(id) }),
    keys: done,
  },
  'GET /api/login/redirect': { level: OPEN, status: 302 },
  'GET /api/login/callback': { level: OPEN, status: 302 },
  'POST /api/logout': { level: OPEN, keys: done },
  'GET /api/users': { level: ADMIN, keys: listedUser },
  'PUT /api/users/:id': {
    level: ADMIN,
    sent: async () => ({ id: await someUser(), body: { secureLevel: 5 } }),
    keys: listedUser,
  },
  'DELETE /api/users/:id': { level: ADMIN, sent: async () => ({ id: await someUser() }), keys: done },
  'PUT /api/users/:id/univ_id': {
    level: ADMIN,
    sent: async () => {
      const univ_id = freshNumber();
      return { id: await someUser(univ_id), body: { univ_id } };
    },
    keys: listedUser,
  },
  'DELETE /api/users/:id/univ_id': {
    level: ADMIN,
    sent: async () => ({ id: await someUser(freshNumber()) }),
    keys: listedUser,
  },
  'GET /api/access_log': { level: ADMIN, keys: () => [...logEntry, ...logDetail] },
  'GET /api/people': {
    level: OPEN,
    keys: (level) => [
      ...card,
      ...publicGroups,
      ...(level !== null && hasAccess(level, MEMBER) ? memberGroups : []),
    ],
  },
  'GET /api/courses': {
    level: OPEN,
    keys: courseKeys,
  },
  'POST /api/courses': {
    level: ADMIN,
    status: 201,
    sent: async () => ({ body: someCourse }),
    keys: courseKeys,
  },
  'DELETE /api/courses/:id': { level: ADMIN, sent: async () => ({ id: await someCourseId() }), keys: done },
  'GET /api/courses2': { level: ADMIN, keys: courseKeys },
  'GET /api/subjects/:dept/:year/:semester': {
    level: ADMIN,
    sent: async () => {
      await storeSubject();
      return { path: { dept: 'cs', year: '2026', semester: 'spring' } };
    },
    keys: subjectKeys,
  },
  'PUT /api/subjects/:dept/:year/:semester': {
    level: ADMIN,
    bodyLimit: 4 * 1024 * 1024,
    sent: async () => ({ path: { dept: 'cs', year: '2026', semester: 'spring' }, body: [someSubject] }),
    keys: subjectKeys,
  },
  'GET /api/plants': { level: ADMIN, keys: () => ['plant', 'datetime', 'soil_moisture'] },
};

/** Every route that the worker registers, as `METHOD /path`, middleware left out. */
export const registered = [
  ...new Set(
    routes.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`),
  ),
];

/** Routes of the table that may change something. */
export const unsafeRoutes = registered.filter((route) => !route.startsWith('GET '));
/** Routes of the table that ask for a session. */
export const guardedRoutes = registered.filter((route) => table[route]?.level !== OPEN);

export function rowOf(route: string): Row {
  const row = table[route];
  if (row === undefined) throw new Error(`${route} has no row in tests/worker/route-table.ts`);
  return row;
}

/** What the row says of a caller: its status when they may, otherwise 401 or 403. */
export function expectedStatus(route: string, caller: Caller): number {
  const { level, status = 200 } = rowOf(route);
  if (level === OPEN) return status;
  if (caller.level === null) return 401;
  return hasAccess(caller.level, level) ? status : 403;
}

export type Call = { method: string; path: string; headers: Record<string, string>; body?: string };

/** The request that succeeds when the caller may. `path` begins after `/api`. */
export async function validCall(route: string, caller: Caller): Promise<Call> {
  const [method = '', template = ''] = route.split(' ');
  const { id, path = {}, body, headers } = (await rowOf(route).sent?.(caller)) ?? {};
  const parameters: Record<string, unknown> = { id, ...path };
  return {
    method,
    path: template.replace('/api', '').replaceAll(/:(\w+)/g, (_, name: string) => String(parameters[name])),
    headers: {
      'cf-connecting-ip': crypto.randomUUID(),
      ...(caller.cookie !== '' && { cookie: caller.cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

export function send({ path, ...init }: Call): Promise<Response> {
  return api(path, init);
}

export const anonymous: Caller = { is: 'anonymous', level: null, id: 1, email: '', cookie: '' };

/** A new user of the level with a session. */
export async function callerOf(level: number): Promise<Caller> {
  const email = `${crypto.randomUUID()}@lab.test`;
  const cookie = await sessionOf(email, level);
  return { is: `level ${level}`, level, id: await idOf(email), email, cookie };
}

/** Somebody who was deleted but still holds the cookie. */
export async function deletedCaller(): Promise<Caller> {
  const caller = await callerOf(10);
  await env.DB.prepare('DELETE FROM users WHERE id = ?').bind(caller.id).run();
  return { ...caller, is: 'a deleted user', level: null };
}

/** The seven identities of the matrix, each made anew. */
export const identities: Record<string, () => Promise<Caller>> = {
  anonymous: () => Promise.resolve(anonymous),
  ...Object.fromEntries([1, 3, 5, 8, 10].map((level) => [`level ${level}`, () => callerOf(level)])),
  'a deleted user': deletedCaller,
};

async function idOf(email: string): Promise<number> {
  return (await env.DB.prepare('SELECT id FROM users WHERE email = ?').bind(email).first<number>('id')) ?? -1;
}

let numbers = 20_000_000;
const freshNumber = () => String(++numbers);

/** A user whom nobody needs any more; with a number, one who claims it. */
async function someUser(univId: string | null = null): Promise<number> {
  const row = await env.DB.prepare(
    `INSERT INTO users (sub, email, name, univ_id, secure_level, created_at) VALUES (?, ?, ?, ?, 8, 0) RETURNING id`,
  )
    .bind(crypto.randomUUID(), `${crypto.randomUUID()}@lab.test`, NAME, univId)
    .first<number>('id');
  return row ?? -1;
}

/** Id of a session of the user's own that may end; of nobody's when the user is gone. */
async function spareSessionOf(userId: number): Promise<number> {
  const hash = crypto.randomUUID().replaceAll('-', '').repeat(2);
  const row = await env.DB.prepare(
    `INSERT INTO sessions (token_hash, user_id, user_agent, created_at, last_used_at)
     SELECT ?, id, 'spare', ?, ? FROM users WHERE id = ? RETURNING id`,
  )
    .bind(hash, Date.now(), Date.now(), userId)
    .first<number>('id');
  return row ?? 1;
}

async function someCourseId(): Promise<number> {
  const row = await env.DB.prepare(
    "INSERT INTO courses (year, semester, subject, subject_en, target) VALUES (2026, 1, '가', 'A', 1) RETURNING id",
  ).first<number>('id');
  return row ?? -1;
}

async function storeSubject(): Promise<void> {
  await env.DB.prepare(
    `INSERT OR IGNORE INTO subjects VALUES ('cs', 2026, 'spring', 'S1', '가', 1, '전공', 3, '나린솔', '월1', 'B1', '')`,
  ).run();
}
