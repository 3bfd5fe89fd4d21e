import type { Context } from 'hono';
import type { RequestEnv } from './request-logger.ts';
import { stackTrace } from './log.ts';

/** The session and user of a socket, and until when it may stay open (milliseconds since 1970). */
export type LiveSocketOwner = { session: number; user: number; until: number };

/** The header that tells the Durable Object who opens a socket. Only our workers can call the object. */
export const LIVE_SOCKET_OWNER_HEADER = 'x-live-holder';

/** The Durable Object that keeps open plant screens up to date. Its `fetch` opens a socket. */
export interface LiveScreens extends Rpc.DurableObjectBranded {
  /** Sends the changed plants to every screen; without topics, the whole list. */
  changed: (topics?: string[]) => Promise<void>;
  /** Closes the sockets of a session or of a user. */
  end: (whose: { session: number } | { user: number }) => Promise<void>;
}

export type LiveNamespace = DurableObjectNamespace<LiveScreens>;

export const liveScreens = ({ LIVE }: { LIVE: LiveNamespace }) => LIVE.getByName('lab');

type LiveEnv = RequestEnv & { Bindings: { LIVE: LiveNamespace } };

type Tell = (screens: ReturnType<typeof liveScreens>) => Promise<void>;

/** Notifies the screens after the response. A failure is only logged. */
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

/** Notifies the screens after the response that plants have changed. */
export function broadcastChanges<E extends LiveEnv>(c: Context<E>, topics: readonly string[]): void {
  const changed = [...new Set(topics)];
  if (changed.length > 0) broadcast(c, (screens) => screens.changed(changed));
}
