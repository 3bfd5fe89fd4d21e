import { describe, expect, test } from 'vitest';
import { rangeStart, readRange } from '../../web/src/features/plants/range.ts';
import { ageText, seoulTicks, seoulTickText } from '../../web/src/features/plants/seoul-time.ts';
import { seoulDateTime, seoulDayStart } from '../../web/src/lib/seoul-time.ts';

const HOUR = 3_600_000;

describe('time on the chart', () => {
  test('PLT-1 is that of Seoul, with the hours from 00 to 23', () => {
    expect(seoulDateTime(Date.parse('2026-03-02T05:05:09Z'))).toBe('2026.03.02 14:05:09');
    expect(seoulDateTime(Date.parse('2026-03-01T15:00:00Z'))).toBe('2026.03.02 00:00:00');
  });

  test('PLT-1 has ticks at round hours of Seoul, and the date at midnight', () => {
    const to = Date.parse('2026-03-02T05:10:00Z');
    const ticks = seoulTicks(to - 24 * HOUR, to, 10);
    expect(ticks.map((time) => seoulTickText(time, 24 * HOUR))).toEqual([
      '15:00',
      '18:00',
      '21:00',
      '03.02',
      '03:00',
      '06:00',
      '09:00',
      '12:00',
    ]);
  });

  test.each([60_000, HOUR, 24 * HOUR, 7 * 24 * HOUR, 30 * 24 * HOUR, 2000 * 24 * HOUR, 20_000 * 24 * HOUR])(
    'PLT-1 has some ticks but not too many in %i ms',
    (span) => {
      const { length } = seoulTicks(1_772_000_000_000, 1_772_000_000_000 + span, 10);
      expect(length).toBeGreaterThanOrEqual(2);
      expect(length).toBeLessThanOrEqual(11);
    },
  );

  test('USER-5 a day of the calendar begins at midnight in Seoul', () => {
    expect(seoulDayStart('2026-03-01')).toBe('2026-02-28T15:00:00.000Z');
    expect(seoulDayStart('2026-02-28', 1)).toBe('2026-02-28T15:00:00.000Z');
  });

  test('an age is told in the largest unit that fits', () => {
    const ages = [0, 59_000, 60_000, HOUR, 26 * HOUR].map((age) => ageText(1e12, 1e12 + age));
    expect(ages).toEqual(['0초 전', '59초 전', '1분 전', '1시간 전', '1일 전']);
  });

  test('a clock that is behind makes no negative age', () => {
    expect(ageText(1e12 + 5000, 1e12)).toBe('0초 전');
  });

  test('a range begins so many hours back, and everything has no beginning', () => {
    const now = Date.parse('2026-03-02T00:00:00Z');
    expect(rangeStart('24h', now)).toBe('2026-03-01T00:00:00.000Z');
    expect(rangeStart('all', now)).toBeUndefined();
    expect(readRange('7d')).toBe('7d');
    expect(readRange('9d')).toBeUndefined();
  });
});
