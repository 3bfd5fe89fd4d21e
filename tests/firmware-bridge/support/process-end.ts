import { test } from 'vitest';

const works: (() => Promise<unknown>)[] = [];

const perProcess = test
  .extend('left', { scope: 'worker' }, () => works)
  .extend('endOfProcess', { scope: 'worker' }, ({ left }, { onCleanup }) => {
    onCleanup(async () => {
      await Promise.all(left.map((work) => work()));
    });
  });

/** Does it when the last file of this process is through. */
export const atProcessEnd = (work: () => Promise<unknown>) => void works.push(work);

/** To be called in each file: the process lives longer than any of them. */
export const followProcess = () => perProcess.beforeAll(({ endOfProcess }) => endOfProcess);
