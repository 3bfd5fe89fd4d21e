import { expect, test, vi } from 'vitest';

const SECOND = 1000;
const DAY = 86_400 * SECOND;

/** A browser whose clock is off by so much, which has learnt from no answer yet. */
async function freshClock() {
  vi.resetModules();
  return await import('../../web/src/lib/server-time.ts');
}

test.each([0, 1, 400, -400, 5 * SECOND, -DAY, DAY, 400 * DAY])(
  'OPS-4 a clock that is %i ms off tells the time of the server to the second',
  async (off) => {
    const { learnServerTime, serverNow } = await freshClock();
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      for (const [at, way] of [
        [1_800_000_000_123, 40],
        [1_800_000_007_999, 900],
        [1_800_000_100_001, 3],
      ] as const) {
        const sentAt = at + off;
        const date = new Date(at + way / 2).toUTCString();
        learnServerTime(date, sentAt, sentAt + way);
        vi.setSystemTime(sentAt + way);
        expect(Math.abs(serverNow() - (at + way))).toBeLessThanOrEqual(SECOND + way);
      }
    } finally {
      vi.useRealTimers();
    }
  },
);

test('OPS-4 what is known stays while it can be true, so that ages do not jump', async () => {
  const { learnServerTime, serverNow } = await freshClock();
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
  try {
    learnServerTime(new Date(1_800_000_000_000 + DAY).toUTCString(), 1_800_000_000_000, 1_800_000_000_050);
    const first = serverNow();
    learnServerTime(new Date(1_800_000_000_000 + DAY).toUTCString(), 1_800_000_000_200, 1_800_000_000_220);
    expect(serverNow()).toBe(first);
    learnServerTime(null, 0, 0);
    learnServerTime('soon', 0, 0);
    expect(serverNow()).toBe(first);
  } finally {
    vi.useRealTimers();
  }
});
