import { DAY_MS, MINUTE_MS } from '#contract/time';
import { PLANT_ALERT_KINDS, ALERT_KINDS_ENDED_BY_HIDING, type AlertKey } from '#contract/alerts';
import { statement, type Database } from '#db/client';
import { plants, plantStates } from '#db/plants';
import { alerts, outbox, receivers, receiverTopics } from '#db/watch';
import { and, eq, gt, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import type { ReceiverWithAddress } from './data.ts';
import { RETRY_PAUSES_MS, DELIVERY_TRIES_MAX } from './retry-pauses.ts';

/** The receiver id of the operator's webhook, which is a variable and has no row. */
export const OPERATOR_RECEIVER_ID = 0;

/** A delivery takes seconds; after this time its run counts as failed, and another run takes the news. */
const CLAIM_MS = 5 * MINUTE_MS;
/** How long dropped news is shown. */
const SHOWN_MS = 7 * DAY_MS;

/** A receiver with its quiet hours, during which it gets no messages. */
export type ReceiverWithQuietHours = ReceiverWithAddress & {
  quiet_from: string | null;
  quiet_to: string | null;
};

export async function listReceiversWithQuietHours(db: Database): Promise<ReceiverWithQuietHours[]> {
  const { id, kind, address, quiet_from, quiet_to } = receivers;
  return await db.select({ id, kind, address, quiet_from, quiet_to }).from(receivers);
}

/** One item of news for a receiver: an alert began, or ended. */
export type Notification = AlertKey & {
  receiver_id: number;
  since: number;
  over_at: number | null;
  told_at: number | null;
  tries: number;
  /** The alert's present state; null once it has ended. */
  detail: string | null;
};

export type OutboxUpdate = {
  everybody: readonly ReceiverWithQuietHours[];
  /** Receivers outside their quiet hours. */
  awake: readonly ReceiverWithQuietHours[];
  /** Topics of the plants that are watched; null if they could not be read. */
  watched: readonly string[] | null;
  now: number;
};

/**
 * Statements for the batch that saves the alerts: they add begun and ended alerts to the outbox and take the
 * due news. Taken news is reserved for a while; `recordDelivery` records the result.
 */
export function enqueueNotifications(db: Database, { everybody, awake, watched, now }: OutboxUpdate) {
  const ids = (listeners: readonly ReceiverWithQuietHours[]) => JSON.stringify(listeners.map(({ id }) => id));
  const isListener = sql`${outbox.receiver_id} IN (SELECT value FROM json_each(${ids(everybody)}))`;
  const hasOperator = everybody.some(({ id }) => id === OPERATOR_RECEIVER_ID);
  const began = (from: ReturnType<typeof sql>, receiver: ReturnType<typeof sql>) =>
    statement(
      db,
      sql`INSERT INTO ${outbox} (receiver_id, "key", kind, name, since, next_at)
        SELECT ${receiver}, ${alerts.key}, ${alerts.kind}, ${alerts.name}, ${alerts.since}, ${now} ${from}
        ON CONFLICT DO UPDATE SET over_at = NULL,
          -- The alert begins again before its end was sent: a receiver that knows the start needs no news.
          next_at = iif(told_at IS NULL, next_at, NULL), dropped_at = iif(told_at IS NULL, dropped_at, NULL),
          failure = iif(told_at IS NULL, failure, NULL), tries = iif(told_at IS NULL, tries, 0)
        WHERE over_at IS NOT NULL`,
    );
  const isChosen = sql`EXISTS (SELECT 1 FROM ${receiverTopics}
    WHERE ${receiverTopics.receiver_id} = ${receivers.id} AND ${receiverTopics.topic} = ${alerts.name})`;
  const isPlant = inArray(alerts.kind, [...PLANT_ALERT_KINDS]);
  return [
    began(
      sql`FROM ${alerts} JOIN ${receivers} ON
        CASE WHEN ${isPlant} THEN ${receivers.every_plant} OR ${isChosen} ELSE ${receivers.line} END WHERE true`,
      sql`${receivers.id}`,
    ),
    began(sql`FROM ${alerts} WHERE ${Number(hasOperator)}`, sql`${OPERATOR_RECEIVER_ID}`),
    db
      .update(outbox)
      .set({
        over_at: now,
        next_at: sql`iif(${outbox.dropped_at} IS NULL, coalesce(${outbox.next_at}, ${now}), NULL)`,
      })
      .where(
        and(
          isNull(outbox.over_at),
          sql`NOT EXISTS (SELECT 1 FROM ${alerts} WHERE ${alerts.key} = ${outbox.key} AND ${alerts.since} = ${outbox.since})`,
        ),
      ),
    // No start is sent for a hidden or removed plant; who got the start gets the news that alerts stopped.
    db
      .delete(outbox)
      .where(
        and(
          sql`${Number(watched !== null)}`,
          isNull(outbox.told_at),
          inArray(outbox.kind, [...ALERT_KINDS_ENDED_BY_HIDING]),
          sql`${outbox.name} NOT IN (SELECT value FROM json_each(${JSON.stringify(watched ?? [])}))`,
        ),
      ),
    db
      .delete(outbox)
      .where(
        or(sql`NOT ${isListener}`, and(isNotNull(outbox.over_at), lte(outbox.dropped_at, now - SHOWN_MS))),
      ),
    db
      .update(outbox)
      .set({ next_at: now + CLAIM_MS, tries: sql`${outbox.tries} + 1` })
      .where(
        and(
          lte(outbox.next_at, now),
          sql`${outbox.receiver_id} IN (SELECT value FROM json_each(${ids(awake)}))`,
        ),
      )
      .returning({
        receiver_id: outbox.receiver_id,
        kind: outbox.kind,
        name: outbox.name,
        since: outbox.since,
        over_at: outbox.over_at,
        told_at: outbox.told_at,
        tries: outbox.tries,
        detail: sql<
          string | null
        >`(SELECT detail FROM alerts WHERE alerts.key = outbox.key AND alerts.since = outbox.since)`,
      }),
  ] as const;
}

/** Records how the delivery of news taken at `claimedAt` went; failures are retried after growing pauses. */
export async function recordDelivery(
  db: Database,
  receiver: number,
  claimedAt: number,
  failure: string | undefined,
): Promise<void> {
  const now = Date.now();
  const isClaimed = and(eq(outbox.receiver_id, receiver), eq(outbox.next_at, claimedAt + CLAIM_MS));
  if (failure !== undefined) {
    const isLast = sql`${outbox.tries} >= ${DELIVERY_TRIES_MAX}`;
    await db.commit([
      db
        .update(outbox)
        .set({
          failure,
          next_at: sql`iif(${isLast}, NULL, ${now} + (${JSON.stringify(RETRY_PAUSES_MS)} ->> (${outbox.tries} - 1)))`,
          dropped_at: sql`iif(${isLast}, ${now}, NULL)`,
        })
        .where(isClaimed),
    ]);
    return;
  }
  // If the alert ended after its news was taken, the news stays: the end must still be sent.
  await db.commit([
    db.delete(outbox).where(and(isClaimed, lte(outbox.over_at, claimedAt))),
    db
      .update(outbox)
      .set({
        told_at: now,
        tries: 0,
        failure: null,
        next_at: sql`iif(${outbox.over_at} IS NULL, NULL, ${now})`,
      })
      .where(isClaimed),
    db.update(receivers).set({ told_at: now }).where(eq(receivers.id, receiver)),
  ]);
}

/** After a successful delivery, waiting news is due now, and so is dropped news whose alert still lasts. */
export async function scheduleRetry(db: Database, receiver: number): Promise<void> {
  const now = Date.now();
  await db.commit([
    db
      .update(outbox)
      .set({ next_at: now, tries: 0, failure: null, dropped_at: null })
      .where(
        and(
          eq(outbox.receiver_id, receiver),
          isNotNull(outbox.failure),
          or(isNotNull(outbox.next_at), gt(outbox.dropped_at, now - DAY_MS)),
        ),
      ),
    db.update(receivers).set({ told_at: now }).where(eq(receivers.id, receiver)),
  ]);
}

/** Why the receiver did not accept its waiting news; null if nothing is waiting. */
export async function pendingFailure(db: Database, receiver: number): Promise<string | null> {
  const [row] = await db
    .select({ failure: outbox.failure })
    .from(outbox)
    .where(and(eq(outbox.receiver_id, receiver), isNotNull(outbox.failure)))
    .limit(1);
  return row?.failure ?? null;
}

/** Names, assessments and calibrations of the plants, by topic, without removed plants. */
export async function readPlantsForMessages(db: Database, topics: readonly string[]) {
  const rows = await db
    .select({
      topic: plants.topic,
      name: plants.name,
      assessment: plantStates.assessment,
      dry: plantStates.dry,
      wet: plantStates.wet,
      alert_below: plantStates.alert_below,
      isHidden: plantStates.is_hidden,
    })
    .from(plantStates)
    .innerJoin(plants, eq(plants.id, plantStates.plant_id))
    .where(sql`${plants.topic} IN (SELECT value FROM json_each(${JSON.stringify(topics)}))`);
  return new Map(rows.map((row) => [row.topic, row]));
}

const seoulClock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Seoul',
  hour: '2-digit',
  minute: '2-digit',
});

/** Whether it is between two times of day in Seoul, `HH:MM`; the second may be on the next day. */
export function isInQuietHours(
  { quiet_from: from, quiet_to: to }: { quiet_from: string | null; quiet_to: string | null },
  now: number,
): boolean {
  if (from === null || to === null) return false;
  const time = seoulClock.format(now);
  return from < to ? from <= time && time < to : from <= time || time < to;
}
