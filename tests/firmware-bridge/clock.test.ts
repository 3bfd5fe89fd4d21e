import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createClock } from '../../firmware-bridge/src/clock.ts';
import { propertyRuns } from '../support/counts.ts';

const HOUR = 3_600_000;
const SERVER = Date.UTC(2026, 2, 2);

/** A machine with an uptime and a wall clock that the test sets; the server's time is SERVER + uptime. */
function machine(wall: number) {
  const at = { uptime: 1000, wall };
  const clock = createClock(
    () => at.uptime,
    () => at.wall,
    'this boot',
  );
  const pass = (ms: number) => {
    at.uptime += ms;
    at.wall += ms;
  };
  /** An answer, with the milliseconds of the request and of the response. */
  const answer = (there: number, back: number) => {
    const sentAt = at.uptime;
    pass(there + back);
    clock.heard(SERVER + sentAt + there, sentAt, at.uptime);
  };
  return { at, clock, pass, answer };
}

test('FAULT-11 before an answer the wall clock counts, and its stamps can be told from others', () => {
  const { clock } = machine(SERVER - HOUR);
  expect(clock.now()).toBe(SERVER - HOUR);
  expect(clock.serverOffset()).toBeNull();
  expect(clock.stamp()).toMatchObject({
    receivedAt: SERVER - HOUR,
    stampedBy: { boot: 'this boot', uptime: 1000 },
  });
});

test('FAULT-11 whatever the wall clock says, the time is the server’s but for half the way there and back', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 ** 42 }),
      fc.array(fc.record({ there: fc.nat(10_000), back: fc.nat(10_000), pause: fc.nat(HOUR) }), {
        minLength: 1,
      }),
      (wall, answers) => {
        const { at, clock, pass, answer } = machine(wall);
        for (const { there, back, pause } of answers) {
          pass(pause);
          answer(there, back);
          expect(Math.abs(clock.now() - (SERVER + at.uptime))).toBeLessThanOrEqual(10_000);
          expect(clock.stamp()).toEqual({ receivedAt: clock.now(), stampedBy: 'server' });
        }
        answer(0, 0);
        expect(clock.now()).toBe(SERVER + at.uptime);
      },
    ),
    propertyRuns(),
  );
});

test('FAULT-11 an answer that took long does not move what a quick one told', () => {
  const { at, clock, answer } = machine(SERVER);
  answer(1, 1);
  answer(9000, 0);
  expect(clock.now()).toBe(SERVER + at.uptime);
});

test.each([
  ['is set, or went on while the machine slept,', HOUR],
  ['is set back', -HOUR],
])('FAULT-11 after the wall clock %s nothing is sure until the next answer', (_, step) => {
  const { at, clock, answer } = machine(SERVER);
  answer(1, 1);
  at.wall += step;
  const { stampedBy } = clock.stamp();
  expect(stampedBy).toMatchObject({ boot: 'this boot', uptime: at.uptime });
  expect(clock.serverOffset()).toBeNull();
  answer(1, 1);
  expect(clock.stamp().stampedBy).toBe('server');
  expect(clock.serverOffset()).toBe(SERVER);
});

test('FAULT-11 a wall clock that creeps is not one that was set', () => {
  const { at, clock, answer } = machine(SERVER);
  for (let n = 0; n < 100; n++) {
    answer(1, 1);
    at.wall += 1500;
    expect(clock.stamp().stampedBy).toBe('server');
  }
});
