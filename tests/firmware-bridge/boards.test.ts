import * as fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { plantTopic } from '#contract/plant-id';
import { BOARDS_PER_HEARTBEAT } from '#contract/readings';
import { BOARDS_MAX, createBoards, TOLD_AGAIN_MS } from '../../firmware-bridge/src/broker/boards.ts';
import { createClock } from '../../firmware-bridge/src/clock.ts';
import { propertyRuns } from '../support/counts.ts';

const WALL = Date.UTC(2026, 2, 2);
const SERVER = WALL + 90_000;

const said: string[] = [];
beforeEach(() => {
  said.length = 0;
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said.push(String(text));
    return true;
  });
  return () => vi.restoreAllMocks();
});

/** Boards on an injected clock, and what a worker that takes every heartbeat knows of them. */
function setUp(knowsServer = true) {
  let uptime = 0;
  const clock = createClock(
    () => uptime,
    () => WALL + uptime,
  );
  const hearServer = () => clock.heard(SERVER + uptime, uptime, uptime);
  if (knowsServer) hearServer();
  const boards = createBoards(clock, () => undefined);
  const worker = new Map<string, boolean>();
  return {
    boards,
    worker,
    hearServer,
    pass: (ms: number) => {
      uptime += ms;
    },
    say: (plant: string, online: boolean) =>
      boards.heard({
        topic: plantTopic(plant, 'availability'),
        payload: Buffer.from(online ? 'online' : 'offline'),
        retained: false,
        ...clock.stamp(),
      }),
    /** The names in a heartbeat that arrives. */
    beat: () => {
      const reports = boards.report();
      for (const { plant, online } of reports) worker.set(plant, online);
      boards.told(reports);
      return reports.map(({ plant }) => plant);
    },
  };
}

test('ING-13 a heartbeat tells of the boards that changed, and of no others for an hour', () => {
  const { beat, say, pass } = setUp();
  say('fern', true);
  say('moss', true);
  expect(beat()).toEqual(['fern', 'moss']);
  expect(beat()).toEqual([]);
  pass(TOLD_AGAIN_MS / 2);
  say('moss', false);
  expect(beat()).toEqual(['moss']);
  pass(TOLD_AGAIN_MS / 2 - 1);
  expect(beat()).toEqual([]);
  pass(1);
  expect(beat()).toEqual(['fern']);
  pass(TOLD_AGAIN_MS / 2);
  expect(beat()).toEqual(['moss']);
});

test('ING-13 what a heartbeat told that did not arrive is told again with the next', () => {
  const { boards, beat, say } = setUp();
  say('fern', true);
  expect(boards.report()).toHaveLength(1);
  expect(beat()).toEqual(['fern']);
  expect(beat()).toEqual([]);
});

test('ING-13 a board that was told of by a clock that was wrong is told of with the right time as soon as there is one', () => {
  const { boards, beat, say, hearServer } = setUp(false);
  say('fern', true);
  expect(boards.report()).toEqual([{ plant: 'fern', online: true, at: new Date(WALL).toISOString() }]);
  expect(beat()).toEqual(['fern']);
  hearServer();
  expect(boards.report()).toEqual([{ plant: 'fern', online: true, at: new Date(SERVER).toISOString() }]);
  expect(beat()).toEqual(['fern']);
  expect(beat()).toEqual([]);
});

test('ING-13 boards beyond as many as can be remembered are counted, and the log says so once', () => {
  const { boards, say } = setUp();
  for (let n = 0; n < BOARDS_MAX + 3; n++) say(`plant ${n}`, true);
  say(`plant ${BOARDS_MAX}`, false);
  expect(boards.passedOver()).toBe(3);
  const lines = said.filter((line) => line.includes('boards_passed_over'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`plant ${BOARDS_MAX}`);
});

const step = fc.oneof(
  fc.record({ say: fc.integer({ min: 0, max: 1200 }), online: fc.boolean() }),
  fc.record({ arrives: fc.boolean(), afterMs: fc.integer({ min: 0, max: TOLD_AGAIN_MS }) }),
  fc.record({ forgets: fc.integer({ min: 0, max: 1200 }) }),
);

test('ING-13 whatever boards say, arrives or is forgotten by the worker, an hour later it knows how each board is', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), fc.boolean(), (steps, isCrowd) => {
      const { boards, worker, beat, say, pass } = setUp();
      const truth = new Map<string, boolean>();
      const speak = (n: number, online: boolean) => {
        truth.set(`plant ${n}`, online);
        say(`plant ${n}`, online);
      };
      if (isCrowd) for (let n = 0; n <= 1200; n++) speak(n, true);
      let most = 0;
      for (const each of steps) {
        if ('say' in each) speak(each.say, each.online);
        else if ('forgets' in each) worker.delete(`plant ${each.forgets}`);
        else {
          pass(each.afterMs);
          const told = each.arrives ? beat() : boards.report();
          most = Math.max(most, told.length);
        }
      }
      expect(most).toBeLessThanOrEqual(BOARDS_PER_HEARTBEAT);
      for (let round = 0; round <= Math.ceil(truth.size / BOARDS_PER_HEARTBEAT); round++) {
        pass(round === 0 ? TOLD_AGAIN_MS : 0);
        beat();
      }
      expect(worker).toEqual(truth);
      expect(beat()).toEqual([]);
    }),
    propertyRuns(50, 1000),
  );
});
