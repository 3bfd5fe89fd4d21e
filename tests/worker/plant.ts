import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect } from 'vitest';
import { asAdmin, call } from './client.ts';
import { setMark, tellReadings } from '../support/store-readings.ts';
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

/** Until three days after START rollups are written, as a run has done it; later ones are not. */
export async function freshPlant(): Promise<void> {
  await env.PLANTS_DB.batch([
    env.PLANTS_DB.prepare('DELETE FROM plant_readings'),
    env.PLANTS_DB.prepare('DELETE FROM plants'),
    env.PLANTS_DB.prepare("INSERT INTO plants (id, name) VALUES (1, 'basil')"),
  ]);
  await setMark(env.PLANTS_DB, START + 3 * DAY);
}

/** Stores readings of 'basil': instant and raw value. */
export async function storeAt(readings: (readonly [number, number])[]): Promise<void> {
  await tellReadings(
    env.PLANTS_DB,
    readings.map(([at, raw]) => ['basil', at, raw, at + 500] as const),
  );
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
