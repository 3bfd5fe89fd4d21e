import type { Database } from '#db/client';
import { stackTrace, type Log } from '#http/log';
import type { Addressee } from './data.ts';
import { composeMessage, type Wording } from './message.ts';
import { plantsNow, settle, type Notification } from './outbox-data.ts';
import { send, type Channel } from './send.ts';

/** Workers open six connections at a time, and the database may need one. */
const SIDE_BY_SIDE = 5;

type Delivery = {
  plants: Database;
  /** What was taken from the outbox, and when. */
  news: readonly Notification[];
  claimedAt: number;
  addressees: readonly Addressee[];
  wording: Wording;
  way: Channel;
  log: Log;
};

/** Tells everybody what was taken from the outbox, in one message each; whoever failed before comes last. */
export async function deliver(
  db: Database,
  { plants, news, claimedAt, addressees, wording, way, log }: Delivery,
): Promise<void> {
  if (news.length === 0) return;
  const names = [...new Set(news.map(({ name }) => name))];
  const states = await plantsNow(plants, names).catch((error: unknown) => {
    // Better told without names and percents than not at all.
    log('error', 'plants_not_read', { error: stackTrace(error) });
    return null;
  });
  const newsOf = Map.groupBy(news, ({ receiver_id }) => receiver_id);
  const tries = ({ id }: Addressee) => Math.min(...(newsOf.get(id) ?? []).map((each) => each.tries));
  const queue = addressees.filter(({ id }) => newsOf.has(id)).toSorted((a, b) => tries(a) - tries(b));
  const work = async () => {
    for (let to = queue.shift(); to !== undefined; to = queue.shift()) {
      const failure = await send(to, composeMessage(newsOf.get(to.id) ?? [], states, wording), way);
      await settle(db, to.id, claimedAt, failure);
      if (failure === undefined) log('info', 'alerts_told', { receiver: to.id });
      else log('warn', 'alerts_not_told', { receiver: to.id, failure });
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
}
