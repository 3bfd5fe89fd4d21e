import { ADMIN } from '#contract/access-levels';
import { groupOf, OWN_GROUP } from '#contract/plant-group';
import {
  ofGroupSchema,
  onePlantSchema,
  PLANT_POINTS_DEFAULT,
  plantChangeSchema,
  plantCsvSchema,
  plantQuerySchema,
  plantHidingSchema,
  plantRangeSchema,
  plantRemovalSchema,
  type OnePlant,
  type PlantGroups,
  type PlantRecord,
  type PlantsAway,
  type PlantState,
  type PublicPlant,
  type StoredSettings,
  type Watering,
} from '#contract/plants';
import { database } from '#db/client';
import { allHomes, homesBeside, homesOf, homeToChange, inHomes } from '#db/homes';
import { listGroups, listStates } from '#db/states';
import { tellScreens } from '#http/live';
import { Hono } from 'hono';
import * as z from 'zod';
import { actorOf } from '../lib/actor.ts';
import { ApiError, outdated } from '#http/api-error';
import { traceOf, type Log } from '#http/log';
import type { AppEnv } from '../lib/app-env.ts';
import type { Env } from '../lib/config.ts';
import { jsonText } from '../lib/json-text.ts';
import { requireLevel } from '../session/require-level.ts';
import { limitBody, requireJson, validate } from '../lib/validate.ts';
import { shareWithVisitors } from '../lib/visitors-copy.ts';
import { streamCsv } from './csv-data.ts';
import { listReadings, type ReadingRange } from './data.ts';
import { listAway, removePlant, setHidden } from './life-data.ts';
import { openLive, tellEveryScreen } from './live.ts';
import { carryLog } from './log-data.ts';
import { readPublicPlant } from './public-data.ts';
import { changeSettings, closePublic } from './states-data.ts';
import { listWaterings } from './waterings-data.ts';

export const plants = new Hono<AppEnv>()
  .get('/', requireLevel(ADMIN), validate('query', plantQuerySchema), async (c) => {
    const { points, ...range } = c.req.valid('query');
    const asked = rangeOf(range);
    const homes = await homesOf(c.env, groupAsked(asked));
    const share = Math.floor((points ?? PLANT_POINTS_DEFAULT) / homes.length);
    const records = homes.map((db) => listReadings({ db, files: c.env.FILES }, asked, share));
    return jsonText<PlantRecord[]>(c, joined(await Promise.all(records)));
  })

  .get('/public', async (c) => {
    const now = Date.now();
    const open = await Promise.all(allHomes(c.env).map((home) => readPublicPlant(home, now)));
    const plant = open.find((each) => each !== null) ?? null;
    shareWithVisitors(c, 'public, max-age=0, s-maxage=300, stale-while-revalidate=60, stale-if-error=3600');
    return c.json<PublicPlant | null>(plant);
  })

  .get('/groups', requireLevel(ADMIN), async (c) => {
    const groups = await inHomes(c.env, undefined, listGroups);
    // One that has just moved may be in both.
    const byName = new Map(groups.map((each) => [each.group, each]));
    return c.json<PlantGroups>([...byName.values()].toSorted((a, b) => (a.group < b.group ? -1 : 1)));
  })

  .get('/states', requireLevel(ADMIN), validate('query', ofGroupSchema), async (c) => {
    const { group } = c.req.valid('query');
    return c.json<PlantState[]>(await inHomes(c.env, group, (home) => listStates(home, group)));
  })

  .get('/live', requireLevel(ADMIN, false), validate('query', ofGroupSchema), (c) =>
    openLive(c, c.req.valid('query').group ?? OWN_GROUP),
  )

  .get('/away', requireLevel(ADMIN), validate('query', ofGroupSchema), async (c) => {
    const { group } = c.req.valid('query');
    // What was removed before its group left is still deleted where it was.
    const away = await Promise.all(allHomes(c.env).map((home) => listAway(home, group)));
    return c.json<PlantsAway>({
      hidden: away.flatMap(({ hidden }) => hidden),
      removed: away.flatMap(({ removed }) => removed),
    });
  })

  .get('/waterings', requireLevel(ADMIN), validate('query', plantRangeSchema), async (c) => {
    const asked = rangeOf(c.req.valid('query'));
    const homes = await homesOf(c.env, groupAsked(asked));
    const lists = await Promise.all(homes.map((home) => listWaterings(home, asked)));
    return jsonText<Watering[]>(c, joined(lists));
  })

  .get('/csv', requireLevel(ADMIN), validate('query', plantCsvSchema), async (c) => {
    const { plant, ...rest } = c.req.valid('query');
    const { group, ...range } = rangeOf(rest);
    const which = { ...(group !== undefined && { group }), ...(plant && { plant }) };
    const homes = await homesOf(c.env, group);
    const stores = homes.map((db) => ({ db, files: c.env.FILES }));
    return c.body(await streamCsv(stores, which, range, c.get('admitAgain')), 200, {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="plants.csv"',
    });
  })

  .put(
    '/settings',
    requireLevel(ADMIN),
    limitBody(),
    requireJson,
    validate('query', onePlantSchema),
    validate('json', plantChangeSchema),
    async (c) => {
      const one = c.req.valid('query');
      const change = c.req.valid('json');
      const home = await homeToChange(c.env, groupMeant(one));
      const found = await changeSettings(home.db, actorOf(c), one, change);
      if (!found) throw unknownPlant();
      if (found.outcome === 'changed' && change.is_public)
        await Promise.all(homesBeside(c.env, home.name).map((other) => closePublic(other, actorOf(c))));
      await tellLog(c);
      if (found.outcome === 'outdated') throw outdated(found.settings);
      if (found.outcome === 'long')
        throw new ApiError(400, { message: '그룹 이름과 합해 64자까지 쓸 수 있습니다', field: 'name' });
      if (found.outcome === 'taken')
        throw new ApiError(409, { message: '다른 화분이 쓰는 이름입니다', field: 'name' });
      // Another plant may have been closed.
      tellEveryScreen(c, (screens) => screens.changed());
      return c.json<StoredSettings>(found.settings);
    },
  )

  .put(
    '/hidden',
    requireLevel(ADMIN),
    limitBody(),
    requireJson,
    validate('query', onePlantSchema),
    validate('json', plantHidingSchema),
    async (c) => {
      const { is_hidden: isHidden, version } = c.req.valid('json');
      const change = { isHidden, version };
      const one = c.req.valid('query');
      const home = await homeToChange(c.env, groupMeant(one));
      const outcome = await setHidden(home.db, actorOf(c), one, change);
      if (outcome !== 'done') throw refusals[outcome]();
      tellScreens(c, groupMeant(one), (screens) => screens.changed());
      await tellLog(c);
      return c.json({ ok: true });
    },
  )

  .delete('/', requireLevel(ADMIN), validate('query', plantRemovalSchema), async (c) => {
    const { version, ...one } = c.req.valid('query');
    const home = await homeToChange(c.env, groupMeant(one));
    const outcome = await removePlant(home.db, actorOf(c), one, version);
    if (outcome !== 'done') throw refusals[outcome]();
    tellScreens(c, groupMeant(one), (screens) => screens.changed());
    await tellLog(c);
    return c.json({ ok: true });
  });

/** The change is made and its line kept: what cannot be carried now is carried by the watch. */
async function tellLog({ env, var: { log } }: { env: Env; var: { log: Log } }): Promise<void> {
  await carryLog(allHomes(env), database(env.DB)).catch((error: unknown) =>
    log('error', 'plant_log_waits', { error: traceOf(error) }),
  );
}

/** The group that a range is of; undefined for every one. */
const groupAsked = ({ group, plant }: ReadingRange) =>
  group ?? (plant === undefined ? undefined : groupOf(plant));

const recordsSchema = z.array(z.looseObject({ datetime: z.string() }));

/** Lists of what happened, each of a home and oldest first, as one. */
function joined(lists: readonly string[]): string {
  const [only = '[]', ...others] = lists;
  if (others.length === 0) return only;
  const all = lists.flatMap((list) => recordsSchema.parse(JSON.parse(list)));
  return JSON.stringify(all.toSorted((a, b) => (a.datetime < b.datetime ? -1 : 1)));
}

/** A name has its group before it, as an id has. */
const groupMeant = ({ plant, topic }: OnePlant) => groupOf(topic ?? plant ?? '');

const unknownPlant = () => new ApiError(404, { message: '화분을 찾을 수 없습니다' });
const refusals = {
  unknown: unknownPlant,
  outdated: () => new ApiError(409, { message: '그 사이에 설정이 바뀌었습니다. 다시 확인하세요' }),
};

function rangeOf({ group, plant, from, to }: z.output<typeof plantRangeSchema>): ReadingRange {
  return {
    ...(group !== undefined && { group }),
    ...(plant !== undefined && { plant }),
    ...(from !== undefined && { from: Date.parse(from) }),
    ...(to !== undefined && { to: Date.parse(to) }),
  };
}
