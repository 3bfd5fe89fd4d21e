import { LIVE_SOCKET_MS } from '#contract/plants-socket';
import { ApiError } from '#http/api-error';
import { LIVE_HOLDER_HEADER, liveScreens, type LiveHolder } from '#http/open-screens';
import type { Context } from 'hono';
import type { UserEnv } from '../lib/app-env.ts';

/**
 * Opens a socket that ends with the session as it is now, or after a quarter of an hour: with a session that has been used
 * meanwhile the screen comes again.
 * @throws ApiError 400 for what asks for no socket, 429 when the user has too many
 */
export async function openLive(c: Context<UserEnv>): Promise<Response> {
  if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') {
    throw new ApiError(400, { message: 'WebSocket으로만 열 수 있습니다' });
  }
  const { sessionId: session, id: user } = c.get('user');
  const ends = c.get('sessionEndsAt') ?? 0;
  const holder: LiveHolder = { session, user, until: Math.min(ends, Date.now() + LIVE_SOCKET_MS) };
  const headers = { upgrade: 'websocket', [LIVE_HOLDER_HEADER]: JSON.stringify(holder) };
  const screens = liveScreens(c.env);
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
