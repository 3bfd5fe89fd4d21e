import { screenLevels } from '#contract/access-levels';
import {
  plantSelectorSchema,
  DEFAULT_POINTS_PER_REQUEST,
  plantChangeSchema,
  plantCsvSchema,
  plantQuerySchema,
  plantHidingSchema,
  plantRangeSchema,
  plantRemovalSchema,
  type PlantRecord,
  type HiddenPlants,
  type PlantState,
  type PublicPlant,
  type StoredSettings,
  type Watering,
} from '#contract/plants';
import { database } from '#db/client';
import { listPlantStates } from '#db/plant-states';
import { broadcastChanges, broadcast } from '#http/live-screens';
import { Hono, type Context } from 'hono';
import type * as z from 'zod';
import { actorOf, type AppEnv, type UserEnv } from '../lib/app-env.ts';
import { ApiError, outdatedError } from '#http/api-error';
import { jsonTextResponse, cacheForVisitors } from '../lib/responses.ts';
import { requireLevel } from '../session/require-level.ts';
import { validate, jsonBody } from '../lib/validate.ts';
import { streamReadingsCsv } from './csv-data.ts';
import { listReadings, type ReadingRange } from './data.ts';
import { listHiddenPlants, removePlant, setPlantHidden } from './lifecycle-data.ts';
import { openLiveSocket } from './open-socket.ts';
import { readPublicPlant } from './public-data.ts';
import { changePlantSettings } from './states-data.ts';
import { judgePlants } from './assessment-data.ts';
import { mergePlantLog } from './log-data.ts';
import { listWaterings } from './waterings-data.ts';

const guard = requireLevel(screenLevels.plants);

export const plants = new Hono<AppEnv>()
  .get('/', guard, validate('query', plantQuerySchema), async (c) => {
    const { points = DEFAULT_POINTS_PER_REQUEST, ...range } = c.req.valid('query');
    return jsonTextResponse<PlantRecord[]>(c, await listReadings(c.var.plants, rangeOf(range), points));
  })

  .get('/public', async (c) => {
    const plant = await readPublicPlant(database(c.env.PLANTS_DB), Date.now());
    cacheForVisitors(c, 'public, max-age=0, s-maxage=300, stale-while-revalidate=60, stale-if-error=3600');
    return c.json<PublicPlant | null>(plant);
  })

  .get('/states', guard, async (c) => {
    await judgeDue(c);
    return c.json<PlantState[]>(await listPlantStates(c.var.plants));
  })

  .get('/live', requireLevel(screenLevels.plants, false), openLiveSocket)

  .get('/hidden', guard, async (c) => c.json<HiddenPlants>(await listHiddenPlants(c.var.plants)))

  .get('/waterings', guard, validate('query', plantRangeSchema), async (c) => {
    await judgeDue(c);
    return c.json<Watering[]>(await listWaterings(c.var.plants, rangeOf(c.req.valid('query'))));
  })

  .get('/csv', guard, validate('query', plantCsvSchema), async (c) => {
    const { plant: names, ...range } = c.req.valid('query');
    const csv = await streamReadingsCsv(c.var.plants, names, rangeOf(range), c.get('admitAgain'));
    return c.body(csv, 200, {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="plants.csv"',
    });
  })

  .put('/settings', guard, jsonBody(plantChangeSchema), validate('query', plantSelectorSchema), async (c) => {
    const change = c.req.valid('json');
    const found = await changePlantSettings(c.var.plants, actorOf(c), c.req.valid('query'), change);
    if (!found) throw unknownPlant();
    await mergePlantLog(c);
    if (found.outcome === 'outdated') throw outdatedError(found.settings);
    if (found.outcome === 'taken')
      throw new ApiError(409, { message: '다른 화분이 쓰는 이름입니다', field: 'name' });
    // Another plant may have become private.
    broadcast(c, (screens) => screens.changed());
    return c.json<StoredSettings>(found.settings);
  })

  .put('/hidden', guard, jsonBody(plantHidingSchema), validate('query', plantSelectorSchema), async (c) => {
    const { is_hidden: isHidden, version } = c.req.valid('json');
    const change = { isHidden, version };
    const outcome = await setPlantHidden(c.var.plants, actorOf(c), c.req.valid('query'), change);
    if (outcome !== 'done') throw refusals[outcome]();
    broadcast(c, (screens) => screens.changed());
    await mergePlantLog(c);
    return c.json({ ok: true });
  })

  .delete('/', guard, validate('query', plantRemovalSchema), async (c) => {
    const { version, ...one } = c.req.valid('query');
    const outcome = await removePlant(c.var.plants, actorOf(c), one, version);
    if (outcome !== 'done') throw refusals[outcome]();
    broadcast(c, (screens) => screens.changed());
    await mergePlantLog(c);
    return c.json({ ok: true });
  });

/** A request waits no longer than this for due plants to be judged. */
const PATIENCE_MS = 1000;

/** Judges due plants now, so that the reader need not wait for the task, and notifies other screens. */
async function judgeDue(c: Context<UserEnv>): Promise<void> {
  broadcastChanges(c, await judgePlants(c.var.plants, Date.now(), PATIENCE_MS));
}

const unknownPlant = () => new ApiError(404, { message: '화분을 찾을 수 없습니다' });
const refusals = {
  unknown: unknownPlant,
  outdated: () => new ApiError(409, { message: '그 사이에 설정이 바뀌었습니다. 다시 확인하세요' }),
};

function rangeOf({ plant, from, to }: z.output<typeof plantRangeSchema>): ReadingRange {
  return {
    ...(plant !== undefined && { plant }),
    ...(from !== undefined && { from: Date.parse(from) }),
    ...(to !== undefined && { to: Date.parse(to) }),
  };
}
