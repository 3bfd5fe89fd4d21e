import { newRequestId } from '#contract/request-id';
import { PlantsOnTheWay } from '#contract/errors';
import { database } from '#db/client';
import { toldOfChanges } from '#http/live';
import { createLog, reasonOf, traceOf, type Log } from '#http/log';
import type { Env } from './config.ts';
import { reasons, type QueuedReadings, type Row } from './readings-data.ts';
import { keepRefused } from './refused-data.ts';
import { storeInHomes } from './store-in-homes.ts';

/* Where READINGS_QUEUE is bound, readings wait in a queue between their signature and the database. */

/** What has failed in every try waits in the queue of this name, so that the others pass. */
const FAILED = /-failed$/;
/** Cloudflare takes 128 KB a message. */
const MESSAGE_BYTES = 100_000;
/** Seconds before the second try of one message, doubled for each further one, and the most. */
const AFTER_A_FAILURE = { first: 10, longest: 900 };
/** A group of plants that moves is mostly back within a second, and after a killed run within minutes. */
const WHILE_MOVING = { first: 1, longest: 20 };

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
    for (const message of messages)
      await takeTogether([message], env, log).catch(() => retryLater(message, AFTER_A_FAILURE));
  }
}

/** A message of which a group is on its way comes again, and what is stored of it is a duplicate then. */
async function takeTogether(messages: readonly Message<QueuedReadings>[], env: Env, log: Log): Promise<void> {
  const { refused, moving } = await store(
    env,
    messages.flatMap(({ body }) => body.rows),
    log,
  );
  const [again, done] = [true, false].map((isMoving) =>
    messages.filter(({ body }) => body.rows.some((row) => moving.has(row)) === isMoving),
  );
  for (const message of done ?? []) message.ack();
  for (const message of again ?? []) retryLater(message, WHILE_MOVING);
  log('info', 'queue_stored', { messages: done?.length ?? 0, refused, moving: again?.length ?? 0 });
}

function retryLater(message: Message, { first, longest }: { first: number; longest: number }): void {
  const delaySeconds = Math.min(first * 2 ** Math.min(message.attempts - 1, 10), longest);
  message.retry({ delaySeconds });
}

/** Row by row: one that still fails while the database takes its dead letter is at fault itself. */
async function takeFailed(batch: MessageBatch<QueuedReadings>, env: Env, log: Log): Promise<void> {
  for (const message of batch.messages) {
    try {
      for (const row of message.body.rows) await storeAlone(env, row, log);
      message.ack();
    } catch (error) {
      log('error', 'queue_failed', { messages: 1, error: traceOf(error) });
      message.retry({ delaySeconds: AFTER_A_FAILURE.longest });
    }
  }
}

async function storeAlone(env: Env, row: Row, log: Log): Promise<void> {
  try {
    const { moving } = await store(env, [row], log);
    if (moving.size > 0) throw new PlantsOnTheWay();
  } catch (error) {
    if (error instanceof PlantsOnTheWay) throw error;
    await keepRefused(database(env.PLANTS_DB), [{ row, reason: reasonOf(error).slice(0, 200) }], Date.now());
  }
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
