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
/** Seconds between tries of one message: 10, 20, 40 … */
const FIRST_RETRY_SECONDS = 10;
/** A group of plants that moves is back within seconds. */
const MOVING_RETRY_SECONDS = 20;
const LONGEST_RETRY_SECONDS = 900;

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
  try {
    const refused = await store(
      env,
      batch.messages.flatMap(({ body }) => body.rows),
      log,
    );
    log('info', 'queue_stored', { messages: batch.messages.length, refused });
    return batch.ackAll();
  } catch (error) {
    log('error', 'queue_failed', { messages: batch.messages.length, error: traceOf(error) });
  }
  // One of them may be at fault.
  for (const message of batch.messages) {
    try {
      await store(env, message.body.rows, log);
      message.ack();
    } catch (error) {
      const delaySeconds = FIRST_RETRY_SECONDS * 2 ** Math.min(message.attempts - 1, 10);
      const longest = error instanceof PlantsOnTheWay ? MOVING_RETRY_SECONDS : LONGEST_RETRY_SECONDS;
      message.retry({ delaySeconds: Math.min(delaySeconds, longest) });
    }
  }
}

/** Row by row: one that still fails while the database takes its dead letter is at fault itself. */
async function takeFailed(batch: MessageBatch<QueuedReadings>, env: Env, log: Log): Promise<void> {
  for (const message of batch.messages) {
    try {
      for (const row of message.body.rows) await storeAlone(env, row, log);
      message.ack();
    } catch (error) {
      log('error', 'queue_failed', { messages: 1, error: traceOf(error) });
      message.retry({ delaySeconds: LONGEST_RETRY_SECONDS });
    }
  }
}

async function storeAlone(env: Env, row: Row, log: Log): Promise<void> {
  try {
    await store(env, [row], log);
  } catch (error) {
    if (error instanceof PlantsOnTheWay) throw error;
    await keepRefused(database(env.PLANTS_DB), [{ row, reason: reasonOf(error).slice(0, 200) }], Date.now());
  }
}

/** @returns how many were refused */
async function store(env: Env, rows: readonly Row[], log: Log): Promise<number> {
  const outcomes = await storeInHomes(env, rows, (topics) => toldOfChanges(env, log, topics));
  const refused = rows.flatMap((row, at) => {
    const outcome = outcomes[at];
    if (outcome === undefined) throw new Error('a row has no outcome');
    return outcome === 'stored' || outcome === 'duplicate' ? [] : [{ row, reason: reasons[outcome] }];
  });
  await keepRefused(database(env.PLANTS_DB), refused, Date.now());
  return refused.length;
}
