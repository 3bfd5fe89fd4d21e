import * as fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { plantTopic } from '#contract/plant-id';
import { BOARDS_PER_HEARTBEAT } from '#contract/readings';
import { BOARDS_MAX, createBoards, BOARD_REPORT_REPEAT_MS } from '../../firmware-bridge/src/broker/boards.ts';
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

/** Boards with a clock that the test sets, and the reports that a worker has received. */
function setUp(knowsServer = true) {
  let uptime = 0;
  const clock = createClock(
    () => uptime,
    () => WALL + uptime,
  );
  const hearServer = () => clock.heard(SERVER + uptime, uptime, uptime);
  if (knowsServer) hearServer();
  const boards = createBoards(clock, () => undefined);
  const worker = new Map<string, boolean | null>();
  return {
    boards,
    worker,
    hearServer,
    pass: (ms: number) => {
      uptime += ms;
    },
    say: (plant: string, online: boolean | null, retained = false) =>
      boards.heard({
        topic: plantTopic(plant, 'availability'),
        payload: Buffer.from(online === null ? '' : online ? 'online' : 'offline'),
        retained,
        ...clock.stamp(),
      }),
    read: (plant: string, retained = false, payload = '512') =>
      boards.heard({
        topic: plantTopic(plant, 'soil_moisture'),
        payload: Buffer.from(payload),
        retained,
        ...clock.stamp(),
      }),
    /** Delivers a heartbeat, and returns its plants. */
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
  pass(BOARD_REPORT_REPEAT_MS / 2);
  say('moss', false);
  expect(beat()).toEqual(['moss']);
  pass(BOARD_REPORT_REPEAT_MS / 2 - 1);
  expect(beat()).toEqual([]);
  pass(1);
  expect(beat()).toEqual(['fern']);
  pass(BOARD_REPORT_REPEAT_MS / 2);
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

test('PLT-24 a reading after `offline` proves that its board is there, until it says so again', () => {
  const { boards, say, read, pass, beat } = setUp();
  const told = () => boards.report().map(({ plant, online, retained }) => ({ plant, online, retained }));
  say('fern', false);
  beat();
  pass(5000);
  // A retained reading may be old, so it does not prove that the board is online.
  read('fern', true);
  expect(boards.report()).toEqual([]);
  expect(read('fern')).toBe(false);
  const at = new Date(SERVER + 5000).toISOString();
  expect(boards.report()).toEqual([{ plant: 'fern', online: true, at }]);
  beat();
  read('fern');
  expect(boards.report()).toEqual([]);
  say('fern', false);
  expect(told()).toEqual([{ plant: 'fern', online: false }]);
  // A reading that cannot be decoded proves it too.
  read('fern', false, 'nonsense');
  expect(told()).toEqual([{ plant: 'fern', online: true }]);
  // A reading reports nothing about a board that has never published its availability.
  read('moss');
  expect(told()).toEqual([{ plant: 'fern', online: true }]);
});

test('PLT-24 what the broker had retained is told as such, and what a board says now takes its place', () => {
  const { boards, say, beat } = setUp();
  say('fern', false, true);
  expect(boards.report()).toMatchObject([{ online: false, retained: true }]);
  beat();
  say('fern', false, true);
  expect(boards.report()).toEqual([]);
  say('fern', false);
  const [report] = boards.report();
  expect(report).toMatchObject({ online: false });
  expect(report).not.toHaveProperty('retained');
});

test('PLT-24 an empty availability means that nothing is known any more, which no line of the log complains of', () => {
  const { boards, say, read, beat } = setUp();
  // Also for a board that is not known here: the worker may know it.
  say('moss', null);
  expect(boards.report()).toMatchObject([{ plant: 'moss', online: null }]);
  beat();
  say('fern', false, true);
  beat();
  say('fern', null);
  expect(boards.report()).toMatchObject([{ plant: 'fern', online: null }]);
  beat();
  read('fern');
  expect(boards.report()).toEqual([]);
  say('fern', true);
  expect(boards.report()).toMatchObject([{ plant: 'fern', online: true }]);
  expect(said.join('')).not.toContain('availability_not_understood');
  boards.heard({
    topic: plantTopic('fern', 'availability'),
    payload: Buffer.from(' '),
    retained: true,
    receivedAt: 0,
  });
  expect(said.join('')).toContain('availability_not_understood');
});

test('PLT-24 two boards of one name, each of which is lost when the other connects, are told of while they do so', () => {
  const { boards, say, read, pass } = setUp();
  const takeTurns = (times: number, everyMs: number, plant = 'fern') => {
    for (let n = 0; n < times; n++) {
      pass(everyMs);
      say(plant, false);
      if (n % 2 === 0) say(plant, true);
      else read(plant);
    }
  };
  // A board with bad Wi-Fi that is lost every five minutes does not count.
  takeTurns(30, 5 * 60_000, 'moss');
  takeTurns(5, 10_000);
  expect(boards.reconnecting()).toEqual([]);
  // The broker sends retained messages again on each connection of the bridge, so they do not count.
  for (let n = 0; n < 9; n++) {
    say('fern', false, true);
    read('fern');
  }
  expect(boards.reconnecting()).toEqual([]);
  takeTurns(1, 10_000);
  expect(boards.reconnecting()).toEqual(['fern']);
  pass(11 * 60_000);
  expect(boards.reconnecting()).toEqual([]);
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
  fc.record({ arrives: fc.boolean(), afterMs: fc.integer({ min: 0, max: BOARD_REPORT_REPEAT_MS }) }),
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
        pass(round === 0 ? BOARD_REPORT_REPEAT_MS : 0);
        beat();
      }
      expect(worker).toEqual(truth);
      expect(beat()).toEqual([]);
    }),
    propertyRuns(50, 1000),
  );
});
