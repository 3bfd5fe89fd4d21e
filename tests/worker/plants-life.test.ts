import type { PlantRecord, HiddenPlants, PlantState, PublicPlant } from '#contract/plants';
import { database } from '#db/client';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { deleteRemovedPlantData } from '../../worker/src/plants/lifecycle-data.ts';
import { call } from './client.ts';
import { tellReadings } from '../support/store-readings.ts';
import { defaults, getPlants, HOUR, putSettings, START, store, storeAt, withPlant } from './plant.ts';
import { api } from './support.ts';

withPlant();

const hide = (body: object, query = 'plant=basil') => call(`/plants/hidden?${query}`, 'PUT', body);
const remove = (query = 'plant=basil') => call(`/plants?${query}`, 'DELETE');
const rename = (name: string, query = 'plant=basil', version?: number) =>
  call(`/plants/settings?${query}`, 'PUT', { ...defaults, name, ...(version && { version }) });
const states = async () => (await getPlants<PlantState[]>('/states')).map(({ plant }) => plant);
const hidden = () => getPlants<HiddenPlants>('/hidden');
const count = async (table: string) =>
  await env.PLANTS_DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>('n');
const logged = async () => {
  const { results } = await env.DB.prepare(
    "SELECT action, detail FROM access_log WHERE subject = 'plant' ORDER BY id",
  ).all<{ action: string; detail: string }>();
  return results.map(({ action, detail }): unknown => ({ action, detail: JSON.parse(detail) }));
};
const publicPlant = async (): Promise<PublicPlant | null> => await (await api('/plants/public')).json();
/** As the ingest worker finds a plant. */
const topics = async () =>
  (await env.PLANTS_DB.prepare('SELECT topic FROM plants ORDER BY id').all<{ topic: string }>()).results.map(
    ({ topic }) => topic,
  );

describe('a name', () => {
  test('PLT-13 changes everywhere with its history, and the topic stays', async () => {
    await storeAt([[Date.now(), 512]]);
    await putSettings({ ...defaults, is_public: true });
    const answer = await rename('  창가 바질 ');
    expect(await answer.json()).toMatchObject({ name: '창가 바질', version: 3 });
    expect(await getPlants<PlantState[]>('/states')).toMatchObject([
      { plant: '창가 바질', topic: 'basil', readings: 1, is_public: true },
    ]);
    const query = new URLSearchParams({ plant: '창가 바질' }).toString();
    expect(await getPlants<PlantRecord[]>(`?${query}`)).toMatchObject([{ plant: '창가 바질' }]);
    expect(await getPlants<PlantRecord[]>('?plant=basil')).toEqual([]);
    expect(await (await call(`/plants/csv?${query}`)).text()).toMatch(/,창가 바질,512,.*,basil\r\n$/);
    expect(await (await call('/find')).json()).toMatchObject({ plants: ['창가 바질'] });
    expect(await publicPlant()).toMatchObject({ plant: '창가 바질' });
    expect(await topics()).toEqual(['basil']);
    expect((await logged()).at(-1)).toEqual({
      action: 'change',
      detail: { plant: 'basil', name: ['basil', '창가 바질'] },
    });
  });

  test.each(['fern', '고사리'])(
    'PLT-13 is not %s, which is the topic or the name of another plant',
    async (name) => {
      await env.PLANTS_DB.prepare("INSERT INTO plants (name, topic) VALUES ('고사리', 'fern')").run();
      const before = await logged();
      const answer = await rename(name, 'plant=basil', 1);
      expect(answer.status).toBe(409);
      expect(await answer.json()).toEqual({
        error: { code: 'conflict', message: '다른 화분이 쓰는 이름입니다', field: 'name' },
      });
      expect(await states()).toEqual(['basil', '고사리']);
      expect(await logged()).toEqual(before);
      // Another plant may be called as the topic that it has itself.
      expect((await rename('fern', 'topic=fern')).status).toBe(200);
    },
  );

  test('PLT-24 has one spelling: what looks like the name of another plant is that name', async () => {
    await env.PLANTS_DB.prepare("INSERT INTO plants (name) VALUES ('tom'), ('고무나무')").run();
    for (const name of ['tom ', 'tom\u200b', 'ｔｏｍ', 'tom\ufe0f', '고무나무'.normalize('NFD')]) {
      const answer = await rename(name);
      expect([name, answer.status]).toEqual([name, 409]);
    }
    expect(await (await rename('창가\u3000\u3000고무나무\ufe0f')).json()).toMatchObject({
      name: '창가 고무나무',
    });
  });

  test.each(['', '   ', 'a/b', 'a+b', 'fern #2', 'x'.repeat(65), 'a\u0007b', '\u202e'])(
    'PLT-13 is not %j',
    async (name) => {
      const answer = await rename(name);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: { field: 'name' } });
    },
  );

  test('PLT-13 WORK-4 that somebody else has changed meanwhile is told, and found by the topic', async () => {
    await rename('바질', 'topic=basil', 1);
    const late = await rename('허브', 'topic=basil', 1);
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({ error: { current: { name: '바질', version: 2 } } });
    expect((await rename('허브', 'plant=basil', 1)).status).toBe(404);
    expect((await rename('허브', 'topic=basil&plant=basil')).status).toBe(400);
    expect((await rename('허브', '')).status).toBe(400);
    expect((await rename('허브', 'topic=basil', 2)).status).toBe(200);
  });

  test('PLT-13 that ingest gave beside another plant can be asked for and changed', async () => {
    await env.PLANTS_DB.prepare("INSERT INTO plants (id, name, topic) VALUES (7, 'moss #7', 'moss')").run();
    const query = new URLSearchParams({ plant: 'moss #7' }).toString();
    expect(await getPlants<PlantRecord[]>(`?${query}`)).toEqual([]);
    expect((await rename('이끼', query)).status).toBe(200);
    expect(await states()).toEqual(['basil', '이끼']);
  });
});

describe('a hidden plant', () => {
  test('PLT-13 is on no screen and closed to the public, keeps what is measured, and comes back', async () => {
    await store([1000, 1002, 1001, 1003, 1000, 1002, 1001, 1003]);
    await putSettings({ ...defaults, is_public: true });
    expect(await getPlants<PlantState[]>('/states')).toMatchObject([{ alert_since: expect.any(String) }]);
    expect((await hide({ is_hidden: true, version: 2 })).status).toBe(200);
    await storeAt([[START + 2 * HOUR, 1010]]);
    expect(await states()).toEqual([]);
    for (const path of ['', '/waterings']) expect(await getPlants<unknown[]>(path)).toEqual([]);
    expect((await (await call('/plants/csv')).text()).trim().split('\n')).toHaveLength(1);
    expect(await publicPlant()).toBeNull();
    expect(await (await call('/find')).json()).toMatchObject({ plants: [] });
    expect(await (await call('/awaiting')).json()).toMatchObject({ plants: { dry_plants: 0 } });
    // Who asks for it by its name gets it: its readings are saved before it is removed.
    expect(await getPlants<unknown[]>('?plant=basil')).toHaveLength(9);
    expect((await (await call('/plants/csv?plant=basil')).text()).trim().split('\n')).toHaveLength(10);
    expect(await hidden()).toEqual({
      hidden: [
        {
          plant: 'basil',
          topic: 'basil',
          version: 3,
          readings: 9,
          last_datetime: '2026-03-02T02:00:00.000Z',
        },
      ],
      removed: [],
    });
    expect((await hide({ is_hidden: false }, 'topic=basil')).status).toBe(200);
    expect(await getPlants<PlantState[]>('/states')).toMatchObject([
      { readings: 9, is_public: false, version: 4 },
    ]);
    expect((await logged()).slice(-2)).toEqual([
      { action: 'change', detail: { plant: 'basil', is_hidden: [0, 1], is_public: [1, 0] } },
      { action: 'change', detail: { plant: 'basil', is_hidden: [1, 0] } },
    ]);
  });

  test('PLT-13 WORK-4 is hidden as it was seen: another version is refused, and so is an unknown plant', async () => {
    await putSettings(defaults);
    const before = await logged();
    expect((await hide({ is_hidden: true, version: 1 })).status).toBe(409);
    expect((await hide({ is_hidden: true }, 'plant=cactus')).status).toBe(404);
    // It is so already, whoever did it.
    expect((await hide({ is_hidden: false, version: 1 })).status).toBe(200);
    expect(await logged()).toEqual(before);
    expect(await states()).toEqual(['basil']);
  });
});

describe('a removed plant', () => {
  test('PLT-13 is gone at once, with its topic free for a new one, and what is left goes bit by bit', async () => {
    const day = Array.from({ length: 50 }, (_, step) => [START + step * HOUR, 400] as const);
    await storeAt(day);
    expect(await count('plant_rollups')).toBeGreaterThan(100);
    await putSettings({ ...defaults, is_public: true });
    expect((await remove('topic=basil&version=2')).status).toBe(200);
    expect(await states()).toEqual([]);
    for (const path of ['', '?plant=basil', '/waterings'])
      expect(await getPlants<unknown[]>(path)).toEqual([]);
    expect(await publicPlant()).toBeNull();
    expect((await remove('topic=basil')).status).toBe(404);
    expect((await logged()).at(-1)).toEqual({
      action: 'delete',
      detail: { plant: 'basil', topic: 'basil', readings: 50 },
    });
    const { removed } = await hidden();
    expect(removed).toMatchObject([{ plant: 'basil', readings_left: 50 }]);

    // What its board had said before stays away, and what it says now begins anew.
    await tellReadings(env.PLANTS_DB, [['basil', START, 8]]);
    expect(await states()).toEqual([]);
    await tellReadings(env.PLANTS_DB, [['basil', 0, 7, Date.now() + HOUR]]);
    const db = database(env.PLANTS_DB);
    expect(await deleteRemovedPlantData(db, 20, 2)).toBe(40);
    expect((await hidden()).removed).toMatchObject([{ plant: 'basil', readings_left: 10 }]);
    expect(await deleteRemovedPlantData(db)).toBe(10);
    expect(await hidden()).toEqual({ hidden: [], removed: [] });
    expect(await topics()).toEqual(['basil']);
    expect([await count('plant_readings'), await count('plant_rollups')]).toEqual([1, 7]);
    expect(await deleteRemovedPlantData(db)).toBe(0);
  });

  test('PLT-13 WORK-4 is removed as it was seen, also when it was hidden', async () => {
    await putSettings(defaults);
    const before = await logged();
    expect((await remove('plant=basil&version=1')).status).toBe(409);
    expect((await remove('plant=cactus')).status).toBe(404);
    expect((await remove('plant=basil&version=x')).status).toBe(400);
    expect(await logged()).toEqual(before);
    await hide({ is_hidden: true });
    expect((await remove('plant=basil&version=3')).status).toBe(200);
    expect(await hidden()).toMatchObject({ hidden: [], removed: [{ plant: 'basil', readings_left: 0 }] });
    await deleteRemovedPlantData(database(env.PLANTS_DB));
    expect(await count('plants')).toBe(0);
  });
});
