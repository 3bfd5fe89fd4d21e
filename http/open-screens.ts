import type { Context } from 'hono';
import type { RequestEnv } from './request-logger.ts';
import { stackTrace } from './log.ts';

/** Whose socket it is, and until when it may stand (milliseconds since 1970). */
export type LiveHolder = { session: number; user: number; until: number };

/** Names the holder in the request that opens a socket; only workers reach the object. */
export const LIVE_HOLDER_HEADER = 'x-live-holder';

/** The object that keeps the open plants screens up to date. Its `fetch` opens a socket. */
export interface LiveScreens extends Rpc.DurableObjectBranded {
  /** Tells every screen of plants that have changed, by topic; without topics of the whole list. */
  changed: (topics?: string[]) => Promise<void>;
  /** Closes the sockets of a session or of a user. */
  end: (whose: { session: number } | { user: number }) => Promise<void>;
}

export type LiveNamespace = DurableObjectNamespace<LiveScreens>;

export const liveScreens = ({ LIVE }: { LIVE: LiveNamespace }) => LIVE.getByName('lab');

type LiveEnv = RequestEnv & { Bindings: { LIVE: LiveNamespace } };

type Tell = (screens: ReturnType<typeof liveScreens>) => Promise<void>;

/** Tells the screens behind the response. A failure is logged, and fails nothing else. */
export function broadcast<E extends LiveEnv>(c: Context<E>, tell: Tell): void {
  const told = async () => {
    try {
      await tell(liveScreens(c.env));
    } catch (error) {
      c.var.log('warn', 'screens_not_told', { error: stackTrace(error) });
    }
  };
  c.executionCtx.waitUntil(told());
}

/** Tells the screens behind the response which plants have changed. */
export function broadcastChanges<E extends LiveEnv>(c: Context<E>, topics: readonly string[]): void {
  const changed = [...new Set(topics)];
  if (changed.length > 0) broadcast(c, (screens) => screens.changed(changed));
}
