import { LIVE_RECHECK_MS, LIVE_CLOSE_CODE, LIVE_SOCKET_MS } from '#contract/plants-socket';
import { ApiError } from '#http/api-error';
import { LIVE_SOCKET_OWNER_HEADER, liveScreens, type LiveSocketOwner } from '#http/live-screens';
import type { Context } from 'hono';
import type { UserEnv } from '../lib/app-env.ts';

/**
 * Opens a socket that ends with the session's present end, or after a quarter of an hour; if the session was
 * used meanwhile, the screen reconnects. There is one list of plants, so the address has no parameters.
 * @throws ApiError 400 if it is no WebSocket request or has parameters, 429 if the user has too many sockets
 */
export async function openLiveSocket(c: Context<UserEnv>): Promise<Response> {
  if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') {
    throw new ApiError(400, { message: 'WebSocket으로만 열 수 있습니다' });
  }
  if (new URL(c.req.url).search !== '') throw new ApiError(400);
  const { sessionId: session, id: user } = c.get('user');
  const ends = c.get('sessionEndsAt') ?? 0;
  const holder: LiveSocketOwner = { session, user, until: Math.min(ends, Date.now() + LIVE_SOCKET_MS) };
  const headers = { upgrade: 'websocket', [LIVE_SOCKET_OWNER_HEADER]: JSON.stringify(holder) };
  const screens = liveScreens(c.env);
  const admitAgain = c.get('admitAgain');
  const { status, webSocket } = await screens.fetch('https://live/', { headers });
  if (status === 429) throw new ApiError(429);
  if (!webSocket) throw new Error(`the live object answered ${status}`);
  try {
    // If the session ended before the socket was registered, the socket is still open, so check once more.
    await admitAgain();
  } catch (error) {
    await screens.end({ session });
    throw error;
  }
  return new Response(null, { status: 101, webSocket: watched(webSocket, admitAgain) });
}

/**
 * Relays messages between the Durable Object and the page. Checks the session again before a push if the last
 * check is half a minute old, because nobody notifies the object when an operator's command ends a session.
 */
function watched(object: WebSocket, admitAgain: () => Promise<void>): WebSocket {
  const { 0: page, 1: server } = new WebSocketPair();
  let askedAt = Date.now();
  let isOver = false;
  const end = (code?: number) => {
    if (isOver) return;
    isOver = true;
    for (const socket of [server, object]) socket.close(code);
  };
  const handOn = async (data: string | ArrayBuffer) => {
    const now = Date.now();
    if (now - askedAt >= LIVE_RECHECK_MS) {
      await admitAgain();
      askedAt = now;
    }
    if (!isOver) server.send(data);
  };
  let told = Promise.resolve();
  object.addEventListener('message', ({ data }) => {
    told = told.then(() => handOn(data)).catch(() => end(LIVE_CLOSE_CODE));
  });
  server.addEventListener('message', ({ data }) => object.send(data));
  // 1005 and 1006 mean that no code was received; a program must not send them.
  const codeOf = ({ code }: CloseEvent) => (code === 1005 || code === 1006 ? undefined : code);
  object.addEventListener('close', (event) => void told.then(() => end(codeOf(event))));
  server.addEventListener('close', (event) => end(codeOf(event)));
  server.accept();
  object.accept();
  return page;
}
