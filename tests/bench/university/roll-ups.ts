import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { MINUTE_MS } from '#contract/time';

const EVERY_MS = 5 * MINUTE_MS;
/** While the worker is away, or groups are to move: not every five minutes, or it would take an hour. */
const AGAIN_MS = 2000;

const doneSchema = z.object({
  summedUpMs: z.int(),
  ms: z.int(),
  groupsMoved: z.int(),
  groupsLeft: z.int(),
});

/**
 * The five-minutes task, which sums readings up and moves as many groups as one run may.
 * @param firstMs when it runs first
 * @returns ends it, after the run under way: a group that is just moving is in two databases
 */
export function startRollUps(ingestUrl: string, firstMs = EVERY_MS): () => Promise<void> {
  const stopping = new AbortController();
  const rollUp = async (): Promise<number> => {
    try {
      const answer = await fetch(`${ingestUrl}/roll-up`);
      const { summedUpMs, ms, groupsMoved, groupsLeft } = doneSchema.parse(await answer.json());
      const seconds = [summedUpMs, ms - summedUpMs].map((each) => (each / 1000).toFixed(1));
      console.log(`summed up in ${seconds[0]} s, ${groupsMoved} groups moved in ${seconds[1]} s`);
      return groupsLeft === 0 ? EVERY_MS : AGAIN_MS;
    } catch (error) {
      console.error(`roll-up: ${String(error)}`);
      return AGAIN_MS;
    }
  };
  const { signal } = stopping;
  const run = async () => {
    for (let pauseMs = firstMs; !signal.aborted; pauseMs = await rollUp()) {
      await wait(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  };
  const done = run();
  return () => {
    stopping.abort();
    return done;
  };
}
