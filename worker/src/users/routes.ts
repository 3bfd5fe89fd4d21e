import { screenLevels } from '#contract/access-levels';
import { roleChangeSchema, univIdConfirmationSchema, type User } from '#contract/users';
import { Hono } from 'hono';
import { actorOf, type AppEnv } from '../lib/app-env.ts';
import { ApiError } from '#http/api-error';
import { broadcast } from '#http/live-screens';
import { requireLevel } from '../session/require-level.ts';
import { parseRowId, jsonBody } from '../lib/validate.ts';
import {
  changeLevel,
  confirmUnivId,
  deleteUser,
  listUsers,
  releaseUnivId,
  type UserChangeRefusal,
} from './data.ts';

const guard = requireLevel(screenLevels.users);

export const users = new Hono<AppEnv>()
  .get('/', guard, async (c) => c.json<User[]>(await listUsers(c.var.db, actorOf(c))))

  .put('/:id', guard, jsonBody(roleChangeSchema), async (c) => {
    const { secureLevel } = c.req.valid('json');
    const user = await changeLevel(c.var.db, actorOf(c), parseRowId(c.req.param('id')), secureLevel);
    if (typeof user === 'string') throw refusals[user];
    broadcast(c, (screens) => screens.end({ user: user.id }));
    return c.json<User>(user);
  })

  .delete('/:id', guard, async (c) => {
    const id = parseRowId(c.req.param('id'));
    const outcome = await deleteUser(c.var.db, actorOf(c), id);
    if (outcome !== 'deleted') throw refusals[outcome];
    broadcast(c, (screens) => screens.end({ user: id }));
    return c.json({ ok: true });
  })

  .put('/:id/univ_id', guard, jsonBody(univIdConfirmationSchema), async (c) => {
    const { univ_id } = c.req.valid('json');
    const user = await confirmUnivId(c.var.db, actorOf(c), parseRowId(c.req.param('id')), univ_id);
    if (typeof user === 'string') throw refusals[user];
    return c.json<User>(user);
  })

  .delete('/:id/univ_id', guard, async (c) => {
    const user = await releaseUnivId(c.var.db, actorOf(c), parseRowId(c.req.param('id')));
    if (typeof user === 'string') throw refusals[user];
    return c.json<User>(user);
  });

const refusals: Record<UserChangeRefusal, ApiError> = {
  'no-admin': new ApiError(403),
  unknown: new ApiError(404, { message: '사용자를 찾을 수 없습니다' }),
  'last-admin': new ApiError(409, { message: '마지막 관리자는 바꾸거나 삭제할 수 없습니다' }),
  'other-number': new ApiError(409, { message: '학번/직번이 그 사이에 바뀌었습니다' }),
};
