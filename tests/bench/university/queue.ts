/**
 * A queue of messages with the promises of Cloudflare Queues, as far as the ingest worker relies on them: what it has
 * taken is on its disk, it delivers at least once, and what fails in every try goes into the queue of the failed.
 * Arguments: file, port, address that it delivers to.
 */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { readingsQueue } from '../../../local/queue.ts';

const [file = '', port = '', deliverTo = ''] = process.argv.slice(2);
const LOOK_MS = 20;

const db = new DatabaseSync(file);
db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, body TEXT NOT NULL,
    sent_at INTEGER NOT NULL, due_at INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE INDEX messages_by_due ON messages (queue, due_at)`);
const add = db.prepare('INSERT INTO messages (queue, body, sent_at, due_at) VALUES (?1, ?2, ?3, ?3)');
const findDue = db.prepare(
  'SELECT * FROM messages WHERE queue = ? AND due_at <= ? ORDER BY due_at, id LIMIT ?',
);
const remove = db.prepare('DELETE FROM messages WHERE id = ?');
const putOff = db.prepare('UPDATE messages SET due_at = ?, attempts = attempts + 1 WHERE id = ?');
const fail = db.prepare('UPDATE messages SET queue = ?, due_at = ?, attempts = 0 WHERE id = ?');
const count = db.prepare('SELECT count(*) AS n FROM messages');

const messageSchema = z.object({
  id: z.int(),
  body: z.string(),
  sent_at: z.int(),
  attempts: z.int(),
});
type Message = z.output<typeof messageSchema>;
type Consumer = {
  maxBatchSize: number;
  maxBatchTimeout?: number;
  maxRetries: number;
  deadLetterQueue?: string;
};

function transaction(work: () => void): void {
  db.exec('BEGIN IMMEDIATE');
  work();
  db.exec('COMMIT');
}

const retriesSchema = z.record(z.string(), z.number());

/** @returns in how many seconds each message that failed is to come again, by its id; null when nobody was there */
async function deliver(queue: string, messages: readonly Message[]): Promise<Record<string, number> | null> {
  try {
    const body = JSON.stringify({
      queue,
      messages: messages.map(({ id, sent_at: timestamp, attempts, ...message }) => ({
        id: String(id),
        timestamp,
        attempts: attempts + 1,
        body: JSON.parse(message.body),
      })),
    });
    const answer = await fetch(deliverTo, { method: 'POST', body });
    if (answer.ok) return retriesSchema.parse(await answer.json());
    return Object.fromEntries(messages.map(({ id }) => [id, 0]));
  } catch {
    return null;
  }
}

/** Delivers one batch after the other, for the life of the process. */
async function serve(queue: string, consumer: Consumer): Promise<void> {
  const { maxBatchSize, maxBatchTimeout = 1, maxRetries, deadLetterQueue } = consumer;
  for (;;) {
    const now = Date.now();
    const due = z.array(messageSchema).parse(findDue.all(queue, now, maxBatchSize));
    const [oldest] = due;
    const isReady = due.length === maxBatchSize || (oldest?.sent_at ?? now) < now - maxBatchTimeout * 1000;
    if (!isReady) {
      await wait(LOOK_MS);
      continue;
    }
    const retries = await deliver(queue, due);
    if (retries === null) {
      await wait(LOOK_MS);
      continue;
    }
    transaction(() => {
      for (const { id, attempts } of due) {
        const seconds = retries[id];
        if (seconds === undefined) remove.run(id);
        else if (attempts >= maxRetries && deadLetterQueue !== undefined)
          fail.run(deadLetterQueue, Date.now(), id);
        else putOff.run(Date.now() + seconds * 1000, id);
      }
    });
  }
}

const { queueName } = readingsQueue.queueProducers.READINGS_QUEUE;
const bodiesSchema = z.array(z.unknown());
createServer((request, response) => {
  const take = async () => {
    if (request.method === 'POST') {
      const bodies = bodiesSchema.parse(await json(request));
      transaction(() => {
        for (const body of bodies) add.run(queueName, JSON.stringify(body), Date.now());
      });
    }
    response.end(JSON.stringify({ waiting: count.get()?.['n'] }));
  };
  take().catch((error: unknown) => {
    // Who was killed in the middle of sending has no answer, and its bridge sends again.
    if (!request.destroyed) throw error;
  });
}).listen(Number(port), '127.0.0.1', () => console.log('ready'));
await Promise.all(Object.entries(readingsQueue.queueConsumers).map(([queue, each]) => serve(queue, each)));
