import { applyD1Migrations, type D1Migration } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { z } from 'zod';
import {
  BRIDGE_CLOCK_HEADER,
  SERVER_CLOCK_VALUE,
  readingReceiptSchema,
  textToSign,
  type ReadingIngestResult,
} from '#contract/readings';

declare global {
  namespace Cloudflare {
    interface Env {
      PLANTS_DB: D1Database;
      MIGRATIONS: D1Migration[];
    }
  }
}

export const BRIDGE_ID = 'greenhouse';
export const KEY = 'a key for tests that nobody else uses';
export const OTHER_KEY = 'another key for tests, for a while';

const encoder = new TextEncoder();

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function hmac(key: string, text: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', encoder.encode(key), algorithm, false, ['sign']);
  return hex(await crypto.subtle.sign('HMAC', imported, encoder.encode(text)));
}

export type Signing = {
  key?: string;
  bridgeId?: string;
  secondsOff?: number;
  path?: string;
  /** Whether the bridge reports that its receipt times are by the server's clock. */
  stampedByServer?: boolean;
  /** Further headers. */
  beside?: Record<string, string>;
};

/** The three signature headers for this path and body, as a bridge makes them. */
export async function signature(
  path: string,
  body: Uint8Array<ArrayBuffer>,
  { key = KEY, bridgeId = BRIDGE_ID, secondsOff = 0 }: Signing = {},
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(Date.now() / 1000) + secondsOff);
  const bodyHash = hex(await crypto.subtle.digest('SHA-256', body));
  return {
    'x-bridge-id': bridgeId,
    'x-bridge-timestamp': timestamp,
    'x-bridge-signature': await hmac(key, textToSign(timestamp, 'POST', path, bodyHash)),
  };
}

export function bytesOf(content: unknown): Uint8Array<ArrayBuffer> {
  return new Uint8Array(encoder.encode(typeof content === 'string' ? content : JSON.stringify(content)));
}

export function send(path: string, init?: RequestInit): Promise<Response> {
  return exports.default.fetch(new Request(`https://ingest.test${path}`, init));
}

/** POSTs a signed body: text and bytes unchanged, other values as JSON. */
export async function post(path: string, content: unknown, signing: Signing = {}): Promise<Response> {
  const body = content instanceof Uint8Array ? new Uint8Array(content) : bytesOf(content);
  const clock: Record<string, string> = signing.stampedByServer
    ? { [BRIDGE_CLOCK_HEADER]: SERVER_CLOCK_VALUE }
    : {};
  const headers = { ...(await signature(signing.path ?? path, body, signing)), ...clock, ...signing.beside };
  return send(path, { method: 'POST', body, headers });
}

export async function postReadings(
  readings: unknown[],
  signing: Signing = {},
): Promise<ReadingIngestResult[]> {
  const response = await post('/readings', { readings }, signing);
  if (response.status !== 200) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
  return readingReceiptSchema.parse(await response.json()).results;
}

export const NOW = Date.now();

export function instant(msFromNow: number): string {
  return new Date(NOW + msFromNow).toISOString();
}

/** A reading in the format of a bridge, received now and measured one second before. */
export function reading(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    plant: 'fern',
    datetime: instant(-1000),
    soil_moisture: 512,
    received_at: instant(0),
    ...changes,
  };
}

/** An empty database with the real tables and one key for every plant. */
export async function freshDatabase(): Promise<void> {
  tables ??= await tablesOfMigrations();
  await env.PLANTS_DB.batch(
    ['PRAGMA defer_foreign_keys = ON', ...tables.map((table) => `DELETE FROM ${table}`)].map((sql) =>
      env.PLANTS_DB.prepare(sql),
    ),
  );
  await addKey(KEY);
}

/** Set when this runtime has run the migrations; no test changes the tables. */
let tables: string[] | undefined;

async function tablesOfMigrations(): Promise<string[]> {
  await applyD1Migrations(env.PLANTS_DB, env.MIGRATIONS);
  const { results } = await env.PLANTS_DB.prepare(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'
     AND name <> 'd1_migrations'`,
  ).all<{ name: string }>();
  return results.map(({ name }) => name);
}

/** A key for plants, by their ids; null for all of them. */
export async function addKey(key: string, plants: string[] | null = null): Promise<void> {
  await env.PLANTS_DB.prepare(
    'INSERT INTO bridge_keys (bridge_id, key, plants, created_at) VALUES (?1, ?2, ?3, ?4)',
  )
    .bind(BRIDGE_ID, key, plants === null ? null : JSON.stringify(plants), NOW)
    .run();
}

export async function revoke(key: string): Promise<void> {
  await env.PLANTS_DB.prepare('UPDATE bridge_keys SET revoked_at = ?1 WHERE key = ?2').bind(NOW, key).run();
}

const storedSchema = z.array(
  z.object({
    plant: z.string(),
    measured_at: z.int(),
    // z.number(), because NO_SEQ is not a safe integer.
    seq: z.number(),
    soil_moisture: z.int(),
    received_at: z.int(),
    refused_time: z.int().nullable(),
  }),
);

export async function stored(): Promise<z.infer<typeof storedSchema>> {
  const { results } = await env.PLANTS_DB.prepare(
    `SELECT plants.name AS plant, measured_at, seq, soil_moisture, received_at, refused_time
     FROM plant_readings JOIN plants ON plants.id = plant_id ORDER BY plant, measured_at, seq`,
  ).all();
  return storedSchema.parse(results);
}
