import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect } from 'vitest';
import { asAdmin, call } from './client.ts';
import { migrateDatabase } from './support.ts';

export const START = Date.parse('2026-03-02T00:00:00Z');
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const defaults = { dry: null, wet: null, alert_below: 20, alert_clear: 25, stale_after_minutes: 60 };

/** Gives each test of the file an admin and the plant 'basil', which has just come into being. */
export function withPlant(): void {
  beforeAll(migrateDatabase);
  asAdmin();
  beforeEach(freshPlant);
}

export async function freshPlant(): Promise<void> {
  await env.DB.batch([
    env.DB.prepare('DELETE FROM plant_readings'),
    env.DB.prepare('DELETE FROM plants'),
    env.DB.prepare("INSERT INTO plants (id, name) VALUES (1, 'basil')"),
  ]);
}

/** Stores readings of 'basil': instant and raw value. */
export async function storeAt(readings: (readonly [number, number])[]): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
     SELECT 1, value ->> 0, 0, value ->> 1, (value ->> 0) + 500 FROM json_each(?)`,
  )
    .bind(JSON.stringify(readings))
    .run();
}

/** Stores raw values of 'basil', each so many minutes after the one before. */
export async function store(values: number[], { pause = 10, from = START } = {}): Promise<void> {
  await storeAt(values.map((value, at) => [from + at * pause * MINUTE, value] as const));
}

export async function getPlants<T>(path: string): Promise<T> {
  const answer = await call(`/plants${path}`);
  expect(answer.status).toBe(200);
  return await answer.json();
}

export function putSettings(settings: unknown, plant = 'basil'): Promise<Response> {
  return call(`/plants/settings?${new URLSearchParams({ plant })}`, 'PUT', settings);
}
