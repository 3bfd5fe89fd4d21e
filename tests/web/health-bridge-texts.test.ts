import {
  BRIDGE_TASK_TIMEOUT_MS,
  bridgeTaskState,
  type RequestedBridgeTask,
  type ListedBridge,
} from '#contract/bridges';
import { HOUR_MS } from '#contract/time';
import { expect, test } from 'vitest';
import {
  boardArchiveName,
  parsePlantList,
  keyPlantsText,
  recentBridgeTasks,
  noBoardsReason,
} from '../../web/src/features/health/bridges/bridge-texts.ts';

const NOW = Date.UTC(2026, 2, 2, 9);
const ago = (ms: number) => new Date(NOW - ms).toISOString();
const task = (given: Partial<RequestedBridgeTask>): RequestedBridgeTask => ({
  id: 1,
  kind: 'board_add',
  plant: 'fern',
  created_at: ago(1000),
  taken_at: null,
  done_at: null,
  ok: null,
  ...given,
});

test.each([
  ['waiting', {}],
  ['lost', { created_at: ago(BRIDGE_TASK_TIMEOUT_MS + 1) }],
  ['taken', { taken_at: ago(1000) }],
  ['lost', { created_at: ago(2 * BRIDGE_TASK_TIMEOUT_MS), taken_at: ago(BRIDGE_TASK_TIMEOUT_MS + 1) }],
  // A backup takes its time.
  ['taken', { kind: 'backup', taken_at: ago(BRIDGE_TASK_TIMEOUT_MS + 1) }],
  ['lost', { kind: 'backup', taken_at: ago(HOUR_MS + 1) }],
  ['done', { created_at: ago(HOUR_MS), ok: true }],
  ['failed', { ok: false }],
] as const)('OPS-17 a task is %s: %o', (state, given) => {
  expect(bridgeTaskState(task(given), NOW)).toBe(state);
});

test('OPS-17 why a bridge makes no boards is said, with the command where there is one', () => {
  const bridge: ListedBridge = { bridge: 'roof', alive: true, does: null, keys: [], tasks: [] };
  expect(noBoardsReason(bridge)).toContain('업그레이드');
  expect(noBoardsReason({ ...bridge, alive: false })).toContain('보고하면');
  expect(noBoardsReason({ ...bridge, does: ['replay'] })).toContain('`cps-board add`');
  expect(noBoardsReason({ ...bridge, does: ['board_add'] })).toBeNull();
});

test('OPS-17 of what was asked in the last hour the newest of each kind is shown', () => {
  const tasks = [
    task({ id: 4, kind: 'replay' }),
    task({ id: 3 }),
    task({ id: 2 }),
    task({ id: 1, kind: 'backup', created_at: ago(HOUR_MS + 1) }),
  ];
  expect(recentBridgeTasks(tasks, NOW).map(({ id }) => id)).toEqual([4, 3]);
});

test('OPS-17 the plants of a key are typed with commas, and none are all', () => {
  expect(parsePlantList(' fern , 고사리,')).toEqual(['fern', '고사리']);
  expect(parsePlantList(' ')).toBeNull();
  expect(keyPlantsText(parsePlantList('a,b'))).toBe('화분 a, b');
  expect(keyPlantsText(null)).toBe('모든 화분');
  expect(boardArchiveName('a:b', 'esphome')).toBe('a_b-esphome.zip');
});
