import { seoulDay } from '#contract/time';
import { ageText, sinceText, seoulDateTime, seoulDayStart } from '../../web/src/lib/seoul-time.ts';
import { describe, expect, test } from 'vitest';
import { seoulTicks, seoulTickText, timeSpanText } from '../../web/src/features/plants/seoul-time.ts';
import { words } from '../support/words.ts';

const HOUR = 3_600_000;

describe('time on the chart', () => {
  test('PLT-1 is that of Seoul, with the hours from 00 to 23', () => {
    expect(seoulDateTime(Date.parse('2026-03-02T05:05:09Z'))).toBe('2026.03.02 14:05:09');
    expect(seoulDateTime(Date.parse('2026-03-01T15:00:00Z'))).toBe('2026.03.02 00:00:00');
  });

  test('PLT-1 has ticks at round hours of Seoul, and the date at midnight', () => {
    const to = Date.parse('2026-03-02T05:10:00Z');
    const ticks = seoulTicks(to - 24 * HOUR, to, 10);
    expect(ticks.map((time) => seoulTickText(time, 24 * HOUR))).toEqual(
      words('15:00 18:00 21:00 03.02 03:00 06:00 09:00 12:00'),
    );
  });

  test.each([60_000, HOUR, 24 * HOUR, 7 * 24 * HOUR, 30 * 24 * HOUR, 2000 * 24 * HOUR, 20_000 * 24 * HOUR])(
    'PLT-1 has some ticks but not too many in %i ms',
    (span) => {
      const { length } = seoulTicks(1_772_000_000_000, 1_772_000_000_000 + span, 10);
      expect(length).toBeGreaterThanOrEqual(2);
      expect(length).toBeLessThanOrEqual(11);
    },
  );

  test('PLT-1 has ticks at the first days of months in a long span', () => {
    const from = Date.parse('2025-11-20T00:00:00+09:00');
    const to = Date.parse('2026-11-20T00:00:00+09:00');
    const ticks = seoulTicks(from, to, 7);
    expect(ticks.map((time) => seoulTickText(time, to - from))).toEqual(
      words('2026.01 2026.03 2026.05 2026.07 2026.09 2026.11'),
    );
    expect(ticks[0]).toBe(Date.parse('2026-01-01T00:00:00+09:00'));
  });

  test('PLT-4 a stretch is told by where it begins and ends, its day once', () => {
    const from = Date.parse('2026-03-02T14:05:00+09:00');
    expect(timeSpanText(from, from + HOUR)).toBe('2026.03.02 14:05 – 15:05');
    expect(timeSpanText(from, from + 24 * HOUR)).toBe('2026.03.02 14:05 – 2026.03.03 14:05');
    expect(seoulDay(from)).toBe('2026-03-02');
    const midnight = Date.parse('2026-03-02T00:00:00+09:00');
    expect(timeSpanText(midnight, midnight + 24 * HOUR)).toBe('2026.03.02');
    expect(timeSpanText(midnight, midnight + 3 * 24 * HOUR)).toBe('2026.03.02 – 2026.03.04');
    expect(timeSpanText(midnight, midnight + 2 * HOUR)).toBe('2026.03.02 00:00 – 02:00');
  });

  test('USER-5 a day of the calendar begins at midnight in Seoul', () => {
    expect(seoulDayStart('2026-03-01')).toBe('2026-02-28T15:00:00.000Z');
    expect(seoulDayStart('2026-02-28', 1)).toBe('2026-02-28T15:00:00.000Z');
  });

  test('an age is told in the largest unit that fits, of a few seconds as just now', () => {
    const ages = [0, 9_000, 10_000, 59_000, 60_000, HOUR, 26 * HOUR].map((age) => ageText(1e12, 1e12 + age));
    expect(ages).toEqual(['방금', '방금', '10초 전', '59초 전', '1분 전', '1시간 전', '1일 전']);
    expect(sinceText(1e12, 1e12)).toBe('방금부터');
    expect(sinceText(1e12, 1e12 + HOUR)).toBe('1시간 전부터');
  });

  test('a clock that is behind makes no negative age', () => {
    expect(ageText(1e12 + 60_000, 1e12)).toBe('방금');
  });
});
