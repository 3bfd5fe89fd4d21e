import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { BRIDGE_PLANTS_HEADER, heartbeatAnswerSchema, type PlantList } from '#contract/readings';
import {
  addKey,
  bytesOf,
  freshDatabase,
  OTHER_KEY,
  postReadings,
  reading,
  send,
  signature,
} from './support.ts';

beforeEach(freshDatabase);

/** The list of plants that a bridge with this digest gets; undefined if it gets none. */
async function ask(held?: string, key?: string): Promise<PlantList | undefined> {
  const body = bytesOf({ broker_connected: true, valid_for_ms: 5000 });
  const headers = await signature('/heartbeat', body, key === undefined ? {} : { key });
  const asking = held === undefined ? {} : { [BRIDGE_PLANTS_HEADER]: held };
  const response = await send('/heartbeat', { method: 'POST', body, headers: { ...headers, ...asking } });
  expect(response.status).toBe(200);
  return heartbeatAnswerSchema.parse(await response.json()).plants;
}

const change = (sql: string) => env.PLANTS_DB.prepare(sql).run();
const plain = { dry: null, wet: null, stale_after_minutes: 60 };

test('ING-10 a bridge that asks is told of the plants, and again only when they have changed', async () => {
  expect(await ask()).toBeUndefined();
  const none = await ask('none');
  expect(none).toMatchObject({ only: null, listed: [] });
  await postReadings([reading({ plant: 'fern' }), reading({ plant: '이끼' })]);
  expect(await ask()).toBeUndefined();
  const first = await ask(none?.digest);
  expect(first?.listed).toEqual([
    { plant: 'fern', name: 'fern', ...plain },
    { plant: '이끼', name: '이끼', ...plain },
  ]);
  expect(await ask(first?.digest)).toBeUndefined();

  // Readings and the begin of an alert do not change the list.
  await postReadings([reading({ plant: 'fern', soil_moisture: 1023, seq: 1 })]);
  expect(await ask(first?.digest)).toBeUndefined();

  await change("UPDATE plants SET name = '고사리' WHERE topic = 'fern'");
  const renamed = await ask(first?.digest);
  expect(renamed?.listed[0]).toEqual({ plant: 'fern', name: '고사리', ...plain });
  await change('UPDATE plant_states SET dry = 800, wet = 300, stale_after_minutes = 15');
  const calibrated = await ask(renamed?.digest);
  expect(calibrated?.listed[0]).toEqual({
    plant: 'fern',
    name: '고사리',
    dry: 800,
    wet: 300,
    stale_after_minutes: 15,
  });
  expect(await ask(calibrated?.digest)).toBeUndefined();

  // A board that is often later than its limit has a longer limit here, too.
  await change(`UPDATE plant_states SET story = '{"silent_after_ms":2760000.5}'`);
  expect((await ask(calibrated?.digest))?.listed[0]?.stale_after_minutes).toBe(60);
});

test('ING-10 PLT-13 a plant that is hidden or removed is listed no more', async () => {
  await postReadings(['fern', 'moss', 'basil'].map((plant) => reading({ plant })));
  await change(
    "UPDATE plant_states SET is_hidden = 1 WHERE plant_id = (SELECT id FROM plants WHERE topic = 'fern')",
  );
  await change("DELETE FROM plant_states WHERE plant_id = (SELECT id FROM plants WHERE topic = 'moss')");
  expect((await ask('none'))?.listed.map(({ plant }) => plant)).toEqual(['basil']);
});

test('SEC-46 ING-10 a key that is limited to some plants is told of these alone, and of its limits', async () => {
  await postReadings([reading({ plant: 'fern' }), reading({ plant: 'moss' })]);
  await addKey(OTHER_KEY, ['moss', 'gone']);
  const told = await ask('none', OTHER_KEY);
  expect(told).toMatchObject({ only: ['moss', 'gone'], listed: [{ plant: 'moss' }] });
  expect(await ask(told?.digest, OTHER_KEY)).toBeUndefined();
  expect((await ask(told?.digest))?.listed).toHaveLength(2);
});
