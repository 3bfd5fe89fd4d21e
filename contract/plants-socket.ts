import { MINUTE_MS } from './time.ts';
import type { PlantState } from './plants.ts';

/**
 * A message over GET /api/plants/live to an open screen: plants that have changed or, when `whole` is true,
 * every plant that is not hidden, ordered by name. The first message of a socket is whole.
 */
export type LiveMessage = { whole: boolean; states: PlantState[] };

/** The only text that a screen sends; the runtime answers it without waking the Durable Object. */
export const LIVE_PING = 'ping';
export const LIVE_PONG = 'pong';
export const LIVE_PING_EVERY_MS = MINUTE_MS / 2;

/** Before a push, the server checks a socket's session again if the last check is older than this. */
export const LIVE_RECHECK_MS = MINUTE_MS / 2;

/** Longest life of a socket, so that a long-open screen has to authenticate again. */
export const LIVE_SOCKET_MS = 15 * MINUTE_MS;
/** How many sockets one user may have open. */
export const LIVE_SOCKETS_PER_USER = 10;

/** The close code after which a screen may reconnect, if its user still has access. */
export const LIVE_CLOSE_CODE = 4001;
