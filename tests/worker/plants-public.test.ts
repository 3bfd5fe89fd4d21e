import type { PlantState, PublicPlant, StoredSettings } from '#contract/plants';
import { database } from '#db/client';
import { writeRollups } from '../../worker/src/plants/rollups-data.ts';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { call } from './client.ts';
import { DAY, defaults, getPlants, HOUR, MINUTE, putSettings, storeAt, withPlant } from './plant.ts';
import { tellReadings } from '../support/store-readings.ts';
import { api } from './support.ts';

withPlant();
beforeEach(async () => {
  await env.PLANTS_DB.prepare("INSERT INTO plants (id, name) VALUES (2, 'fern')").run();
});

const read = async (): Promise<PublicPlant | null> => await (await api('/plants/public')).json();
const open = (settings: object = {}, plant = 'basil') =>
  putSettings({ ...defaults, is_public: true, ...settings }, plant);
const thisHour = () => Math.floor(Date.now() / HOUR) * HOUR;

describe('GET /api/plants/public', () => {
  test('PUB-19 is null while no plant is open', async () => {
    await storeAt([[Date.now(), 500]]);
    const answer = await api('/plants/public');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toBeNull();
  });

  test('PUB-19 gives the name, seven days by the hour in whole percent, and the newest reading; nothing else', async () => {
    const hour = thisHour();
    await open();
    await storeAt([
      // The first hour of the week, one in it, the millisecond before it, and another hour.
      [hour - 167 * HOUR - 1, 1023],
      [hour - 167 * HOUR, 1023],
      [hour - 2 * HOUR, 500],
      [hour - 2 * HOUR + 40 * MINUTE, 600],
      [hour - HOUR + MINUTE, 0],
    ]);
    await tellReadings(env.PLANTS_DB, [['fern', hour - 5 * HOUR, 7]]);
    // Of the last hours some are in half hours, some in five minutes and some in none.
    await writeRollups(database(env.PLANTS_DB), hour + 35 * MINUTE - 2 * HOUR);
    const hours = Array.from<number | null>({ length: 168 }).fill(null);
    hours[0] = 0;
    // The mean of 500 and 600 is 46.24 %.
    hours[165] = 46;
    hours[166] = 100;
    expect(await read()).toEqual({
      plant: 'basil',
      plant_en: 'basil',
      from: new Date(hour - 167 * HOUR).toISOString(),
      hours,
      last: { percent: 100, datetime: new Date(hour - HOUR + MINUTE).toISOString() },
      limit_percent: 20,
      watered: [],
      last_watered: null,
    });
  });

  test('PUB-19 counts as the screens do: between the dry and the wet value of a calibrated plant', async () => {
    await storeAt([[thisHour(), 630]]);
    await open({ dry: 800, wet: 300 });
    const plant = await read();
    expect(plant?.last?.percent).toBe(34);
    expect(plant?.hours.at(-1)).toBe(34);
    await open({ dry: 600, wet: 300 });
    expect((await read())?.last?.percent).toBe(0);
  });

  test('PUB-19 calls it in English as its settings say, until they say nothing', async () => {
    await open({ name: '바질', name_en: 'Basil' });
    expect(await read()).toMatchObject({ plant: '바질', plant_en: 'Basil' });
    // A client that does not know of the name leaves it.
    await open({}, '바질');
    expect(await read()).toMatchObject({ plant_en: 'Basil' });
    const emptied = await open({ name_en: ' ', version: 3 }, '바질');
    expect(await emptied.json()).toMatchObject({ name_en: '', version: 4 });
    expect(await read()).toMatchObject({ plant_en: '바질' });
  });

  test('PUB-19 tells of a plant without a reading, and of one that has been silent for longer than a week', async () => {
    await open();
    expect(await read()).toMatchObject({ plant: 'basil', last: null });
    await storeAt([[thisHour() - 8 * DAY, 512]]);
    const plant = await read();
    expect(plant?.last?.percent).toBe(50);
    expect(plant?.hours.every((percent) => percent === null)).toBe(true);
  });

  test('PUB-19 keeps the hours whose raw readings are removed', async () => {
    await open();
    await storeAt([[thisHour() - DAY, 512]]);
    await writeRollups(database(env.PLANTS_DB), Date.now());
    await env.PLANTS_DB.prepare('DELETE FROM plant_readings').run();
    expect((await read())?.hours[143]).toBe(50);
  });

  test('PUB-19 is shared by visitors for five minutes, and never answered from a copy to who is signed in', async () => {
    expect((await api('/plants/public')).headers.get('cache-control')).toMatch(
      /^public, max-age=0, s-maxage=300,/,
    );
    expect((await call('/plants/public')).headers.get('cache-control')).toBe('private, no-cache');
  });
});

describe('opening a plant', () => {
  const states = async () =>
    Object.fromEntries(
      (await getPlants<PlantState[]>('/states')).map(({ plant, is_public, version }) => [
        plant,
        [is_public, version],
      ]),
    );
  const logged = async () => {
    const log = await call('/access_log?action=change');
    return (await log.json<{ detail: unknown }[]>()).map(({ detail }) => detail);
  };

  test('PUB-19 closes the one before; both get a new version and a row of the log', async () => {
    const answer = await open({ version: 1 });
    expect(await answer.json<StoredSettings>()).toEqual({
      name: 'basil',
      name_en: '',
      ...defaults,
      is_public: true,
      version: 2,
    });
    await open({ version: 1 }, 'fern');
    expect(await states()).toEqual({ basil: [false, 3], fern: [true, 2] });
    await open({ is_public: false }, 'fern');
    expect(await states()).toEqual({ basil: [false, 3], fern: [false, 3] });
    expect(await read()).toBeNull();
    expect((await logged()).slice(0, 4)).toEqual([
      { plant: 'fern', is_public: [1, 0] },
      { plant: 'fern', is_public: [0, 1] },
      { plant: 'basil', is_public: [1, 0] },
      { plant: 'basil', is_public: [0, 1] },
    ]);
  });

  test('PUB-19 WORK-4 by who has not seen the last change opens nothing and closes nothing', async () => {
    await open();
    await putSettings(defaults, 'fern');
    const before = await logged();
    const answer = await open({ version: 1 }, 'fern');
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ error: { current: { is_public: false, version: 2 } } });
    expect((await open({}, 'cactus')).status).toBe(404);
    expect(await states()).toEqual({ basil: [true, 2], fern: [false, 2] });
    expect(await logged()).toEqual(before);
  });

  test('PUB-19 is left as it is by a client that does not know of it', async () => {
    await open();
    expect(await (await putSettings(defaults)).json()).toMatchObject({ is_public: true });
  });

  test('PUB-19 of two plants is refused by the database', async () => {
    await open();
    await expect(
      env.PLANTS_DB.prepare('UPDATE plant_states SET is_public = 1 WHERE plant_id = 2').run(),
    ).rejects.toThrow(/UNIQUE/);
  });

  test.each(['yes', 1, null])('PUB-19 %j is refused', async (is_public) => {
    const answer = await open({ is_public });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { field: 'is_public' } });
  });
});
