import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { PLANTS_MAX } from '#contract/plants';
import { BRIDGE_GROUP_HEADER, BRIDGE_PLANTS_HEADER, heartbeatAnswerSchema } from '#contract/readings';
import {
  addGroupKey,
  addKey,
  freshDatabase,
  instant,
  OTHER_KEY,
  post,
  postReadings,
  reading,
  stored,
} from './support.ts';

const MOSS = { bridgeId: 'moss-pi', key: 'a key for the plants of the moss lab' };

beforeEach(async () => {
  await freshDatabase();
  await addGroupKey('moss-lab', MOSS);
});

const of = (...plants: string[]) => plants.map((plant, seq) => reading({ plant, seq }));
const refused = { status: 'rejected', reason: 'a new plant, and its group has 1000 already' };
const fill = (group: string, many: number) =>
  env.PLANTS_DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO plants (name) SELECT ? || 'made-up-' || i FROM n`,
  )
    .bind(many, group)
    .run();

test('ING-16 ferns of two laboratories are two plants', async () => {
  expect(await postReadings([reading({ soil_moisture: 100 })])).toEqual([{ status: 'stored' }]);
  const other = [reading({ plant: 'moss-lab/fern', soil_moisture: 900 })];
  expect(await postReadings(other, MOSS)).toEqual([{ status: 'stored' }]);
  expect(await postReadings(other, MOSS)).toEqual([{ status: 'duplicate' }]);
  expect(await stored()).toMatchObject([
    { plant: 'fern', soil_moisture: 100 },
    { plant: 'moss-lab/fern', soil_moisture: 900 },
  ]);
});

test.each([
  ['fern', MOSS],
  ['moss-lab-2/fern', MOSS],
  ['moss-lab/fern', {}],
])('ING-16 ING-2 a key of another group sends nothing of %s', async (plant, signing) => {
  const own = signing === MOSS ? 'moss-lab/ivy' : 'ivy';
  const answer = await post('/readings', { readings: of(own, plant, own, plant) }, signing);
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({ rows: [2, 4] });
  expect(await stored()).toEqual([]);
});

test('ING-16 a key of every group sends for each, and is told of all their plants', async () => {
  const every = { bridgeId: 'every-pi', key: 'a key for the plants of every group' };
  await addGroupKey('+', every);
  const sent = of('fern', 'moss-lab/fern', 'reed-lab/fern');
  const outcomes = sent.map(() => ({ status: 'stored' }));
  expect(await postReadings(sent, every)).toEqual(outcomes);
  const beat = { broker_connected: true, valid_for_ms: 60_000 };
  const asking = { ...every, beside: { [BRIDGE_PLANTS_HEADER]: 'none' } };
  const answer = heartbeatAnswerSchema.parse(await (await post('/heartbeat', beat, asking)).json());
  expect(answer.group).toBe('+');
  expect(answer.plants?.listed.map(({ plant }) => plant)).toEqual(['fern', 'moss-lab/fern', 'reed-lab/fern']);
});

test.each(['', 'reed-lab', '+'])(
  'ING-16 a heartbeat of a bridge of another group (%j) is refused, and nothing of it stored',
  async (group) => {
    const beat = { broker_connected: true, valid_for_ms: 60_000 };
    const told = (of: string) => post('/heartbeat', beat, { ...MOSS, beside: { [BRIDGE_GROUP_HEADER]: of } });
    const answer = await told(group);
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain(
      `키의 그룹은 \\"moss-lab\\"인데 브리지의 PLANT_GROUP은 \\"${group}\\"입니다`,
    );
    expect(await env.PLANTS_DB.prepare('SELECT count(*) AS n FROM bridge_heartbeats').first('n')).toBe(0);
    expect((await told('moss-lab')).status).toBe(200);
  },
);

test('ING-16 ING-2 the list of a key limits it further, and opens no other group', async () => {
  await addGroupKey('moss-lab', { ...MOSS, key: OTHER_KEY }, ['moss-lab/fern', 'fern']);
  const signing = { ...MOSS, key: OTHER_KEY };
  for (const plant of ['fern', 'moss-lab/ivy'])
    expect((await post('/readings', { readings: of(plant) }, signing)).status).toBe(403);
  expect(await postReadings(of('moss-lab/fern'), signing)).toEqual([{ status: 'stored' }]);
});

test.each(['', '/fern', 'Moss/fern', 'plants/fern', 'a/b/fern', 'moss-lab/', `moss-lab/${'x'.repeat(56)}`])(
  'ING-16 what cannot be a plant of a group is refused by itself: "%s"',
  async (plant) => {
    const [bad, good] = await postReadings(of(plant, 'fern'));
    expect(bad).toMatchObject({ status: 'rejected', reason: expect.stringMatching(/^plant: /) });
    expect(good).toEqual({ status: 'stored' });
  },
);

test('ING-16 of what a bridge hears of other groups nothing is kept or told', async () => {
  const boards = ['fern', 'moss-lab/fern', 'reed-lab/fern'].map((plant) => ({
    plant,
    online: true,
    at: instant(0),
  }));
  const over_quota = boards.map(({ plant }) => ({ plant, waiting: 1, refused: 0 }));
  const beat = { broker_connected: true, valid_for_ms: 5000, boards, over_quota };
  const asking = { ...MOSS, beside: { [BRIDGE_PLANTS_HEADER]: 'none' } };
  await postReadings(of('fern', 'mosses'));
  const { plants } = heartbeatAnswerSchema.parse(await (await post('/heartbeat', beat, asking)).json());
  expect(plants).toMatchObject({ only: null, listed: [{ plant: 'moss-lab/fern', name: 'moss-lab/fern' }] });
  const rows = await env.PLANTS_DB.prepare(
    'SELECT topic, board_online FROM plants JOIN plant_states ON plant_id = id ORDER BY topic',
  ).all();
  expect(rows.results).toEqual([
    { topic: 'fern', board_online: null },
    { topic: 'moss-lab/fern', board_online: 1 },
    { topic: 'mosses', board_online: null },
  ]);
  const over = await env.PLANTS_DB.prepare('SELECT over_quota FROM bridge_heartbeats').first<string>(
    'over_quota',
  );
  expect(JSON.parse(over ?? '')).toMatchObject([{ plant: 'moss-lab/fern' }]);
  // The own group's bridge is told of its own plants alone.
  const own = await post('/heartbeat', { ...beat, boards: [] }, { beside: asking.beside });
  const told = heartbeatAnswerSchema.parse(await own.json());
  expect(told.plants?.listed.map(({ plant }) => plant)).toEqual(['fern', 'mosses']);
});

test('ING-16 SEC-89 a group that is full shuts out no other, and removed plants take room in none', async () => {
  await fill('', PLANTS_MAX);
  await fill('moss-lab/', PLANTS_MAX - 1);
  expect(await postReadings(of('fern'))).toEqual([refused]);
  expect(await postReadings(of('moss-lab/fern', 'moss-lab/ivy', 'moss-lab/made-up-7'), MOSS)).toEqual([
    { status: 'stored' },
    refused,
    { status: 'stored' },
  ]);
  // As the API removes plants: what stands there is of no group any more.
  const remove = ['made-up-3', 'moss-lab/made-up-3', 'moss-lab/made-up-4'];
  for (const topic of remove) {
    const it = env.PLANTS_DB.prepare("UPDATE plants SET topic = '/' || id, name = '/' || id WHERE topic = ?");
    await env.PLANTS_DB.batch([
      env.PLANTS_DB.prepare(
        'DELETE FROM plant_states WHERE plant_id = (SELECT id FROM plants WHERE topic = ?)',
      ).bind(topic),
      it.bind(topic),
    ]);
  }
  expect(await postReadings(of('fern', 'moss'))).toEqual([{ status: 'stored' }, refused]);
  const news = of('moss-lab/a', 'moss-lab/b', 'moss-lab/c');
  expect(await postReadings(news, MOSS)).toEqual([{ status: 'stored' }, { status: 'stored' }, refused]);
});

test('ING-16 PLT-13 a plant of a group that is called as another one of it gets its number behind its name', async () => {
  await postReadings(of('moss-lab/fern'), MOSS);
  await env.PLANTS_DB.prepare("UPDATE plants SET name = 'moss-lab/ivy'").run();
  await postReadings(of('moss-lab/ivy'), MOSS);
  await addKey(OTHER_KEY);
  await postReadings(of('ivy'), { key: OTHER_KEY });
  const { results } = await env.PLANTS_DB.prepare('SELECT id, topic, name FROM plants ORDER BY id').all();
  expect(results).toEqual([
    { id: 1, topic: 'moss-lab/fern', name: 'moss-lab/ivy' },
    { id: 2, topic: 'moss-lab/ivy', name: 'moss-lab/ivy #2' },
    { id: 3, topic: 'ivy', name: 'ivy' },
  ]);
});
