import { READINGS_PER_BATCH } from '#contract/readings';
import type { Clock } from '../clock.ts';
import type { Spool } from '../spool/spool.ts';
import type { SpooledReading } from '../spool/tables.ts';

export type BatchAhead = {
  /** Makes the next batch ready, if it is full without what was sent and is not settled yet. */
  prepare: (sent: readonly SpooledReading[]) => void;
  /** The batch that is ready, once; undefined when there is none, or the spool is another one since. */
  take: () => readonly SpooledReading[] | undefined;
};

/** A full batch that is taken out of the spool while the one before it is on its way. */
export function createBatchAhead(spool: () => Spool, clock: Pick<Clock, 'now'>): BatchAhead {
  let ready: { of: Spool; batch: readonly SpooledReading[] } | undefined;
  return {
    prepare: (sent) => {
      const of = spool();
      if (!of.holds(sent.length + READINGS_PER_BATCH)) return;
      const ids = sent.map(({ id }) => id);
      const batch = of.oldest(READINGS_PER_BATCH, clock.now(), ids);
      if (batch.length === READINGS_PER_BATCH) ready = { of, batch };
    },
    take: () => {
      const taken = ready?.of === spool() ? ready.batch : undefined;
      ready = undefined;
      return taken;
    },
  };
}
