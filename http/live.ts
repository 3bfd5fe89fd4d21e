import type { Context } from 'hono';
import type { RequestEnv } from './follow-request.ts';
import { traceOf, type Log } from './log.ts';

/** Whose socket it is, and until when it may stand (milliseconds since 1970). */
export type LiveHolder = { session: number; user: number; until: number };

/** Names the holder in the request that opens a socket; only workers reach the object. */
export const LIVE_HOLDER_HEADER = 'x-live-holder';

/** The object that keeps the open screens of one group of plants up to date. Its `fetch` opens a socket. */
export interface LiveScreens extends Rpc.DurableObjectBranded {
  /** Tells every screen of plants that have changed, by topic; without topics of the whole list. */
  changed: (topics?: string[]) => Promise<void>;
  /** Closes the sockets of a session or of a user. */
  end: (whose: { session: number } | { user: number }) => Promise<void>;
}

export type LiveNamespace = DurableObjectNamespace<LiveScreens>;

/** The one group of plants that there is. */
const GROUP = 'lab';

export const liveScreens = ({ LIVE }: { LIVE: LiveNamespace }) => LIVE.getByName(GROUP);

type LiveEnv = RequestEnv & { Bindings: { LIVE: LiveNamespace } };

type Tell = (screens: ReturnType<typeof liveScreens>) => Promise<void>;

/** Tells the screens behind the response. A failure is logged, and fails nothing else. */
export function tellScreens<E extends LiveEnv>(c: Context<E>, tell: Tell): void {
  c.executionCtx.waitUntil(toldScreens(c.env, c.var.log, tell));
}

/** The same where there is no request. */
export async function toldScreens(env: LiveEnv['Bindings'], log: Log, tell: Tell): Promise<void> {
  try {
    await tell(liveScreens(env));
  } catch (error) {
    log('warn', 'screens_not_told', { error: traceOf(error) });
  }
}
