import { RECEIVERS_MAX, type NewReceiver, type Receiver, type ReceiverKind } from '#contract/receivers';
import { statement, type Database } from '#db/client';
import { insertFrom, integer, jsonObject } from '#db/sql';
import { outbox, receivers, receiverTopics } from '#db/watch';
import { asc, count, eq, isNotNull, lt, max, sql } from 'drizzle-orm';
import { logEach } from '../access-log/data.ts';
import type { Actor } from '../lib/app-env.ts';

/** Somebody who is told, with the secret address. */
export type Addressee = { id: number; kind: ReceiverKind; address: string };

/**
 * Every receiver with what it has not taken yet, in the order in which they were added.
 * @param names what the plants are called, by topic; null when their database does not answer
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
    // One that is removed has another topic. Where nobody knows the names, the topics stand for them.
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

/** The host alone: a path, and the name before the @, may be all that keeps others from writing there. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address.slice(address.lastIndexOf('@') + 1);
}

const isoOrNull = (instant: number | null) => (instant === null ? null : new Date(instant).toISOString());

/**
 * @param topics of the plants that it is told of; null for every plant
 * @returns its id; undefined when there are as many as there may be
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
    every_plant: integer(Number(topics === null)),
    line: integer(Number(line)),
    quiet_from: quiet?.from ?? null,
    quiet_to: quiet?.to ?? null,
    created_at: Date.now(),
  };
  const isRoom = lt(db.$count(receivers), RECEIVERS_MAX);
  const [[added]] = await db.commit([
    statement<{ id: number }>(db, sql`${insertFrom(receivers, row, sql`WHERE ${isRoom}`)} RETURNING id`),
    logEach(
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

/** Removes a receiver with what it was to be told. False when there is none. */
export async function removeReceiver(db: Database, by: Actor, id: number): Promise<boolean> {
  const isIt = eq(receivers.id, id);
  const [, , removed] = await db.commit([
    logEach(
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

/** The receiver, for a message of its own; undefined when there is none. That it was written to is logged. */
export async function findReceiver(db: Database, by: Actor, id: number): Promise<Addressee | undefined> {
  const [[found]] = await db.commit([
    db
      .select({ id: receivers.id, kind: receivers.kind, address: receivers.address })
      .from(receivers)
      .where(eq(receivers.id, id)),
    logEach(
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
