import { LIVE_SOCKET_MS } from '#contract/live';
import { OWN_GROUP } from '#contract/plant-group';
import { inHomes } from '#db/homes';
import { listGroups } from '#db/states';
import { ApiError } from '#http/api-error';
import { LIVE_HOLDER_HEADER, liveScreens, toldScreens, type LiveHolder, type Tell } from '#http/live';
import type { Context } from 'hono';
import type { AppEnv, UserEnv } from '../lib/app-env.ts';
import { known } from '../lib/known.ts';

/** Tells the screens of every group behind the response, as `tellScreens` does those of one. */
export function tellEveryScreen<E extends AppEnv>(c: Context<E>, tell: Tell): void {
  const told = async () => {
    const {
      env,
      var: { log },
    } = c;
    const groups = await known(inHomes(env, undefined, listGroups), log);
    const all = new Set([OWN_GROUP, ...(groups ?? []).map(({ group }) => group)]);
    await Promise.all([...all].map((group) => toldScreens(env, log, group, tell)));
  };
  c.executionCtx.waitUntil(told());
}

/**
 * Opens a socket of a group's plants that ends with the session as it is now, or after a quarter of an hour: with a session that has been
 * used meanwhile the screen comes again.
 * @throws ApiError 400 for what asks for no socket, 429 when the user has too many
 */
export async function openLive(c: Context<UserEnv>, group: string): Promise<Response> {
  if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') {
    throw new ApiError(400, { message: 'WebSocket으로만 열 수 있습니다' });
  }
  const { sessionId: session, id: user } = c.get('user');
  const ends = c.get('sessionEndsAt') ?? 0;
  const holder: LiveHolder = { session, user, until: Math.min(ends, Date.now() + LIVE_SOCKET_MS), group };
  const headers = { upgrade: 'websocket', [LIVE_HOLDER_HEADER]: JSON.stringify(holder) };
  const screens = liveScreens(c.env, group);
  const { status, webSocket } = await screens.fetch('https://live/', { headers });
  if (status === 429) throw new ApiError(429);
  if (!webSocket) throw new Error(`the live object answered ${status}`);
  try {
    // A session that ended before the socket stood was told to nobody; from now on its end is.
    await c.get('admitAgain')();
  } catch (error) {
    await screens.end({ session });
    throw error;
  }
  return new Response(null, { status: 101, webSocket });
}
