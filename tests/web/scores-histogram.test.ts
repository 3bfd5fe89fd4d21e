import { expect, test } from 'vitest';
import { readable } from '../../web/src/features/scores/grading/histogram.ts';

test('SCO-11 a cut-off is read with two decimals at most', () => {
  expect([readable(83.333_333_333_333_33), readable(90), readable(89.5)]).toEqual([83.33, 90, 89.5]);
});
