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
import { listGroups, listStates } from '#db/states';
import { tellScreens } from '#http/live';
import { Hono } from 'hono';
import type { z } from 'zod';
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
import type { ReadingStore } from './months-data.ts';
import { readPublicPlant } from './public-data.ts';
import { changeSettings } from './states-data.ts';
import { listWaterings } from './waterings-data.ts';

export const plants = new Hono<AppEnv>()
  .get('/', requireLevel(ADMIN), validate('query', plantQuerySchema), async (c) => {
    const { points, ...range } = c.req.valid('query');
    const records = await listReadings(storeOf(c.env), rangeOf(range), points ?? PLANT_POINTS_DEFAULT);
    return jsonText<PlantRecord[]>(c, records);
  })

  .get('/public', async (c) => {
    const plant = await readPublicPlant(database(c.env.PLANTS_DB), Date.now());
    shareWithVisitors(c, 'public, max-age=0, s-maxage=300, stale-while-revalidate=60, stale-if-error=3600');
    return c.json<PublicPlant | null>(plant);
  })

  .get('/groups', requireLevel(ADMIN), async (c) =>
    c.json<PlantGroups>(await listGroups(database(c.env.PLANTS_DB))),
  )

  .get('/states', requireLevel(ADMIN), validate('query', ofGroupSchema), async (c) =>
    c.json<PlantState[]>(await listStates(database(c.env.PLANTS_DB), c.req.valid('query').group)),
  )

  .get('/live', requireLevel(ADMIN, false), validate('query', ofGroupSchema), (c) =>
    openLive(c, c.req.valid('query').group ?? OWN_GROUP),
  )

  .get('/away', requireLevel(ADMIN), validate('query', ofGroupSchema), async (c) =>
    c.json<PlantsAway>(await listAway(database(c.env.PLANTS_DB), c.req.valid('query').group)),
  )

  .get('/waterings', requireLevel(ADMIN), validate('query', plantRangeSchema), async (c) =>
    jsonText<Watering[]>(c, await listWaterings(database(c.env.PLANTS_DB), rangeOf(c.req.valid('query')))),
  )

  .get('/csv', requireLevel(ADMIN), validate('query', plantCsvSchema), async (c) => {
    const { plant, ...rest } = c.req.valid('query');
    const { group, ...range } = rangeOf(rest);
    const which = { ...(group !== undefined && { group }), ...(plant && { plant }) };
    return c.body(await streamCsv(storeOf(c.env), which, range, c.get('admitAgain')), 200, {
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
      const found = await changeSettings(
        database(c.env.PLANTS_DB),
        actorOf(c),
        c.req.valid('query'),
        c.req.valid('json'),
      );
      if (!found) throw unknownPlant();
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
      const outcome = await setHidden(database(c.env.PLANTS_DB), actorOf(c), c.req.valid('query'), change);
      if (outcome !== 'done') throw refusals[outcome]();
      tellScreens(c, groupMeant(c.req.valid('query')), (screens) => screens.changed());
      await tellLog(c);
      return c.json({ ok: true });
    },
  )

  .delete('/', requireLevel(ADMIN), validate('query', plantRemovalSchema), async (c) => {
    const { version, ...one } = c.req.valid('query');
    const outcome = await removePlant(database(c.env.PLANTS_DB), actorOf(c), one, version);
    if (outcome !== 'done') throw refusals[outcome]();
    tellScreens(c, groupMeant(one), (screens) => screens.changed());
    await tellLog(c);
    return c.json({ ok: true });
  });

const storeOf = ({ PLANTS_DB, FILES }: Env): ReadingStore => ({ db: database(PLANTS_DB), files: FILES });

/** The change is made and its line kept: what cannot be carried now is carried by the watch. */
async function tellLog({ env, var: { log } }: { env: Env; var: { log: Log } }): Promise<void> {
  await carryLog(database(env.PLANTS_DB), database(env.DB)).catch((error: unknown) =>
    log('error', 'plant_log_waits', { error: traceOf(error) }),
  );
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
