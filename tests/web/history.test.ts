import { expect, test } from 'vitest';
import { addStep, startHistory, stateBefore } from '../../web/src/lib/history.ts';

const MOVES = /^컷 옮기기$/;

test('SCO-11 whose grade has changed counts since cut-offs began to be moved, not since the last move', () => {
  const pasted = addStep(startHistory(0), 1, '붙여넣기');
  expect(stateBefore(pasted, MOVES)).toBeUndefined();
  const moved = addStep(addStep(pasted, 2, '컷 옮기기', 'a'), 3, '컷 옮기기', 'b');
  expect(stateBefore(moved, MOVES)).toBe(1);
  expect(stateBefore(addStep(moved, 4, '제외'), MOVES)).toBeUndefined();
  expect(stateBefore(addStep(startHistory(7), 8, '컷 옮기기'), MOVES)).toBe(7);
});
