import type { PlantRecord, PlantsAway, PlantState, Watering } from '#contract/plants';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { tellReadings } from '../support/store-readings.ts';
import { call } from './client.ts';
import { defaults, getPlants, HOUR, START, withPlant } from './plant.ts';

withPlant();

const WATERED = [900, 900, 300];
const IDS = ['basil', 'moss-lab/basil', 'moss-lab/이끼', 'reed-lab/basil'];

beforeEach(async () => {
  await tellReadings(
    env.PLANTS_DB,
    IDS.flatMap((id, number) =>
      WATERED.map((raw, at) => [id, START + at * (HOUR / 6), raw + number, START] as const),
    ),
  );
});

/** Every list of a group, by the names in it. */
async function listsOf(query: string): Promise<Record<string, string[]>> {
  const names = (rows: readonly { plant: string }[]) => [...new Set(rows.map(({ plant }) => plant))].sort();
  const csv = await (await call(`/plants/csv${query}`)).text();
  return {
    states: names(await getPlants<PlantState[]>(`/states${query}`)),
    readings: names(await getPlants<PlantRecord[]>(query)),
    waterings: names(await getPlants<Watering[]>(`/waterings${query}`)),
    csv: [
      ...new Set(
        csv
          .trim()
          .split('\r\n')
          .slice(1)
          .map((line) => line.split(',').at(-1) ?? ''),
      ),
    ].sort(),
  };
}

test('ING-16 PLT-5 each list is of one group, by the names within it, or of all', async () => {
  const everyList = (plants: string[], csv = plants) => ({
    states: plants,
    readings: plants,
    waterings: plants,
    csv,
  });
  expect(await listsOf('')).toEqual(everyList(IDS));
  expect(await listsOf('?group=')).toEqual(everyList(['basil']));
  expect(await listsOf('?group=moss-lab')).toEqual(
    everyList(['basil', '이끼'], ['moss-lab/basil', 'moss-lab/이끼']),
  );
  expect(await listsOf('?group=nobodys')).toEqual(everyList([]));
  // The sensor reads less where it is wetter, so that nothing is thirsty.
  expect(await getPlants('/groups')).toEqual(
    ['', 'moss-lab', 'reed-lab'].map((group) => ({ group, thirsty: 0 })),
  );
});

test('ING-16 PLT-8 each group says how many of its plants need water, hidden ones apart', async () => {
  const thirsty =
    "UPDATE plant_states SET alert_since = 1, is_hidden = (plant_id % 2) WHERE plant_id IN (SELECT id FROM plants WHERE topic LIKE 'moss-lab/%')";
  await env.PLANTS_DB.prepare(thirsty).run();
  expect(await getPlants('/groups')).toMatchObject([
    { thirsty: 0 },
    { group: 'moss-lab', thirsty: 1 },
    { thirsty: 0 },
  ]);
});

test('ING-16 a plant is asked for by its name within the group', async () => {
  const rawOf = async (query: string) =>
    (await getPlants<PlantRecord[]>(query)).map(({ plant, soil_moisture }) => [plant, soil_moisture]);
  expect(await rawOf('?group=&plant=basil')).toEqual(WATERED.map((raw) => ['basil', raw]));
  expect(await rawOf('?group=moss-lab&plant=basil')).toEqual(WATERED.map((raw) => ['basil', raw + 1]));
  expect(await rawOf('?plant=moss-lab/basil')).toEqual(WATERED.map((raw) => ['moss-lab/basil', raw + 1]));
  const csv = await (await call('/plants/csv?group=reed-lab&plant=basil')).text();
  expect(csv.trim().split('\r\n')).toHaveLength(1 + WATERED.length);
});

test('ING-16 PUB-19 a visitor reads the name of the open plant without its group, and one of all groups is open', async () => {
  const open = (topic: string) =>
    call(`/plants/settings?${new URLSearchParams({ topic })}`, 'PUT', { ...defaults, is_public: true });
  expect((await open('reed-lab/basil')).status).toBe(200);
  expect((await open('moss-lab/이끼')).status).toBe(200);
  expect(await getPlants('/public')).toMatchObject({ plant: '이끼' });
  const isOpen = (await getPlants<PlantState[]>('/states')).filter(({ is_public }) => is_public);
  expect(isOpen.map(({ topic }) => topic)).toEqual(['moss-lab/이끼']);
});

test('ING-16 PLT-13 what is hidden or removed stands with its group', async () => {
  const change = (path: string, method: string, body?: unknown) => call(`/plants${path}`, method, body);
  expect((await change('/hidden?topic=moss-lab/basil', 'PUT', { is_hidden: true })).status).toBe(200);
  expect((await change('?topic=moss-lab/이끼', 'DELETE')).status).toBe(200);
  const away = async (query: string) => {
    const { hidden, removed } = await getPlants<PlantsAway>(`/away${query}`);
    return [hidden.map(({ plant }) => plant), removed.map(({ plant }) => plant)];
  };
  expect(await away('')).toEqual([['moss-lab/basil'], ['moss-lab/이끼']]);
  expect(await away('?group=moss-lab')).toEqual([['basil'], ['이끼']]);
  expect(await away('?group=')).toEqual([[], []]);
  expect(await getPlants('/groups')).toMatchObject([
    { group: '' },
    { group: 'moss-lab' },
    { group: 'reed-lab' },
  ]);
});

test.each(['Moss', 'plants', 'moss/lab', '-', '%'])('ING-16 SEC-8 %j is no group', async (group) => {
  expect((await call(`/plants/states?${new URLSearchParams({ group })}`)).status).toBe(400);
});
