import { newRequestId } from '#contract/request-id';
import { groupOf } from '#contract/plant-group';
import { FIRST_HOME } from '#contract/plant-homes';
import { database } from '#db/client';
import { homesToChange } from '#db/homes';
import { toldOfChanges } from '#http/live';
import { createLog, reasonOf, traceOf, type Log } from '#http/log';
import type { Env } from './config.ts';
import { reasons, type QueuedReadings, type Row } from './readings-data.ts';
import { keepRefused, tryToKeep } from './refused-data.ts';
import { storeInHomes } from './store-in-homes.ts';

/* Where READINGS_QUEUE is bound, readings wait in a queue between their signature and the database. */

/** What has failed in every try waits in the queue of this name, so that the others pass. */
const FAILED = /-failed$/;
/** Cloudflare takes 128 KB a message. */
const MESSAGE_BYTES = 100_000;
/** Seconds before the second try of one message, doubled for each further one, and the most. */
const AFTER_A_FAILURE = { first: 10, longest: 900 };
/** A group that moves is mostly back within a second; after a killed run within ten minutes, and twenty tries are fifteen. */
const WHILE_MOVING = { first: 1, longest: 60 };

/**
 * Hands rows to the queue, which may deliver them more than once and in any order.
 * @throws Error when it does not take them all; those that it took are stored nevertheless
 */
export async function enqueue(queue: Queue<QueuedReadings>, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  await queue.sendBatch(messagesOf(rows).map((body) => ({ body, contentType: 'json' })));
}

/** Splits rows into messages that the queue takes. */
export function messagesOf(rows: readonly Row[]): QueuedReadings[] {
  const messages: QueuedReadings[] = [];
  let bytes = Infinity;
  for (const row of rows) {
    const length = new TextEncoder().encode(JSON.stringify(row)).byteLength + 1;
    bytes += length;
    if (bytes > MESSAGE_BYTES) {
      messages.push({ rows: [] });
      bytes = length;
    }
    messages.at(-1)?.rows.push(row);
  }
  return messages;
}

/** Stores what the queue delivers. What is refused only now is kept as a dead letter of the database. */
export async function takeQueued(batch: MessageBatch<QueuedReadings>, env: Env): Promise<void> {
  const log = createLog(newRequestId(), env);
  if (FAILED.test(batch.queue)) return await takeFailed(batch, env, log);
  const { messages } = batch;
  try {
    await takeTogether(messages, env, log);
  } catch (error) {
    log('error', 'queue_failed', { messages: messages.length, error: traceOf(error) });
    // One of them may be at fault.
    for (const message of messages) await takeAlone(message, env, log);
  }
}

async function takeAlone(message: Message<QueuedReadings>, env: Env, log: Log): Promise<void> {
  try {
    await takeTogether([message], env, log);
  } catch (error) {
    log('error', 'queue_failed', { messages: 1, error: traceOf(error) });
    retryLater(message, AFTER_A_FAILURE);
  }
}

/** A message of which a group is on its way comes again, and what is stored of it is a duplicate then. */
async function takeTogether(messages: readonly Message<QueuedReadings>[], env: Env, log: Log): Promise<void> {
  const { refused, moving } = await store(
    env,
    messages.flatMap(({ body }) => body.rows),
    log,
  );
  const isMoving = ({ body }: Message<QueuedReadings>) => body.rows.some((row) => moving.has(row));
  const again = messages.filter(isMoving);
  for (const message of messages)
    if (again.includes(message)) retryLater(message, WHILE_MOVING);
    else message.ack();
  log('info', 'queue_stored', { messages: messages.length - again.length, refused, moving: again.length });
}

function retryLater(message: Message, { first, longest }: { first: number; longest: number }): void {
  const delaySeconds = Math.min(first * 2 ** Math.min(message.attempts - 1, 10), longest);
  message.retry({ delaySeconds });
}

/** With the database away nothing is anybody's fault, and all waits. */
async function takeFailed(batch: MessageBatch<QueuedReadings>, env: Env, log: Log): Promise<void> {
  for (const message of batch.messages) {
    try {
      const isMoving = await storeOrRefuse(env, message.body.rows, log);
      if (isMoving) message.retry({ delaySeconds: WHILE_MOVING.longest });
      else message.ack();
    } catch (error) {
      log('error', 'queue_failed', { messages: 1, error: traceOf(error) });
      message.retry({ delaySeconds: AFTER_A_FAILURE.longest });
    }
  }
}

/**
 * Halves rows on which a database fails until the one at fault is alone: it still fails while its database takes a dead letter.
 * @returns whether some are of a group on its way
 */
async function storeOrRefuse(env: Env, rows: readonly Row[], log: Log): Promise<boolean> {
  try {
    return (await store(env, rows, log)).moving.size > 0;
  } catch (error) {
    const [row] = rows;
    if (row === undefined) throw error;
    if (rows.length === 1) {
      await keepFailed(env, { row, reason: reasonOf(error).slice(0, 200) });
      return false;
    }
    const middle = Math.ceil(rows.length / 2);
    const isFirst = await storeOrRefuse(env, rows.slice(0, middle), log);
    return (await storeOrRefuse(env, rows.slice(middle), log)) || isFirst;
  }
}

/** @throws Error when the home of the row takes nothing either */
async function keepFailed(env: Env, refused: { row: Row; reason: string }): Promise<void> {
  const { plant } = refused.row;
  const home = (await homesToChange(env, [groupOf(plant)]))(plant);
  if (home.name !== FIRST_HOME) await tryToKeep(home.db, refused);
  await keepRefused(database(env.PLANTS_DB), [refused], Date.now());
}

/** @returns how many were refused, and which must come again because their group is on its way */
async function store(
  env: Env,
  rows: readonly Row[],
  log: Log,
): Promise<{ refused: number; moving: ReadonlySet<Row> }> {
  const outcomes = await storeInHomes(env, rows, (topics) => toldOfChanges(env, log, topics));
  const moving = new Set<Row>();
  const refused = rows.flatMap((row, at) => {
    const outcome = outcomes[at];
    if (outcome === undefined) throw new Error('a row has no outcome');
    if (outcome === 'on the way') moving.add(row);
    const isKept = outcome === 'stored' || outcome === 'duplicate' || outcome === 'on the way';
    return isKept ? [] : [{ row, reason: reasons[outcome] }];
  });
  await keepRefused(database(env.PLANTS_DB), refused, Date.now());
  return { refused: refused.length, moving };
}
