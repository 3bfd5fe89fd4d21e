import { expect, test } from 'vitest';
import { backoffMs } from '../../contract/backoff.ts';

const schedules = [
  { firstMs: 250, mostMs: 30_000 },
  { firstMs: 500, mostMs: 500 },
  { firstMs: 1000, mostMs: 15_000 },
];

test.each(schedules)(
  'FAULT-1 FAULT-5 each pause is twice the one before, up to $mostMs ms, and jitter takes off at most half',
  (schedule) => {
    expect(backoffMs(0, schedule, 0)).toBe(schedule.firstMs);
    for (let failures = 0; failures < 2000; failures += 1) {
      const whole = backoffMs(failures, schedule, 0);
      expect(whole).toBeLessThanOrEqual(schedule.mostMs);
      expect(backoffMs(failures + 1, schedule, 0)).toBe(Math.min(2 * whole, schedule.mostMs));
      for (const jitter of [0.1, 0.5, 1])
        expect(backoffMs(failures, schedule, jitter)).toBe(whole * (1 - jitter / 2));
    }
    expect(backoffMs(Number.MAX_SAFE_INTEGER, schedule, 1)).toBe(schedule.mostMs / 2);
  },
);
