import type { NewReceiver, Receiver, ReceiverKind } from '#contract/receivers';

import { statement, type Database } from '#db/client';
import { plants, plantStates } from '#db/plants';
import { insertFrom, jsonObject } from '#db/sql';
import { outbox, receivers, receiverTopics } from '#db/watch';
import { asc, count, eq, isNotNull, max, sql } from 'drizzle-orm';
import { loggedEach } from '../access-log/data.ts';
import type { Actor } from '../lib/actor.ts';

/** Somebody who is told, with the secret address. */
export type Addressee = { id: number; kind: ReceiverKind; address: string };

/** Every receiver with what it has not taken yet, in the order in which they were added. */
export async function listReceivers(db: Database): Promise<Receiver[]> {
  const hasFailed = isNotNull(outbox.failure);
  const [rows, chosen, waiting] = await db.batch([
    db.select().from(receivers).orderBy(asc(receivers.id)),
    db
      .select({ receiver: receiverTopics.receiver_id, topic: receiverTopics.topic, name: plants.name })
      .from(receiverTopics)
      // One that is removed has another topic.
      .leftJoin(plants, eq(plants.topic, receiverTopics.topic))
      .orderBy(asc(plants.name), asc(receiverTopics.topic)),
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
    const own = chosen.filter(({ receiver }) => receiver === id);
    return {
      id,
      kind,
      name,
      host: hostOf(row.address),
      plants: row.every_plant ? null : own.flatMap((each) => each.name ?? []),
      absent: own.flatMap((each) => (each.name === null ? [each.topic] : [])),
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

export const countReceivers = (db: Database): Promise<number> => db.$count(receivers);

/** The first of these names that no plant has; undefined when each has one. */
export async function firstUnknown(db: Database, names: readonly string[]): Promise<string | undefined> {
  const known = await db
    .select({ name: plants.name })
    .from(plants)
    // One that is removed has no state.
    .innerJoin(plantStates, eq(plantStates.plant_id, plants.id))
    .where(sql`${plants.name} IN (SELECT value FROM json_each(${JSON.stringify(names)}))`);
  const found = new Set(known.map(({ name }) => name));
  return names.find((name) => !found.has(name));
}

/** Adds a receiver. A plant that was removed since its name was looked up is left out. */
export async function addReceiver(db: Database, by: Actor, receiver: NewReceiver): Promise<number> {
  const { kind, name, address, plants: named, line, quiet } = receiver;
  const newest = sql`(SELECT max(${receivers.id}) FROM ${receivers})`;
  const [[added]] = await db.batch([
    db
      .insert(receivers)
      .values({
        kind,
        name,
        address,
        every_plant: named === null,
        line,
        quiet_from: quiet?.from ?? null,
        quiet_to: quiet?.to ?? null,
        created_at: Date.now(),
      })
      .returning({ id: receivers.id }),
    statement(
      db,
      insertFrom(
        receiverTopics,
        { receiver_id: newest, topic: plants.topic },
        sql`FROM ${plants} WHERE ${plants.name} IN (SELECT value FROM json_each(${JSON.stringify(named ?? [])}))`,
      ),
    ),
    loggedEach(
      db,
      by,
      { action: 'create', subject: 'receiver', subject_id: newest, detail: jsonObject({ kind }) },
      sql``,
    ),
  ]);
  if (!added) throw new Error('the receiver was not inserted');
  return added.id;
}

/** Removes a receiver with what it was to be told. False when there is none. */
export async function removeReceiver(db: Database, by: Actor, id: number): Promise<boolean> {
  const isIt = eq(receivers.id, id);
  const [, , removed] = await db.batch([
    loggedEach(
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
  const [[found]] = await db.batch([
    db
      .select({ id: receivers.id, kind: receivers.kind, address: receivers.address })
      .from(receivers)
      .where(eq(receivers.id, id)),
    loggedEach(
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
