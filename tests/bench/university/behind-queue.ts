import type { ExecutionContext, MessageBatch, Queue } from '@cloudflare/workers-types';
import { allHomes } from '#db/homes';
import * as z from 'zod';
import worker from '../../../ingest/src/app.ts';
import type { Env } from '../../../ingest/src/config.ts';
import type { QueuedReadings } from '../../../ingest/src/readings-data.ts';
import { moveGroups } from '../../../worker/src/plants/homes-data.ts';
import { keepRises } from '../../../worker/src/plants/keep-rises-data.ts';
import { writeRollups } from '../../../worker/src/plants/rollups-data.ts';
import { givingWay } from '../../../worker/src/tasks/give-way-data.ts';

/*
 * The ingest worker with its queue in a process of its own (queue.ts), and the task that sums readings up, and moves groups, beside it.
 * Miniflare's queue is in its memory and dies with the worker; Cloudflare's is on disks of its own.
 */

export { Live } from '../../../ingest/src/app.ts';

/** Without an address there is no queue. */
type BenchEnv = Env & { QUEUE_URL: string };

export const deliverySchema = z.object({
  queue: z.string(),
  messages: z.array(
    z.object({
      id: z.string(),
      timestamp: z.number(),
      attempts: z.int(),
      body: z.custom<QueuedReadings>(),
    }),
  ),
});

function queueAt(url: string): Queue<QueuedReadings> {
  const sendBatch = async (messages: Iterable<{ body: QueuedReadings }>) => {
    const body = JSON.stringify([...messages].map((message) => message.body));
    const answer = await fetch(url, { method: 'POST', body });
    if (!answer.ok) throw new Error(`the queue answered ${answer.status}`);
    return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
  };
  return {
    send: (body) => sendBatch([{ body }]),
    sendBatch,
    metrics: () => Promise.resolve({ backlogCount: 0, backlogBytes: 0 }),
  };
}

/** Hands a batch to the worker as the platform does, and answers which messages are to come again, and when. */
async function deliver(request: Request, env: Env): Promise<Response> {
  const { queue, messages } = deliverySchema.parse(await request.json());
  const retries = new Map<string, number>();
  const retry = (id: string, delaySeconds = 0) => void retries.set(id, delaySeconds);
  const batch: MessageBatch<QueuedReadings> = {
    queue,
    metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } },
    messages: messages.map(({ id, timestamp, ...message }) => ({
      ...message,
      id,
      timestamp: new Date(timestamp),
      ack: () => void retries.delete(id),
      retry: (options) => retry(id, options?.delaySeconds),
    })),
    ackAll: () => retries.clear(),
    retryAll: (options) => messages.forEach(({ id }) => retry(id, options?.delaySeconds)),
  };
  await worker.queue(batch, env);
  return Response.json(Object.fromEntries(retries));
}

export default {
  async fetch(request: Request, env: BenchEnv, ctx: ExecutionContext): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === '/deliver') return await deliver(request, env);
    if (pathname === '/roll-up') {
      const began = Date.now();
      const patient = givingWay({ ...env, DB: env.PLANTS_DB });
      for (const home of allHomes(patient)) {
        await writeRollups(home, began);
        await keepRises(home);
      }
      const summedUpMs = Date.now() - began;
      return Response.json({ summedUpMs, ...(await moveGroups(patient, began)), ms: Date.now() - began });
    }
    if (env.QUEUE_URL === '') return await worker.fetch(request, env, ctx);
    return await worker.fetch(request, { ...env, READINGS_QUEUE: queueAt(env.QUEUE_URL) }, ctx);
  },
};
