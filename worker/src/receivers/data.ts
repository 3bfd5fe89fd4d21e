import { RECEIVERS_MAX, type NewReceiver, type Receiver, type ReceiverKind } from '#contract/receivers';
import { statement, type Database } from '#db/client';
import { insertFrom, toInt, jsonObject } from '#db/sql';
import { outbox, receivers, receiverTopics } from '#db/watch';
import { asc, count, eq, isNotNull, lt, max, sql } from 'drizzle-orm';
import { logPerRow } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';

/** A receiver of messages, with the secret address. */
export type ReceiverWithAddress = { id: number; kind: ReceiverKind; address: string };

/**
 * All receivers with their undelivered news, in the order in which they were added.
 * @param names the plants' names, by topic; null when PLANTS_DB does not answer
 */
export async function listReceivers(
  db: Database,
  names: ReadonlyMap<string, string> | null,
): Promise<Receiver[]> {
  const hasFailed = isNotNull(outbox.failure);
  const [rows, chosen, waiting] = await db.batch([
    db.select().from(receivers).orderBy(asc(receivers.id)),
    db
      .select({ receiver: receiverTopics.receiver_id, topic: receiverTopics.topic })
      .from(receiverTopics)
      .orderBy(asc(receiverTopics.topic)),
    db
      .select({
        receiver: outbox.receiver_id,
        waiting: count(outbox.next_at).as('waiting'),
        dropped: count(outbox.dropped_at).as('dropped'),
        failure: max(outbox.failure).as('why'),
        nextAt: sql<number | null>`min(${outbox.next_at}) FILTER (WHERE ${hasFailed})`.as('at'),
      })
      .from(outbox)
      .groupBy(outbox.receiver_id),
  ]);
  return rows.map((row): Receiver => {
    const { id, kind, name, line, quiet_from: from, quiet_to: to } = row;
    const left = waiting.find(({ receiver }) => receiver === id);
    const own = chosen.filter(({ receiver }) => receiver === id).map(({ topic }) => topic);
    // A removed plant's topic has no name. If the names could not be read, the topic is shown.
    const nameOf = (topic: string) => (names === null ? topic : names.get(topic));
    return {
      id,
      kind,
      name,
      host: hostOf(row.address),
      plants: row.every_plant ? null : own.flatMap((topic) => nameOf(topic) ?? []).toSorted(),
      absent: own.filter((topic) => nameOf(topic) === undefined),
      line,
      quiet: from === null || to === null ? null : { from, to },
      told_at: isoOrNull(row.told_at),
      waiting: left?.waiting ?? 0,
      dropped: left?.dropped ?? 0,
      failure: left?.failure ?? null,
      next_at: isoOrNull(left?.nextAt ?? null),
    };
  });
}

/** Only the host: the path, or the part before the @, may be the secret that protects the receiver. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address.slice(address.lastIndexOf('@') + 1);
}

const isoOrNull = (instant: number | null) => (instant === null ? null : new Date(instant).toISOString());

/**
 * Adds a receiver of alerts and logs it.
 * @param topics the MQTT topics of the plants that it gets alerts about; null for every plant
 * @returns the id; undefined if there are already RECEIVERS_MAX receivers
 */
export async function addReceiver(
  db: Database,
  by: Actor,
  receiver: Omit<NewReceiver, 'plants'>,
  topics: readonly string[] | null,
): Promise<number | undefined> {
  const { kind, name, address, line, quiet } = receiver;
  const newest = sql`(SELECT max(${receivers.id}) FROM ${receivers})`;
  const row = {
    kind,
    name,
    address,
    every_plant: toInt(Number(topics === null)),
    line: toInt(Number(line)),
    quiet_from: quiet?.from ?? null,
    quiet_to: quiet?.to ?? null,
    created_at: Date.now(),
  };
  const isRoom = lt(db.$count(receivers), RECEIVERS_MAX);
  const [[added]] = await db.commit([
    statement<{ id: number }>(db, sql`${insertFrom(receivers, row, sql`WHERE ${isRoom}`)} RETURNING id`),
    logPerRow(
      db,
      by,
      { action: 'create', subject: 'receiver', subject_id: newest, detail: jsonObject({ kind }) },
      sql`WHERE changes() = 1`,
    ),
    statement(
      db,
      insertFrom(
        receiverTopics,
        { receiver_id: newest, topic: sql`value` },
        sql`FROM json_each(${JSON.stringify(topics ?? [])}) WHERE changes() = 1`,
      ),
    ),
  ]);
  return added?.id;
}

/** Removes a receiver with its undelivered news. Returns false if there is no such receiver. */
export async function removeReceiver(db: Database, by: Actor, id: number): Promise<boolean> {
  const isIt = eq(receivers.id, id);
  const [, , removed] = await db.commit([
    logPerRow(
      db,
      by,
      {
        action: 'delete',
        subject: 'receiver',
        subject_id: receivers.id,
        detail: jsonObject({ kind: receivers.kind }),
      },
      sql`FROM ${receivers} WHERE ${isIt}`,
    ),
    db.delete(outbox).where(eq(outbox.receiver_id, id)),
    db.delete(receivers).where(isIt).returning({ id: receivers.id }),
  ]);
  return removed.length === 1;
}

/** The receiver, for a test message; undefined if there is none. The test is logged. */
export async function findReceiver(
  db: Database,
  by: Actor,
  id: number,
): Promise<ReceiverWithAddress | undefined> {
  const [[found]] = await db.commit([
    db
      .select({ id: receivers.id, kind: receivers.kind, address: receivers.address })
      .from(receivers)
      .where(eq(receivers.id, id)),
    logPerRow(
      db,
      by,
      {
        action: 'read',
        subject: 'receiver',
        subject_id: receivers.id,
        detail: jsonObject({ kind: receivers.kind, test: 1 }),
      },
      sql`FROM ${receivers} WHERE ${receivers.id} = ${id}`,
    ),
  ]);
  return found;
}
