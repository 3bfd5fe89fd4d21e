import { screenLevels } from '#contract/access-levels';
import {
  bridgeTaskSchema,
  newBridgeKeySchema,
  type BridgeList,
  type BridgeTaskWithResult,
} from '#contract/bridges';
import { ApiError } from '#http/api-error';
import { Hono } from 'hono';
import { actorOf, type AppEnv } from '../lib/app-env.ts';
import { newToken } from '../lib/random-tokens.ts';
import { jsonBody, parseRowId } from '../lib/validate.ts';
import { mergePlantLog } from '../plants/log-data.ts';
import { requireLevel } from '../session/require-level.ts';
import {
  addBridgeKey,
  addBridgeTask,
  findBridgeTask,
  listBridges,
  bridgeTaskRefusal,
  revokeBridgeKey,
} from './data.ts';

const guard = requireLevel(screenLevels.health);

export const bridges = new Hono<AppEnv>()
  .get('/', guard, async (c) => {
    const now = Date.now();
    return c.json<BridgeList>({
      at: new Date(now).toISOString(),
      bridges: await listBridges(c.var.plants, now),
    });
  })

  .post('/keys', guard, jsonBody(newBridgeKeySchema), async (c) => {
    // Only this answer ever contains the key.
    const key = newToken();
    const id = await addBridgeKey(c.var.plants, actorOf(c), c.req.valid('json'), key);
    await mergePlantLog(c);
    return c.json({ id, key }, 201);
  })

  .delete('/keys/:id', guard, async (c) => {
    const isThere = await revokeBridgeKey(c.var.plants, actorOf(c), parseRowId(c.req.param('id')));
    if (!isThere) throw new ApiError(404, { message: '키를 찾을 수 없습니다' });
    await mergePlantLog(c);
    return c.json({ ok: true });
  })

  .post('/:bridge/tasks', guard, jsonBody(bridgeTaskSchema), async (c) => {
    const bridge = c.req.param('bridge');
    const task = c.req.valid('json');
    const refusal = await bridgeTaskRefusal(c.var.plants, bridge, task);
    if (refusal === 'unknown') throw new ApiError(404, { message: refusals.unknown });
    if (refusal !== undefined) throw new ApiError(409, { message: refusals[refusal] });
    const id = await addBridgeTask(c.var.plants, actorOf(c), bridge, task);
    await mergePlantLog(c);
    return c.json({ id }, 201);
  })

  .get('/tasks/:id', guard, async (c) => {
    const task = await findBridgeTask(c.var.plants, parseRowId(c.req.param('id')));
    if (!task) throw new ApiError(404, { message: '요청을 찾을 수 없습니다. 하루가 지나면 지워집니다' });
    return c.json<BridgeTaskWithResult>(task);
  });

const refusals = {
  unknown: '키가 있는 브리지가 아닙니다',
  older: '브리지가 아직 보고하지 않았거나 이전 버전입니다. 브리지를 업그레이드하세요',
  unable: '이 브리지에서는 할 수 없는 일입니다',
  foreign: '이 브리지의 키로는 받지 않는 화분입니다',
  busy: '브리지가 아직 하지 않은 요청이 많습니다. 잠시 뒤 다시 하세요',
};
