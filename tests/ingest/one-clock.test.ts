import { beforeEach, describe, expect, test } from 'vitest';
import { freshDatabase, instant, NOW, postReadings, reading, stored } from './support.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

beforeEach(freshDatabase);

/** Readings of one message. `minutes` are their times by the board's clock, relative to the receipt. */
const message = (minutes: readonly number[], changes: Record<string, unknown> = {}) =>
  minutes.map((at, n) => reading({ datetime: instant(at * MINUTE), soil_moisture: 500 + n, ...changes }));

const byTime = async () => (await stored()).map(({ soil_moisture }) => soil_moisture);

describe('one message is judged by one clock', () => {
  test.each([
    ['seven minutes ahead', 7],
    ['a year ahead', 525_600],
    ['so slow that it is in 1970', -29_500_000],
  ])(
    'ING-18 of a clock %s ten readings keep their order and distance, the newest at its receipt',
    async (_, off) => {
      const minutes = Array.from({ length: 10 }, (_row, n) => off - 9 + n);
      const batch = message(minutes);
      expect(await postReadings(batch, { stampedByServer: true })).toEqual(
        batch.map(() => ({ status: 'stored' })),
      );
      const rows = await stored();
      expect(rows.map(({ soil_moisture }) => soil_moisture)).toEqual(minutes.map((_row, n) => 500 + n));
      expect(rows.map(({ measured_at }) => measured_at)).toEqual(
        minutes.map((_row, n) => NOW - (9 - n) * MINUTE),
      );
      expect(rows.map(({ refused_time }) => refused_time)).toEqual(minutes.map((at) => NOW + at * MINUTE));
      // The message is sent again when some of its times are no longer in the future: it is the same message.
      const again = batch.map((each) => ({ ...each, received_at: instant(3 * MINUTE) }));
      expect(await postReadings(again, { stampedByServer: true })).toEqual(
        batch.map(() => ({ status: 'duplicate' })),
      );
      expect(await stored()).toEqual(rows);
    },
  );

  test('ING-18 whatever the order in the message, and whatever numbers its readings have', async () => {
    const minutes = [7, 3, -2, 5, 0];
    await postReadings(
      minutes.map((at) => reading({ datetime: instant(at * MINUTE), soil_moisture: 500 + at, seq: 4 })),
    );
    expect(await byTime()).toEqual([498, 500, 503, 505, 507]);
    expect((await stored()).at(-1)?.measured_at).toBe(NOW);
  });

  test('ING-18 a message that is cut into batches has the clock of all of it', async () => {
    const newest = instant(7 * MINUTE);
    const minutes = [-4, -2, 0, 2, 4, 7];
    const batch = message(minutes, { newest });
    for (const each of batch) await postReadings([each], { stampedByServer: true });
    expect((await stored()).map(({ measured_at }) => measured_at)).toEqual(
      minutes.map((at) => NOW + (at - 7) * MINUTE),
    );
  });

  test('ING-18 what the bridge stamped, other plants and other messages have their own clock', async () => {
    await postReadings([
      reading({ datetime: instant(7 * MINUTE), soil_moisture: 1, newest: instant(7 * MINUTE) }),
      // A reading of another message in the same millisecond.
      reading({ datetime: instant(60 * MINUTE), soil_moisture: 5, newest: instant(60 * MINUTE) }),
      reading({ datetime: instant(0), soil_moisture: 2 }),
      reading({ datetime: instant(-MINUTE), soil_moisture: 3, plant: 'moss' }),
      reading({ datetime: instant(-MINUTE), soil_moisture: 4, received_at: instant(-1) }),
    ]);
    const rows = await stored();
    const of = (value: number) => rows.find(({ soil_moisture }) => soil_moisture === value);
    expect(of(1)).toMatchObject({ measured_at: NOW, refused_time: NOW + 7 * MINUTE });
    expect(of(5)).toMatchObject({ measured_at: NOW, refused_time: NOW + 60 * MINUTE });
    for (const value of [2, 3, 4]) expect(of(value)?.refused_time).toBeNull();
  });

  test('ING-18 what was measured before the clock was set does not take the right ones with it', async () => {
    const batch = [
      reading({ datetime: '1970-01-01T00:00:07Z', soil_moisture: 1 }),
      reading({ datetime: instant(-2 * DAY), soil_moisture: 2 }),
      reading({ datetime: instant(-MINUTE), soil_moisture: 3 }),
      // One time in another year must not change the others.
      reading({ datetime: instant(400 * DAY), soil_moisture: 4 }),
    ];
    expect(await postReadings(batch)).toEqual(batch.map(() => ({ status: 'stored' })));
    expect(await stored()).toMatchObject([
      { soil_moisture: 2, measured_at: NOW - 2 * DAY, refused_time: null },
      { soil_moisture: 3, measured_at: NOW - MINUTE, refused_time: null },
      { soil_moisture: 1, measured_at: NOW, refused_time: 7000 },
      { soil_moisture: 4, measured_at: NOW, refused_time: NOW + 400 * DAY },
    ]);
  });

  test('ING-18 a board that was off for a week and is four minutes ahead keeps its times', async () => {
    await postReadings(message([-7 * 1440, -60, 4]));
    expect((await stored()).map(({ refused_time }) => refused_time)).toEqual([null, null, null]);
  });
});
