import { byGroup, OWN_GROUP } from '#contract/plant-group';
import type { Context } from 'hono';
import type { RequestEnv } from './follow-request.ts';
import { traceOf, type Log } from './log.ts';

/** Whose socket it is, until when it may stand (milliseconds since 1970), and the group that it tells of. */
export type LiveHolder = { session: number; user: number; until: number; group: string };

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

/** The laboratory's own group, which has no name. No group's name has a slash. */
const OWN = 'lab';

export const liveScreens = ({ LIVE }: { LIVE: LiveNamespace }, group: string) =>
  LIVE.getByName(group === OWN_GROUP ? OWN : `${OWN}/${group}`);

export type LiveEnv = RequestEnv & { Bindings: { LIVE: LiveNamespace } };

export type Tell = (screens: ReturnType<typeof liveScreens>) => Promise<void>;

/** Tells the screens of a group behind the response. A failure is logged, and fails nothing else. */
export function tellScreens<E extends LiveEnv>(c: Context<E>, group: string, tell: Tell): void {
  c.executionCtx.waitUntil(toldScreens(c.env, c.var.log, group, tell));
}

/** The same where there is no request. */
export async function toldScreens(
  env: LiveEnv['Bindings'],
  log: Log,
  group: string,
  tell: Tell,
): Promise<void> {
  try {
    await tell(liveScreens(env, group));
  } catch (error) {
    log('warn', 'screens_not_told', { error: traceOf(error) });
  }
}

/** Tells the screens of each group behind the response which of its plants have changed. */
export function tellOfChanges<E extends LiveEnv>(c: Context<E>, topics: readonly string[]): void {
  if (topics.length > 0) c.executionCtx.waitUntil(toldOfChanges(c.env, c.var.log, topics));
}

/** The same where there is no request. */
export async function toldOfChanges(
  env: LiveEnv['Bindings'],
  log: Log,
  topics: readonly string[],
): Promise<void> {
  const told = [...byGroup(topics)].map(([group, changed]) =>
    toldScreens(env, log, group, (screens) => screens.changed(changed)),
  );
  await Promise.all(told);
}
