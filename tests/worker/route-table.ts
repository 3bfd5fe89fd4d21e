import { ACCOUNT_MANAGER, ADMIN, ANY_LEVEL, hasAccess, LEVELS, MEMBER } from '#contract/access-levels';
import { CONTENT_BYTES_MAX } from '#contract/content';
import { SESSION_COOKIE } from '#contract/session';
import { firstVersion } from '#content/first-version';
import { env } from 'cloudflare:workers';
import { routes } from '../../worker/src/app.ts';
import { newToken, sha256Hex } from '../../worker/src/lib/random-tokens.ts';
import {
  healthKeys,
  loginUser,
  listedUser,
  done,
  logEntry,
  logDetail,
  reportKeys,
  reviewKeys,
  accountSums,
  awaitingKeys,
  bridgeKeys,
  bridgeTaskKeys,
  findKeys,
  dueKeys,
  entryKeys,
  historyKeys,
  receiptKeys,
  someEntry,
  courseKeys,
  someSubject,
  subjectKeys,
  importCounts,
  importKeys,
  undoKeys,
  purgeKeys,
  someTerm,
  someRow,
  rosterKeys,
  studentKeys,
  recordKeys,
  someStudentForm,
  exportKeys,
  hiddenPlantKeys,
  plantColumns,
  plantKeys,
  plantStateKeys,
  publicPlantKeys,
  receiverKeys,
  someReceiver,
  someSettings,
  wateringKeys,
  card,
  contentKeys,
  publishedKeys,
  publicGroups,
  labCounts,
  memberGroups,
} from './route-keys.ts';
import {
  askedBridge,
  freshMonth,
  freshNumber,
  signedMonth,
  someCorrectedEntryId,
  someCourseId,
  someDue,
  someDeletedEntryId,
  someEntryId,
  someReceiptId,
  someStudent,
  someUser,
  spareSessionOf,
  someDuesTerm,
  storedEntry,
  storedImport,
  storedLedgerImport,
  storedTimetableImport,
  storedReceipt,
  storedReceiver,
  someReceiverId,
  storedWatch,
  draftVersion,
  knownDoi,
  storedPhotograph,
  openedPlant,
  hiddenPlants,
  storedReadings,
  storedRoster,
  storeSubject,
} from './route-fixtures.ts';
import { png } from './sample-images.ts';
import { api, credential, NAME } from './support.ts';
import { formOf } from './uploads.ts';
import { words } from '../support/words.ts';
import { courseFields } from '../support/course.ts';

/** Nothing in it leads to a paper. */
const withoutPapers = {
  ...firstVersion,
  publications: '',
  news: [],
  projects: [],
  about: { ...firstVersion.about, result: null },
};
/** The level of what everybody may do, signed in or not. */
const OPEN = Number.POSITIVE_INFINITY;

/** Who sends a request; `level` is null for somebody without a living session. */
export type Caller = { is: string; level: number | null; id: number; email: string; cookie: string };

type Sent = {
  id?: number | string;
  /** What stands in the path for its parameters besides `:id`. */
  path?: Record<string, string>;
  body?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
  /** What follows the path, where it is another one each time. */
  query?: string;
};

type Row = {
  /** The weakest level that may. */
  level: number;
  /** What a caller who may is answered. */
  status?: number;
  /** Largest body in bytes. */
  bodyLimit?: number;
  /** What follows the path, from the question mark on. */
  query?: string;
  /** What the caller sends in order to succeed. */
  sent?: (caller: Caller) => Promise<Sent>;
  /** Every JSON key that the answer may hold, however deep. */
  keys?: (level: number | null) => string[];
};

const rosterImport = {
  level: ADMIN,
  status: 201,
  bodyLimit: 4 * 1024 * 1024,
  sent: async () => ({
    body: { year: 2026, semester: 1, subject: 'x', data: [{ ...someRow, id: freshNumber() }] },
  }),
  keys: importCounts,
};

/** One row for each route of the API: a route without a row fails the tests. */
export const table: Record<string, Row> = {
  'GET /api/health': {
    level: OPEN,
    keys: () => ['ok', 'parts', 'api', 'plants', 'ingest', 'broker', 'bridge'],
  },
  'GET /api/health/details': { level: ADMIN, sent: storedWatch, keys: healthKeys },
  'GET /api/login/provider': { level: OPEN, keys: () => ['clientId', 'scriptUrl'] },
  'POST /api/login': {
    level: OPEN,
    sent: async () => ({
      headers: { authorization: `Bearer ${await credential(`${crypto.randomUUID()}@lab.test`)}` },
    }),
    keys: loginUser,
  },
  'POST /api/login/nonce': { level: OPEN, keys: () => ['nonce'] },
  'POST /api/login/status': { level: ANY_LEVEL, keys: loginUser },
  'PUT /api/login/:id': {
    level: ANY_LEVEL,
    sent: async ({ id, email }) => ({ id, body: { name: NAME, email, univId: freshNumber() } }),
    keys: loginUser,
  },
  'GET /api/login/:id/draft-key': {
    level: ANY_LEVEL,
    sent: async ({ id }) => ({ id }),
    keys: () => ['key'],
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
  'GET /api/access_log/reviews': {
    level: ADMIN,
    sent: async () => ({ path: { month: await signedMonth() } }),
    keys: () => ['month', 'isOver', ...reviewKeys],
  },
  'GET /api/access_log/reviews/:month': {
    level: ADMIN,
    sent: async () => ({ path: { month: await signedMonth() } }),
    keys: () => ['month', 'isOver', ...reviewKeys, ...reportKeys, ...logEntry, ...logDetail],
  },
  'POST /api/access_log/reviews/:month': {
    level: ADMIN,
    status: 201,
    sent: async () => ({ path: { month: freshMonth() }, body: { remark: '이상 없음' } }),
    keys: done,
  },
  'POST /api/access_log/reviews/:month/exports': {
    level: ADMIN,
    sent: async () => ({ path: { month: '2026-03' }, body: { reason: '감사 제출' } }),
    keys: done,
  },
  'GET /api/awaiting': {
    level: ANY_LEVEL,
    keys: (level) => (level !== null && hasAccess(level, ADMIN) ? awaitingKeys : []),
  },
  'GET /api/overview': {
    level: ANY_LEVEL,
    keys: (level) => [
      ...(level !== null && hasAccess(level, ACCOUNT_MANAGER) ? accountSums : []),
      ...(level !== null && hasAccess(level, ADMIN) ? labCounts : []),
    ],
  },
  'GET /api/find': {
    level: ADMIN,
    sent: async () => {
      await storeSubject();
      return await storedRoster();
    },
    keys: () => findKeys,
  },
  'GET /api/people': {
    level: OPEN,
    keys: (level) => [
      ...card,
      ...publicGroups,
      ...(level !== null && hasAccess(level, MEMBER) ? memberGroups : []),
    ],
  },
  'GET /api/content': { level: ADMIN, keys: contentKeys },
  'PUT /api/content': {
    level: ADMIN,
    bodyLimit: CONTENT_BYTES_MAX,
    sent: async () => ({
      body: { version: await draftVersion(), draft: withoutPapers },
    }),
    keys: contentKeys,
  },
  'POST /api/content/publish': { level: ADMIN, status: 201, keys: () => ['version'] },
  'GET /api/content/versions': { level: ADMIN, keys: () => ['version', 'at', 'by'] },
  'GET /api/content/versions/:id': { level: ADMIN, sent: async () => ({ id: 0 }), keys: contentKeys },
  'POST /api/content/versions/:id/restore': {
    level: ADMIN,
    status: 201,
    sent: async () => ({ id: 0 }),
    keys: () => ['version'],
  },
  'GET /api/content/doi': {
    level: ADMIN,
    query: '?doi=10.5555/known',
    sent: knownDoi,
    keys: () => ['bibtex'],
  },
  'GET /api/content/preview': { level: ADMIN, keys: publishedKeys },
  'POST /api/content/pictures': {
    level: ADMIN,
    status: 201,
    sent: async () => ({ form: formOf([['a.png', png]]) }),
    keys: () => ['file'],
  },
  'GET /api/content/pictures/:name': {
    level: OPEN,
    sent: storedPhotograph,
    keys: () => ['image'],
  },
  'GET /api/content/published': { level: OPEN, keys: publishedKeys },
  'GET /api/courses': {
    level: OPEN,
    keys: courseKeys,
  },
  'POST /api/courses': {
    level: ADMIN,
    status: 201,
    sent: async () => ({ body: courseFields }),
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
  'GET /api/subjects/imports': {
    level: ADMIN,
    sent: async () => {
      await storedTimetableImport();
      return {};
    },
    keys: () => [...importKeys, 'department', 'year', 'semester', 'subjects', 'before'],
  },
  'DELETE /api/subjects/imports/:id': {
    level: ADMIN,
    sent: async () => ({ id: await storedTimetableImport() }),
    keys: done,
  },
  'GET /api/students': { level: ADMIN, sent: storedRoster, keys: studentKeys },
  'POST /api/students': { ...rosterImport },
  'POST /api/students/': { ...rosterImport },
  'POST /api/students/preview': {
    ...rosterImport,
    status: 200,
    keys: () =>
      rosterKeys().concat(
        words('version rows missing by_hand alike stored before after enrolment newer semester dropped'),
      ),
  },
  'GET /api/students/courses': {
    level: ADMIN,
    sent: storedRoster,
    keys: () => ['year', 'semester', 'subject', 'students'],
  },
  'GET /api/students/imports': {
    level: ADMIN,
    sent: async () => {
      await storedImport();
      return {};
    },
    keys: () => [...importKeys, 'year', 'semester', 'subject', 'added', 'changed', 'removed'],
  },
  'GET /api/students/imports/:id': {
    level: ADMIN,
    sent: async () => ({ id: await storedImport() }),
    keys: () => [...importCounts(), 'kept', 'gone', 'id', 'name', ...undoKeys],
  },
  'DELETE /api/students/imports/:id': {
    level: ADMIN,
    sent: async () => ({ id: await storedImport() }),
    keys: () => [...importCounts(), 'kept', 'gone', 'id', 'name', ...undoKeys],
  },
  'GET /api/students/terms': { level: ADMIN, sent: storedRoster, keys: () => ['year', 'semester'] },
  'GET /api/students/terms/:year/:semester': { level: ADMIN, sent: someTerm, keys: purgeKeys },
  'DELETE /api/students/terms/:year/:semester': {
    level: ADMIN,
    sent: async () => ({ ...(await someTerm()), body: { enrolments: 0 } }),
    keys: purgeKeys,
  },
  'POST /api/students/exports': {
    level: ADMIN,
    sent: async () => ({ body: { reason: '출석부', count: 1, filter: '' } }),
    keys: done,
  },
  'POST /api/students/:id/export': {
    level: ADMIN,
    sent: async () => ({ id: await someStudent(), body: { reason: '열람 요청' } }),
    keys: exportKeys,
  },
  'POST /api/students/:id': {
    level: ADMIN,
    status: 201,
    sent: async () => ({ id: freshNumber(), body: someStudentForm }),
    keys: recordKeys,
  },
  'PUT /api/students/:id': {
    level: ADMIN,
    sent: async () => ({ id: await someStudent(), body: someStudentForm }),
    keys: recordKeys,
  },
  'DELETE /api/students/:id/enrolment': {
    level: ADMIN,
    // The class of someStudent().
    query: '?year=2026&semester=1&subject=x',
    sent: async () => ({ id: await someStudent() }),
    keys: done,
  },
  'DELETE /api/students/:id': { level: ADMIN, sent: async () => ({ id: await someStudent() }), keys: done },
  'POST /api/upload': {
    level: ADMIN,
    sent: async () => ({ form: formOf([[`${await someStudent()}.png`, png]]) }),
    keys: () => ['stored', 'rejected', 'name', 'studentId'],
  },
  'GET /api/students/pictures/:id': {
    level: ADMIN,
    sent: async () => ({ id: await someStudent({ withPicture: true }) }),
    keys: () => ['image'],
  },
  'GET /api/account': { level: ACCOUNT_MANAGER, sent: storedEntry, keys: entryKeys },
  'POST /api/account': {
    level: ACCOUNT_MANAGER,
    status: 201,
    sent: async () => ({ body: someEntry }),
    keys: entryKeys,
  },
  'PUT /api/account/:id': {
    level: ACCOUNT_MANAGER,
    sent: async () => ({ id: await someEntryId(), body: { ...someEntry, amount: 12_000, version: 1 } }),
    keys: entryKeys,
  },
  'GET /api/account/:id/history': {
    level: ACCOUNT_MANAGER,
    sent: async () => ({ id: await someCorrectedEntryId() }),
    keys: historyKeys,
  },
  'GET /api/account/originals': {
    level: ACCOUNT_MANAGER,
    sent: async () => {
      await someCorrectedEntryId();
      return {};
    },
    keys: () => ['id', 'amount', 'datetime', 'description', 'is_deleted'],
  },
  'POST /api/account/deletions': {
    level: ACCOUNT_MANAGER,
    sent: async () => ({ body: { entries: [{ id: await someEntryId(), version: 1 }] } }),
    keys: done,
  },
  'POST /api/account/categories': {
    level: ACCOUNT_MANAGER,
    sent: async () => ({ body: { entries: [{ id: await someEntryId(), version: 1 }], category: '회비' } }),
    keys: done,
  },
  'DELETE /api/account/:id': {
    level: ACCOUNT_MANAGER,
    sent: async () => ({ id: await someEntryId() }),
    keys: done,
  },
  'GET /api/account/bin': {
    level: ACCOUNT_MANAGER,
    sent: async () => {
      await someDeletedEntryId();
      return {};
    },
    keys: () => ['id', 'amount', 'datetime', 'description', 'receipts', 'deleted_at'],
  },
  'POST /api/account/bin/:id': {
    level: ACCOUNT_MANAGER,
    sent: async () => ({ id: await someDeletedEntryId() }),
    keys: done,
  },
  'DELETE /api/account/bin/:id': {
    level: ACCOUNT_MANAGER,
    sent: async () => ({ id: await someDeletedEntryId() }),
    keys: done,
  },
  'GET /api/account/imports': {
    level: ACCOUNT_MANAGER,
    sent: async () => {
      await storedLedgerImport();
      return {};
    },
    keys: () => [...importKeys, 'added', 'entries', 'corrected', 'sum', 'first', 'last', 'receipts', 'dues'],
  },
  'DELETE /api/account/imports/:id': {
    level: ACCOUNT_MANAGER,
    query: '?entries=1&receipts=0&dues=0',
    sent: async () => ({ id: await storedLedgerImport() }),
    keys: done,
  },
  'GET /api/account/receipts': { level: ACCOUNT_MANAGER, sent: storedReceipt, keys: receiptKeys },
  'POST /api/account/:id/receipts': {
    level: ACCOUNT_MANAGER,
    status: 201,
    sent: async () => ({ id: await someEntryId(), form: formOf([['영수증.png', png]], 'receipt') }),
    keys: receiptKeys,
  },
  'GET /api/account/receipts/:id': {
    level: ACCOUNT_MANAGER,
    sent: async () => ({ id: await someReceiptId() }),
    keys: () => ['image'],
  },
  'DELETE /api/account/receipts/:id': {
    level: ACCOUNT_MANAGER,
    sent: async () => ({ id: await someReceiptId() }),
    keys: done,
  },
  'GET /api/account/dues/:year/:semester': { level: ACCOUNT_MANAGER, sent: someDuesTerm, keys: dueKeys },
  'POST /api/account/dues/:year/:semester': {
    level: ACCOUNT_MANAGER,
    status: 201,
    sent: async () => ({ ...(await someDuesTerm()), body: { names: ['가온'] } }),
    keys: dueKeys,
  },
  'PUT /api/account/dues/:year/:semester': {
    level: ACCOUNT_MANAGER,
    sent: async () => ({
      ...(await someDuesTerm()),
      body: { id: await someDue(), entry_id: await someEntryId() },
    }),
    keys: dueKeys,
  },
  'PUT /api/account/dues/:year/:semester/payments': {
    level: ACCOUNT_MANAGER,
    sent: async () => ({
      ...(await someDuesTerm()),
      body: { payments: [{ id: await someDue(), entry_id: await someEntryId() }] },
    }),
    keys: dueKeys,
  },
  'POST /api/account/dues/:year/:semester/exports': {
    level: ACCOUNT_MANAGER,
    sent: async () => ({ ...(await someDuesTerm()), body: { reason: '정산' } }),
    keys: done,
  },
  'DELETE /api/account/dues/:id': {
    level: ACCOUNT_MANAGER,
    sent: async () => ({ id: await someDue() }),
    keys: done,
  },
  'GET /api/plants': { level: ADMIN, sent: storedReadings, keys: plantKeys },
  'GET /api/plants/public': { level: OPEN, sent: openedPlant, keys: publicPlantKeys },
  'GET /api/plants/states': { level: ADMIN, sent: storedReadings, keys: plantStateKeys },
  'GET /api/plants/live': {
    level: ADMIN,
    status: 101,
    sent: async () => ({ headers: { upgrade: 'websocket' } }),
  },
  'GET /api/plants/waterings': { level: ADMIN, sent: storedReadings, keys: wateringKeys },
  'GET /api/plants/csv': { level: ADMIN, sent: storedReadings, keys: plantColumns },
  'PUT /api/plants/settings': {
    level: ADMIN,
    query: '?plant=watered',
    sent: async () => ({ ...(await storedReadings()), body: someSettings }),
    keys: () => [...Object.keys(someSettings), 'name', 'name_en', 'is_public', 'version'],
  },
  'PUT /api/plants/hidden': {
    level: ADMIN,
    query: '?plant=watered',
    sent: async () => ({ ...(await storedReadings()), body: { is_hidden: false } }),
    keys: done,
  },
  'DELETE /api/plants': { level: ADMIN, query: '?topic=weed', sent: hiddenPlants, keys: done },
  'GET /api/plants/hidden': { level: ADMIN, sent: hiddenPlants, keys: hiddenPlantKeys },
  'GET /api/receivers': { level: ADMIN, sent: storedReceiver, keys: receiverKeys },
  'POST /api/receivers': {
    level: ADMIN,
    status: 201,
    sent: async () => ({ body: someReceiver }),
    keys: () => ['id'],
  },
  'DELETE /api/receivers/:id': {
    level: ADMIN,
    sent: async () => ({ id: await someReceiverId() }),
    keys: done,
  },
  'POST /api/receivers/:id/test': {
    level: ADMIN,
    sent: async () => ({ id: await someReceiverId() }),
    keys: () => ['ok', 'failure'],
  },
  'GET /api/bridges': { level: ADMIN, sent: askedBridge, keys: bridgeKeys },
  'POST /api/bridges/keys': {
    level: ADMIN,
    status: 201,
    sent: async () => ({ body: { bridge: 'roof', plants: null } }),
    keys: () => ['id', 'key'],
  },
  'DELETE /api/bridges/keys/:id': { level: ADMIN, sent: askedBridge, keys: done },
  'POST /api/bridges/:bridge/tasks': {
    level: ADMIN,
    status: 201,
    sent: async () => ({
      ...(await askedBridge()),
      path: { bridge: 'asked' },
      body: { kind: 'dead_letters' },
    }),
    keys: () => ['id'],
  },
  'GET /api/bridges/tasks/:id': { level: ADMIN, sent: askedBridge, keys: bridgeTaskKeys },
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

export type Call = {
  method: string;
  path: string;
  query?: string;
  headers: Record<string, string>;
  body?: string;
  /** Where there is neither a body nor a type. */
  form?: FormData;
};

/** The request that succeeds when the caller may. `path` begins after `/api`. */
export async function validCall(route: string, caller: Caller): Promise<Call> {
  const [method = '', template = ''] = route.split(' ');
  const { query: fixed, sent } = rowOf(route);
  const { id, path = {}, body, form, headers, query = fixed } = (await sent?.(caller)) ?? {};
  const parameters: Record<string, unknown> = { id, ...path };
  return {
    method,
    path: template.replace('/api', '').replaceAll(/:(\w+)/g, (_, name: string) => String(parameters[name])),
    ...(query !== undefined && { query }),
    headers: {
      'cf-connecting-ip': crypto.randomUUID(),
      ...(caller.cookie !== '' && { cookie: caller.cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(form && { form }),
  };
}

export function send({ path, query = '', form, ...init }: Call): Promise<Response> {
  const isForm = form && init.body === undefined && !('content-type' in init.headers);
  return api(path + query, { ...init, ...(isForm && { body: form }) });
}

export const anonymous: Caller = { is: 'anonymous', level: null, id: 1, email: '', cookie: '' };

/** A new user of the level with a session. */
export async function callerOf(level: number): Promise<Caller> {
  const email = `${crypto.randomUUID()}@lab.test`;
  const token = newToken();
  const now = Date.now();
  // As a sign-in stores them, which takes ten times as long.
  const [user] = await env.DB.batch<{ id: number }>([
    env.DB.prepare(
      'INSERT INTO users (sub, email, name, secure_level, created_at) VALUES (?, ?, ?, ?, ?) RETURNING id',
    ).bind(`of ${email}`, email, NAME, level, now),
    env.DB.prepare(
      `INSERT INTO sessions (token_hash, user_id, user_agent, created_at, last_used_at)
       VALUES (?, last_insert_rowid(), '', ?, ?)`,
    ).bind(await sha256Hex(token), now, now),
  ]);
  const id = user?.results[0]?.id ?? -1;
  return { is: `level ${level}`, level, id, email, cookie: `${SESSION_COOKIE}=${token}` };
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
  ...Object.fromEntries(LEVELS.map((level) => [`level ${level}`, () => callerOf(level)])),
  'a deleted user': deletedCaller,
};
