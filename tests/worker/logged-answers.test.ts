import { env } from 'cloudflare:workers';
import { beforeAll, expect, test, vi } from 'vitest';
import { someDue, someEntryId, someStudent } from './route-fixtures.ts';
import { callerOf, registered, send, validCall, type Call } from './route-table.ts';
import { migrateDatabase, NAME, standingBridge } from './support.ts';

beforeAll(async () => {
  await migrateDatabase();
  await standingBridge();
});

/** What tells a user of themselves, and the timetable, which the university publishes. */
const NOT_LOGGED = /\/api\/(?:login|logout|subjects|content\/pictures)\b/;
const OTHER_NAME = '오다솜';

/** Undefined where it is no other call. */
type Way = (call: Call) => Call | undefined | Promise<Call>;

/** How a request of a route comes to one of its statuses; nobody's name but a new one is in what is sent. */
const ways: Record<string, Way> = {
  'as it is': (call) => call,
  'sent twice': (call) => (call.method === 'GET' ? undefined : send(call).then(() => call)),
  'of another version': ({ body, ...call }) =>
    body === undefined ? undefined : { ...call, body: JSON.stringify({ ...JSON.parse(body), version: 999 }) },
  'without what it needs': ({ body, ...call }) => (body === undefined ? undefined : { ...call, body: '{}' }),
  'of nobody': (call) =>
    /\d/.test(call.path) ? { ...call, path: call.path.replace(/\d+/, '99999999') } : undefined,
  'of somebody who is there': (call) => {
    const [number] = /(?<=^\/students\/)20\d+/.exec(call.path) ?? [];
    if (number === undefined) return undefined;
    return someStudent().then((id) => ({ ...call, path: call.path.replace(number, id) }));
  },
};

async function paidEntry(): Promise<number> {
  const [entry, due] = [await someEntryId(), await someDue()];
  await env.DB.prepare('UPDATE dues SET entry_id = ? WHERE id = ?').bind(entry, due).run();
  return entry;
}

const entry = { amount: 1, datetime: '2026-03-02T13:00:00', description: 'x' };

/** What takes something that no way brings about. */
const stories: Record<string, Way> = {
  'PUT /api/account/:id': async (call) => ({
    ...call,
    path: `/account/${await paidEntry()}`,
    body: JSON.stringify({ ...entry, amount: -1 }),
  }),
  'PUT /api/account/dues/:year/:semester': async (call) => ({
    ...call,
    body: JSON.stringify({ id: await someDue(), entry_id: await paidEntry() }),
  }),
  'POST /api/account': async (call) => {
    const once = { ...call, headers: { ...call.headers, 'idempotency-key': crypto.randomUUID() } };
    const { id } = await (await send(once)).json<{ id: number }>();
    await env.DB.prepare('UPDATE ledger_entries SET description = ? WHERE id = ?').bind(NAME, id).run();
    return once;
  },
};

const cases = registered.flatMap((route) => {
  if (NOT_LOGGED.test(route)) return [];
  const all = { ...ways, ...(stories[route] && { 'in its story': stories[route] }) };
  return Object.entries(all).map(([name, way]) => ({ route, name, way }));
});

/** What tells of people, refusals too: without them the test would have looked at nothing. */
const MET = [
  'GET /api/students 200',
  'GET /api/users 200',
  'POST /api/students/:id 409',
  'PUT /api/students/:id 409',
  'GET /api/students/pictures/:id 200',
  'POST /api/account 201',
  'PUT /api/account/:id 409',
  'POST /api/account/dues/:year/:semester 201',
  'PUT /api/account/dues/:year/:semester 409',
];

const told = async (answer: Response) => {
  const text = new TextDecoder().decode(await answer.bytes());
  return text.includes(NAME) || text.includes('IHDR');
};

const block = env.DB.prepare(
  "CREATE TRIGGER full BEFORE INSERT ON access_log BEGIN SELECT RAISE(ABORT, 'no row'); END",
);

test('SEC-93 no answer of any route and status tells of a person when its row cannot be written', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const caller = await callerOf(1);
  const [seen, unlogged] = [new Set<string>(), new Set<string>()];
  for (const { route, name, way } of cases) {
    const prepared = async () => {
      const call = await validCall(route, caller);
      return await way({ ...call, ...(call.body && { body: call.body.replaceAll(NAME, OTHER_NAME) }) });
    };
    const call = await prepared();
    if (!call) continue;
    const answer = await send(call);
    if (!(await told(answer))) continue;
    const what = `${route} ${answer.status}`;
    seen.add(what);
    const next = (await prepared()) ?? call;
    await block.run();
    try {
      if (await told(await send(next))) unlogged.add(`${what} ${name}`);
    } finally {
      await env.DB.exec('DROP TRIGGER full');
    }
  }
  expect([...unlogged]).toEqual([]);
  expect([...seen]).toEqual(expect.arrayContaining(MET));
});
