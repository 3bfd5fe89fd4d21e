import { MINUTE_MS } from './time.ts';
import type { PlantState } from './plants.ts';

/**
 * What an open screen is told over GET /api/plants/live: plants that have changed or, when `whole` is true, every plant
 * that is not hidden, ordered by name. The first message of a socket is whole.
 */
export type LiveMessage = { whole: boolean; states: PlantState[] };

/** The only text that a screen sends, and the answer to it, for which nothing has to wake. */
export const LIVE_PING = 'ping';
export const LIVE_PONG = 'pong';
export const LIVE_PING_EVERY_MS = MINUTE_MS / 2;

/** The server asks for a socket's session again before a push, if its last answer is older than this. */
export const LIVE_RECHECK_MS = MINUTE_MS / 2;

/** Longest life of a socket: whoever goes on watching is asked again at the door who they are. */
export const LIVE_SOCKET_MS = 15 * MINUTE_MS;
/** Sockets that one user may have open. */
export const LIVE_SOCKETS_PER_USER = 10;

/** Code of the close after which a screen may come again, if its user still may. */
export const LIVE_CLOSE_CODE = 4001;
