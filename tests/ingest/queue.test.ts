import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { readingReceiptSchema } from '#contract/readings';
import { database } from '#db/client';
import worker, { app } from '../../ingest/src/app.ts';
import type { QueuedReadings } from '../../ingest/src/readings-data.ts';
import { messagesOf } from '../../ingest/src/queue.ts';
import { keepRefused } from '../../ingest/src/refused-data.ts';
import { propertyRuns } from '../support/counts.ts';
import { bytesOf, freshDatabase, NOW, reading, rowOf, signature, stored } from './support.ts';

declare global {
  namespace Cloudflare {
    interface Env {
      /** The ingest worker of this project consumes it. */
      A_QUEUE: Queue<QueuedReadings>;
    }
  }
}

beforeEach(freshDatabase);

/** POSTs readings to a worker before whose database a queue stands. */
async function postToQueue(readings: unknown[], queue: Queue<QueuedReadings> = env.A_QUEUE) {
  const body = bytesOf({ readings });
  const request = { method: 'POST', body, headers: await signature('/readings', body) };
  return await app.request('https://ingest.test/readings', request, { ...env, READINGS_QUEUE: queue });
}

async function refused(): Promise<{ reading: string; reason: string }[]> {
  const found = await env.PLANTS_DB.prepare(
    'SELECT reading, reason FROM refused_readings ORDER BY reading',
  ).all<{
    reading: string;
    reason: string;
  }>();
  return found.results;
}

/** What the platform hands to the worker, and what it answers. */
async function deliver(queue: string, bodies: QueuedReadings[], database: D1Database = env.PLANTS_DB) {
  const messages = bodies.map((body, at) => ({
    id: String(at),
    timestamp: new Date(),
    attempts: 1,
    body,
  }));
  const batch = createMessageBatch<QueuedReadings>(queue, messages);
  const { LIVE, READINGS_RATE, STRANGERS_RATE } = env;
  await worker.queue(batch, { PLANTS_DB: database, LIVE, READINGS_RATE, STRANGERS_RATE, LOG_LEVEL: 'error' });
  return await getQueueResult(batch, createExecutionContext());
}

/** The database, but every statement with such a plant in it fails. */
function failingFor(plant: string): D1Database {
  const bound = env.PLANTS_DB.prepare('SELECT ?');
  return new Proxy(env.PLANTS_DB, {
    get: (db, name) => {
      if (name !== 'prepare') return Reflect.get(db, name, db).bind?.(db);
      return (query: string) =>
        new Proxy(db.prepare(query), {
          get: (statement, what) => {
            const member = Reflect.get(statement, what, statement);
            if (what !== 'bind') return typeof member === 'function' ? member.bind(statement) : member;
            return (...values: unknown[]) =>
              query.includes('refused_readings') || !values.some((value) => String(value).includes(plant))
                ? statement.bind(...values)
                : bound.bind();
          },
        });
    },
  });
}

describe('a queue between signature and database', () => {
  test('ING-14 the receipt says that the queue has it, and it is stored soon, once, however often it is sent', async () => {
    const sent = [1, 2, 3].map((seq) => reading({ seq }));
    for (let times = 0; times < 2; times++) {
      const answer = await postToQueue(sent);
      const { results } = readingReceiptSchema.parse(await answer.json());
      expect(results).toEqual(sent.map(() => ({ status: 'queued' })));
    }
    await vi.waitUntil(async () => (await stored()).length === 3, { timeout: 30_000 });
    expect(await refused()).toEqual([]);
  });

  test('ING-14 what is no reading is refused in the receipt, its neighbours are queued', async () => {
    const answer = await postToQueue([reading({ seq: 1 }), { plant: 'fern' }, reading({ seq: 2 })]);
    const { results } = readingReceiptSchema.parse(await answer.json());
    expect(results.map(({ status }) => status)).toEqual(['queued', 'rejected', 'queued']);
    await vi.waitUntil(async () => (await stored()).length === 2, { timeout: 30_000 });
  });

  test('ING-14 FAULT-6 when the queue takes nothing the answer is 503, which blames no reading, and nothing is stored', async () => {
    const broken = Object.assign(Object.create(env.A_QUEUE), {
      sendBatch: () => Promise.reject(new Error('the queue is away')),
    });
    expect((await postToQueue([reading({ seq: 1 })], broken)).status).toBe(503);
    expect(await stored()).toEqual([]);
  });

  test('ING-14 what is refused only after the queue took it is a dead letter of the database, once', async () => {
    const bodies = [{ rows: [rowOf(1)] }, { rows: [rowOf(1, { soil_moisture: 9 }), rowOf(2)] }];
    for (let times = 0; times < 2; times++) {
      expect(await deliver('readings', bodies)).toMatchObject({ explicitAcks: ['0', '1'] });
    }
    expect((await stored()).map(({ seq }) => seq)).toEqual([1, 2]);
    expect(await refused()).toEqual([
      {
        reading: JSON.stringify(rowOf(1, { soil_moisture: 9 })),
        reason: expect.stringContaining('another value'),
      },
    ]);
  });

  test('ING-14 SEC-89 of what is refused behind the queue the newest are kept, up to a bound', async () => {
    const db = database(env.PLANTS_DB);
    for (let seq = 1; seq <= 5; seq++)
      await keepRefused(db, [{ row: rowOf(seq), reason: 'made up' }], NOW + seq, 3);
    expect((await refused()).map(({ reading }) => reading)).toEqual(
      [3, 4, 5].map((seq) => JSON.stringify(rowOf(seq))),
    );
  });

  test('ING-14 FAULT-9 a message on which the database fails is tried again alone, its neighbours are stored', async () => {
    const bodies = [{ rows: [rowOf(1)] }, { rows: [rowOf(2, { plant: 'bad' })] }, { rows: [rowOf(3)] }];
    const { explicitAcks, retryMessages } = await deliver('readings', bodies, failingFor('bad'));
    expect(explicitAcks).toEqual(['0', '2']);
    expect(retryMessages.map(({ msgId }) => msgId)).toEqual(['1']);
    expect((await stored()).map(({ seq }) => seq)).toEqual([1, 3]);
  });

  test('ING-14 FAULT-9 a row that has failed in every try becomes a dead letter, the rest of its message is stored', async () => {
    const rows = [rowOf(1), rowOf(2, { plant: 'bad' }), rowOf(3)];
    const { explicitAcks } = await deliver('readings-failed', [{ rows }], failingFor('bad'));
    expect(explicitAcks).toEqual(['0']);
    expect((await stored()).map(({ seq }) => seq)).toEqual([1, 3]);
    expect(await refused()).toMatchObject([{ reading: JSON.stringify(rowOf(2, { plant: 'bad' })) }]);
  });
});

test('ING-14 rows of any size go into messages that the queue takes, none is lost or moved', () => {
  const row = fc
    .record({ plant: fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme' }), seq: fc.integer() })
    .map(({ plant, seq }) => rowOf(seq, { plant }));
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 500 }),
      fc.integer({ min: 1, max: 5 }),
      (few, times) => {
        const rows = Array.from({ length: times }, () => few)
          .flat()
          .slice(0, 500);
        const messages = messagesOf(rows);
        expect(messages.flatMap((message) => message.rows)).toEqual(rows);
        for (const message of messages) {
          expect(message.rows.length).toBeGreaterThan(0);
          expect(new TextEncoder().encode(JSON.stringify(message)).byteLength).toBeLessThan(128_000);
        }
      },
    ),
    propertyRuns(50, 1000),
  );
});

test('ING-14 five hundred readings of the longest names are two messages, of common names one', () => {
  const named = (plant: string) => Array.from({ length: 500 }, (_, seq) => rowOf(seq, { plant }));
  expect(messagesOf(named('가'.repeat(64)))).toHaveLength(2);
  expect(messagesOf(named('moss'))).toHaveLength(1);
});
