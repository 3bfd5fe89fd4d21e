import type { Database } from '#db/client';
import { stackTrace, type Log } from '#http/log';
import type { Addressee } from './data.ts';
import { composeMessage, type Wording } from './message.ts';
import { readPlantsForMessages, recordDelivery, type Notification } from './outbox-data.ts';
import { sendMessage, type Channel } from './send.ts';

/** Workers allow six connections at a time, and the database may need one of them. */
const SIDE_BY_SIDE = 5;

type Delivery = {
  plants: Database;
  /** The news taken from the outbox, and when it was taken. */
  news: readonly Notification[];
  claimedAt: number;
  addressees: readonly Addressee[];
  wording: Wording;
  way: Channel;
  log: Log;
};

/** Sends each receiver its news from the outbox in one message; receivers that failed before come last. */
export async function deliverNotifications(
  db: Database,
  { plants, news, claimedAt, addressees, wording, way, log }: Delivery,
): Promise<void> {
  if (news.length === 0) return;
  const names = [...new Set(news.map(({ name }) => name))];
  const states = await readPlantsForMessages(plants, names).catch((error: unknown) => {
    // A message without names and percents is better than no message.
    log('error', 'plants_not_read', { error: stackTrace(error) });
    return null;
  });
  const newsOf = Map.groupBy(news, ({ receiver_id }) => receiver_id);
  const tries = ({ id }: Addressee) => Math.min(...(newsOf.get(id) ?? []).map((each) => each.tries));
  const queue = addressees.filter(({ id }) => newsOf.has(id)).toSorted((a, b) => tries(a) - tries(b));
  const work = async () => {
    for (let to = queue.shift(); to !== undefined; to = queue.shift()) {
      const failure = await sendMessage(to, composeMessage(newsOf.get(to.id) ?? [], states, wording), way);
      await recordDelivery(db, to.id, claimedAt, failure);
      if (failure === undefined) log('info', 'alerts_told', { receiver: to.id });
      else log('warn', 'alerts_not_told', { receiver: to.id, failure });
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
}
