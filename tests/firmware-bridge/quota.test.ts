import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  takeTokens,
  createTokenBucket,
  msUntilNextToken,
  spendTokens,
  refillBucket,
  type TokenBucket,
  type BoardLimits,
} from '../../firmware-bridge/src/spool/quota.ts';
import { propertyRuns } from '../support/counts.ts';

const MINUTE = 60_000;

type Step = { after: number; readings: number; bytes: number };

/** A board's account after each step; the steps set the clock. */
function* story(limits: BoardLimits, steps: readonly Step[]) {
  const account = createTokenBucket(limits, 0);
  let now = 0;
  for (const { after, readings, bytes } of steps) {
    now += after;
    refillBucket(account, limits, now);
    const before: TokenBucket = { ...account };
    spendTokens(account, limits);
    const paidWaiting = before.unpaid - account.unpaid;
    const unpaid = account.unpaid;
    const admission = takeTokens(account, readings, bytes, limits);
    const paidNow = admission === 'refused' ? 0 : readings - (account.unpaid - unpaid);
    yield { now, readings, admission, paid: paidWaiting + paidNow, before, account: { ...account } };
  }
}

const limitsOf = fc.record({
  burst: fc.integer({ min: 1, max: 200 }),
  perMinute: fc.integer({ min: 1, max: 6000 }),
  waitingReadings: fc.integer({ min: 0, max: 500 }),
  waitingBytes: fc.integer({ min: 0, max: 5000 }),
  deadLetterBytes: fc.constant(0),
  boards: fc.constant(1),
});
const stepsOf = fc.array(
  fc.record({
    after: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3 * MINUTE })),
    readings: fc.integer({ min: 1, max: 300 }),
    bytes: fc.integer({ min: 1, max: 2000 }),
  }),
  { minLength: 1, maxLength: 40 },
);

test('ING-9 whatever a board sends and whenever, it gets its burst and what the time brings, and no more', () => {
  fc.assert(
    fc.property(limitsOf, stepsOf, (limits, steps) => {
      const told = [...story(limits, steps)];
      for (const [first, { now: since }] of told.entries()) {
        let paid = 0;
        for (const later of told.slice(first)) {
          paid += later.paid;
          const brought = ((later.now - since) * limits.perMinute) / MINUTE;
          expect(paid).toBeLessThanOrEqual(limits.burst + brought + 1e-6);
        }
      }
    }),
    propertyRuns(),
  );
});

test('ING-9 every reading has its token, waits or is refused; what waits is bounded, and waits only without a token', () => {
  fc.assert(
    fc.property(limitsOf, stepsOf, (limits, steps) => {
      let [sent, paid, refused] = [0, 0, 0];
      for (const step of story(limits, steps)) {
        const { account, admission } = step;
        sent += step.readings;
        paid += step.paid;
        if (admission === 'refused') refused += step.readings;
        expect(sent).toBe(paid + account.unpaid + refused);
        expect(account.unpaid).toBeLessThanOrEqual(limits.waitingReadings);
        expect(account.bytes).toBeLessThanOrEqual(limits.waitingBytes);
        expect(account.tokens).toBeGreaterThanOrEqual(0);
        expect(account.tokens).toBeLessThanOrEqual(limits.burst);
        expect(admission === 'waits' && account.tokens >= 1).toBe(false);
        expect(admission === 'through' || account.isOver).toBe(true);
        expect(msUntilNextToken(account, limits) === null).toBe(account.unpaid === 0);
      }
    }),
    propertyRuns(),
  );
});

test('ING-9 a board is over its quota until nothing of it waits and a tenth of its bucket is back', () => {
  const limits = {
    burst: 100,
    perMinute: 60,
    waitingReadings: 50,
    waitingBytes: 1e6,
    deadLetterBytes: 0,
    boards: 1,
  };
  const account = createTokenBucket(limits, 0);
  const after = (now: number) => {
    refillBucket(account, limits, now);
    spendTokens(account, limits);
    return account.isOver;
  };
  expect(takeTokens(account, 100, 10, limits)).toBe('through');
  expect(account.isOver).toBe(false);
  expect(takeTokens(account, 5, 10, limits)).toBe('waits');
  expect(takeTokens(account, 50, 10, limits)).toBe('refused');
  expect(account).toMatchObject({ unpaid: 5, refusedMessages: 1, refusedReadings: 50 });
  expect([4999, 5000, 14_999, 15_000].map(after)).toEqual([true, true, true, false]);
  expect(account).toMatchObject({ unpaid: 0, refusedMessages: 0, refusedReadings: 0 });
});
