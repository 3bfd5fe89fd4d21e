import { test } from 'vitest';

const works: (() => Promise<unknown>)[] = [];

const perProcess = test
  .extend('works', { scope: 'worker' }, () => works)
  .extend('endOfProcess', { scope: 'worker' }, ({ works: all }, { onCleanup }) => {
    onCleanup(async () => void (await Promise.all(all.splice(0).map((work) => work()))));
  });

/** Does it when the last file of this process is through. */
export const atProcessEnd = (work: () => Promise<unknown>) => void works.push(work);

/** To be called in each file: the process lives longer than any of them. */
export const followProcess = () => perProcess.beforeAll(({ endOfProcess }) => endOfProcess);
