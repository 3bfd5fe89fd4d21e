import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import worker from '../../worker/src/app.ts';
import { shareOrAll } from '../support/counts.ts';
import { callerOf, guardedRoutes, rowOf, validCall, type Call, type Caller } from './route-table.ts';
import { api, contents, migrateDatabase, ORIGIN, standingBridge } from './support.ts';

beforeAll(async () => {
  await migrateDatabase();
  await standingBridge();
});

const lower = async ({ id }: Caller) => {
  await env.DB.prepare('UPDATE users SET secure_level = 10 WHERE id = ?').bind(id).run();
};

/** How somebody can lose what they may, and what they are answered then. */
const losses: Record<string, { lose: (caller: Caller) => Promise<void>; status: number }> = {
  'whose level is lowered': { lose: lower, status: 403 },
  'who is deleted': {
    lose: async ({ id }) => {
      await env.DB.prepare('DELETE FROM users WHERE id = ?').bind(id).run();
    },
    status: 401,
  },
  'who signs out': {
    lose: async ({ cookie }) => {
      await (await api('/logout', { method: 'POST', headers: { cookie } })).text();
    },
    status: 401,
  },
};

/** Somebody else stays an admin. */
const adminToBe = async () => {
  await callerOf(1);
  return await callerOf(1);
};

/** The request, whose body comes only after `first`. */
async function sendAfter(first: () => Promise<void>, { path, query = '', method, headers, ...call }: Call) {
  const whole = new Request(ORIGIN, { method: 'POST', body: call.form ?? call.body ?? null });
  const type = whole.headers.get('content-type') ?? '';
  const bytes = await whole.bytes();
  let isAsked = false;
  const body = new ReadableStream(
    {
      pull: async (controller) => {
        isAsked = true;
        await first();
        controller.enqueue(bytes);
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const request = new Request(`${ORIGIN}/api${path}${query}`, {
    method,
    headers: { 'content-type': type, ...headers },
    body,
  });
  const answer = await worker.fetch(request, env, createExecutionContext());
  await answer.text();
  return { status: answer.status, isAsked };
}

const calls = new Map<string, (caller: Caller) => Promise<Call>>(
  guardedRoutes.map((route) => [route, (caller) => validCall(route, caller)]),
);

describe.each(shareOrAll(1, Object.entries(losses)))(
  'SEC-65 somebody %s while the body is on its way',
  (_, loss) => {
    test.each(guardedRoutes)('can do nothing by it: %s', async (route) => {
      const caller = await adminToBe();
      const call = await calls.get(route)?.(caller);
      // Without a body there is nothing to hold back.
      if (call === undefined || (call.body === undefined && call.form === undefined)) return;
      // Everybody signed in may register a number of their own.
      const status = rowOf(route).level > 10 && loss.status === 403 ? 200 : loss.status;
      let before: unknown;
      const { isAsked, ...answer } = await sendAfter(async () => {
        await loss.lose(caller);
        before = await contents();
      }, call);
      expect(isAsked).toBe(true);
      expect(answer.status).toBe(status);
      expect(status === 200 ? before : await contents()).toEqual(before);
    });
  },
);

/** The object with some of its methods replaced. */
function withMethods<T extends object>(of: T, methods: Record<string, unknown>): T {
  return new Proxy(of, {
    get: (target, name) => {
      const own: unknown = methods[String(name)] ?? Reflect.get(target, name);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
}

/**
 * The environment of a request, in which something happens between the look at the session and the first write: of DB right
 * before it, of PLANTS_DB, which asks DB again, right before that.
 */
function envWith(beforeWrite: () => Promise<void>) {
  let isDone = false;
  let isPlants = false;
  const once = async () => {
    if (!isDone) await beforeWrite();
    isDone = true;
  };
  const batch = async (statements: D1PreparedStatement[]) => {
    await once();
    return await env.DB.batch(statements);
  };
  const late = (statement: D1PreparedStatement): D1PreparedStatement =>
    withMethods(statement, {
      bind: (...values: unknown[]) => late(statement.bind(...values)),
      raw: async () => {
        await once();
        return await statement.raw();
      },
      all: async () => {
        await once();
        return await statement.all();
      },
    });
  const DB = withMethods(env.DB, {
    batch,
    prepare: (query: string) => (isPlants ? late(env.DB.prepare(query)) : env.DB.prepare(query)),
  });
  const PLANTS_DB = withMethods(env.PLANTS_DB, {
    prepare: (query: string) => {
      isPlants ||= !/^\s*select/i.test(query);
      return env.PLANTS_DB.prepare(query);
    },
  });
  return { env: { ...env, DB, PLANTS_DB }, isReached: () => isDone };
}

const changing = guardedRoutes.filter((route) => !route.startsWith('GET '));

test.each(changing)(
  'SEC-84 somebody whose level is lowered between the look and the write changes nothing: %s',
  async (route) => {
    const caller = await adminToBe();
    const { path, query = '', method, headers, body, form } = await validCall(route, caller);
    let before: unknown;
    const { env: between, isReached } = envWith(async () => {
      await lower(caller);
      before = await contents();
    });
    const sent = form ?? body;
    const request = new Request(`${ORIGIN}/api${path}${query}`, {
      method,
      headers,
      ...(sent !== undefined && { body: sent }),
    });
    const answer = await worker.fetch(request, between, createExecutionContext());
    await answer.text();
    // Everybody signed in may register a number of their own.
    if (rowOf(route).level > 10) return;
    expect(isReached()).toBe(true);
    expect(answer.status).toBe(403);
    expect(await contents()).toEqual(before);
  },
);

const WRITES = /^\s*(insert|update|delete|with\b.*\b(insert into|update|delete from)\b)/is;

/**
 * The environment of a request, and each write in it before which nothing asks whether its sender still may: of DB in its
 * transaction, of PLANTS_DB right before.
 */
function watchedEnv() {
  const unasked: string[] = [];
  let isAsked = false;
  const watched = (db: D1Database, isGuarded: (first: string) => boolean) => {
    const plain = new WeakMap<object, { statement: D1PreparedStatement; query: string }>();
    const seen = (statement: D1PreparedStatement, query: string): D1PreparedStatement => {
      const alone = (run: () => Promise<unknown>) => async () => {
        if (WRITES.test(query)) unasked.push(query);
        isAsked ||= db === env.DB && query.includes('"sessions"');
        return await run();
      };
      const proxy = withMethods(statement, {
        bind: (...values: unknown[]) => seen(statement.bind(...values), query),
        run: alone(() => statement.run()),
        all: alone(() => statement.all()),
        raw: alone(() => statement.raw()),
      });
      plain.set(proxy, { statement, query });
      return proxy;
    };
    const batch = async (statements: D1PreparedStatement[]) => {
      const all = statements.flatMap((each) => plain.get(each) ?? []);
      const writes = all.filter(({ query }) => WRITES.test(query));
      if (!isGuarded(all[0]?.query ?? '')) unasked.push(...writes.map(({ query }) => query));
      return await db.batch(all.map(({ statement }) => statement));
    };
    return withMethods(db, { batch, prepare: (query: string) => seen(db.prepare(query), query) });
  };
  const DB = watched(env.DB, (first) => first.includes('not admitted any more'));
  const PLANTS_DB = watched(env.PLANTS_DB, () => {
    const wasAsked = isAsked;
    isAsked = false;
    return wasAsked;
  });
  return { env: { ...env, DB, PLANTS_DB }, unasked };
}

test.each(changing)('SEC-84 %s writes nothing before it asks whether its sender still may', async (route) => {
  const { path, query = '', method, headers, body, form } = await validCall(route, await adminToBe());
  const sent = form ?? body;
  const request = new Request(`${ORIGIN}/api${path}${query}`, {
    method,
    headers,
    ...(sent !== undefined && { body: sent }),
  });
  const watched = watchedEnv();
  const answer = await worker.fetch(request, watched.env, createExecutionContext());
  await answer.text();
  expect(answer.ok).toBe(true);
  expect(watched.unasked).toEqual([]);
});

test('SEC-65 an admin who is demoted stays so, however fast they make themselves one again', async () => {
  const boss = await callerOf(1);
  const racer = await callerOf(1);
  const put = (as: Caller, secureLevel: number) =>
    api(`/users/${racer.id}`, {
      method: 'PUT',
      headers: { cookie: as.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ secureLevel }),
    });
  const again = () => Array.from({ length: 10 }, () => put(racer, 1));
  const answers = await Promise.all([...again(), put(boss, 10), ...again()]);
  expect(answers[10]?.status).toBe(200);
  const level = env.DB.prepare('SELECT secure_level FROM users WHERE id = ?').bind(racer.id);
  expect(await level.first('secure_level')).toBe(10);
});
