import { applyD1Migrations, type D1Migration } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import type { JWK } from 'jose';
import { vi } from 'vitest';
import { emptyDatabase, putBack, snapshotOf, type Snapshot } from '../support/d1-snapshot.ts';
import type app from '../../worker/src/app.ts';
import type { Env } from '../../worker/src/lib/config.ts';

declare global {
  namespace Cloudflare {
    interface Env extends ApiEnv {
      MIGRATIONS: D1Migration[];
      PLANTS_MIGRATIONS: D1Migration[];
      /** A database that no part of the product is bound to. */
      ELSEWHERE: D1Database;
      /** The identity provider's private key. */
      IDENTITY_KEY: JWK & { kid: string };
    }
    interface GlobalProps {
      mainModule: { default: typeof app };
    }
  }
}
type ApiEnv = Env;

export const ORIGIN = 'https://lab.test';
export const IDENTITY = 'http://identity.test/dev/identity';
/** Everybody's name here, unless a claim says otherwise. */
export const NAME = '나린솔';

/** Brings this file's databases up as the real migrations do; the file before it had the same runtime. */
export async function migrateDatabase(): Promise<void> {
  const { objects } = await env.FILES.list();
  await env.FILES.delete(objects.map(({ key }) => key));
  await migrated(env.DB, env.MIGRATIONS);
  await migrated(env.PLANTS_DB, env.PLANTS_MIGRATIONS);
  // Rates count by user: those of another file are others.
  firstUser += 1000;
  await env.DB.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('users', ?)").bind(firstUser).run();
}

let firstUser = 0;

/** What each list of migrations makes, since this runtime replayed it. */
const made = new Map<string, Snapshot>();

/** Makes the database what the migrations make of an empty one. */
export async function migrated(db: D1Database, migrations: D1Migration[]): Promise<void> {
  const key = JSON.stringify(migrations);
  const snapshot = made.get(key);
  if (snapshot) return await putBack(db, snapshot);
  await emptyDatabase(db);
  await applyD1Migrations(db, migrations);
  made.set(key, await snapshotOf(db));
}

/** A request to the API worker, as a browser on its origin or a program without headers sends it. */
export function api(path: string, init: RequestInit = {}): Promise<Response> {
  return exports.default.fetch(new Request(`${ORIGIN}/api${path}`, { redirect: 'manual', ...init }));
}

/** A credential that the identity provider signed; `claims` override its own. */
export async function credential(email: string, claims: Record<string, unknown> = {}): Promise<string> {
  const answer = await fetch(`${IDENTITY}/credential`, {
    method: 'POST',
    body: JSON.stringify({ email, name: NAME, claims }),
  });
  const body: { credential: string } = await answer.json();
  return body.credential;
}

/** From an address of its own, so that no test uses up another one's sign-ins. */
export async function login(token: string, headers: Record<string, string> = {}): Promise<Response> {
  const address = { 'cf-connecting-ip': crypto.randomUUID() };
  return await api('/login', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...address, ...headers },
  });
}

/** Signs in and returns the Cookie header of the session; with a level, sets the user's level first. */
export async function sessionOf(email: string, level?: number): Promise<string> {
  const answer = await login(await credential(email));
  if (level !== undefined) {
    await env.DB.prepare('UPDATE users SET secure_level = ? WHERE email = ?').bind(level, email).run();
  }
  return sessionCookie(answer) ?? '';
}

/** `name=value` of the session cookie that an answer sets, or undefined. */
export function sessionCookie(answer: Response): string | undefined {
  const cookies = answer.headers.getSetCookie();
  return cookies.find((cookie) => /^__Host-session=[^;]/.test(cookie))?.split(';')[0];
}

export async function count(table: 'users' | 'sessions'): Promise<number> {
  return (await env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>('n')) ?? -1;
}

const IN_PLANTS_DB = /^(plants|plant_\w+|bridge_keys|bridge_heartbeats)$/;

/** The database that the table is in. */
export const holderOf = (table: string): D1Database => (IN_PLANTS_DB.test(table) ? env.PLANTS_DB : env.DB);

/** The statement, for the database that holds the first table that it names. */
export function prepare(sql: string): D1PreparedStatement {
  const [, table = ''] =
    /\b(?:FROM|INTO|UPDATE|TABLE|ON)\s+(?!n\b|numbers\b)(?:hidden_)?(\w+)/.exec(sql) ?? [];
  return holderOf(table).prepare(sql);
}

async function contentsOf(db: D1Database): Promise<Record<string, unknown[]>> {
  const { results } = await db
    .prepare("SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main'")
    .all<{ name: string }>();
  const names = results.map(({ name }) => name).filter((name) => !/^(sqlite|_cf|d1_)/.test(name));
  const tables = await db.batch(names.map((name) => db.prepare(`SELECT * FROM ${name}`)));
  return Object.fromEntries(names.map((name, at) => [name, tables[at]?.results ?? []]));
}

/** Every row of every table of both databases, by table; without the minute in which a session was used last. */
export async function contents(): Promise<Record<string, unknown[]>> {
  const { sessions = [], ...tables } = await contentsOf(env.DB);
  const timeless = sessions.map((row): unknown => Object.assign(Object(row), { last_used_at: 0 }));
  return { ...tables, sessions: timeless, ...(await contentsOf(env.PLANTS_DB)) };
}

/** Makes every part of the product stand, as far as GET /api/health can tell. */
export async function standingBridge(): Promise<void> {
  await env.PLANTS_DB.batch([
    env.PLANTS_DB.prepare(
      "INSERT INTO bridge_keys (bridge_id, key, created_at) VALUES ('bridge', hex(zeroblob(16)), 0)",
    ),
    env.PLANTS_DB.prepare(
      "INSERT INTO bridge_heartbeats (bridge_id, broker_connected, reported_at, valid_until) VALUES ('bridge', 1, ?, ?)",
    ).bind(Date.now(), Date.now() + 3_600_000),
  ]);
  // For a second everybody is told what the file before heard, which shared this runtime.
  await vi.waitUntil(async () => (await api('/health')).ok, { timeout: 30_000, interval: 100 });
}
