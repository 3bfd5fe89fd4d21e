import { test } from 'vitest';

const works: (() => Promise<unknown>)[] = [];

const perProcess = test
  .extend('left', { scope: 'worker' }, () => works)
  .extend('endOfProcess', { scope: 'worker' }, ({ left }, { onCleanup }) => {
    onCleanup(async () => {
      await Promise.all(left.map((work) => work()));
    });
  });

/** Runs the work after the last test file of this process. */
export const atProcessEnd = (work: () => Promise<unknown>) => void works.push(work);

/** Call in each test file, because the process runs several files. */
export const followProcess = () => perProcess.beforeAll(({ endOfProcess }) => endOfProcess);
