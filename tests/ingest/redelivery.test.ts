import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { freshDatabase, instant, NOW, postReadings, reading, stored } from './support.ts';

const MINUTE = 60_000;

beforeEach(freshDatabase);

/** A reading of a board without a set clock, which a bridge has received so many minutes ago. */
const unclocked = (minutesAgo: number, changes: Record<string, unknown> = {}) =>
  reading({ datetime: '1970-01-01T00:00:07Z', received_at: instant(-minutesAgo * MINUTE), ...changes });

async function counted(): Promise<number> {
  const count = 'SELECT coalesce(sum(readings), 0) AS n FROM plant_states';
  return (await env.PLANTS_DB.prepare(count).first<number>('n')) ?? -1;
}

describe('a reading whose clock was refused', () => {
  test('ING-3 stays one when the broker delivers it again and it has another receipt time', async () => {
    expect(await postReadings([unclocked(10, { seq: 4 })])).toEqual([{ status: 'stored' }]);
    expect(await postReadings([unclocked(3, { seq: 4 })])).toEqual([{ status: 'duplicate' }]);
    expect(await stored()).toMatchObject([{ measured_at: NOW - 10 * MINUTE, refused_time: 7000 }]);
    expect(await counted()).toBe(1);
  });

  test('ING-3 stays one within a batch, the first receipt counts', async () => {
    expect(await postReadings([unclocked(3, { seq: 4 }), unclocked(10, { seq: 4 })])).toEqual([
      { status: 'duplicate' },
      { status: 'stored' },
    ]);
    expect(await stored()).toMatchObject([{ measured_at: NOW - 10 * MINUTE }]);
  });

  test('ING-3 is rejected when the first had another value', async () => {
    await postReadings([unclocked(10, { seq: 4 })]);
    expect(await postReadings([unclocked(3, { seq: 4, soil_moisture: 9 })])).toMatchObject([
      { status: 'rejected', reason: expect.stringContaining('another value') },
    ]);
    expect(await counted()).toBe(1);
  });

  test('ING-3 is another one with another number, another time or another plant', async () => {
    const others = [
      unclocked(10, { seq: 4 }),
      unclocked(10, { seq: 5 }),
      unclocked(9, { seq: 4, datetime: '1970-01-01T00:00:08Z' }),
      unclocked(8, { seq: 4, plant: 'moss' }),
    ];
    expect(await postReadings(others)).toEqual(others.map(() => ({ status: 'stored' })));
    expect(await counted()).toBe(4);
  });

  test('ING-3 takes no place from a right reading of the same time and number', async () => {
    const at = { received_at: instant(-5 * MINUTE) };
    await postReadings([unclocked(10, { seq: 4 })]);
    const again = unclocked(5, { seq: 4 });
    const real = reading({ ...at, datetime: instant(-5 * MINUTE), seq: 4, soil_moisture: 100 });
    expect(await postReadings([again, real])).toEqual([{ status: 'duplicate' }, { status: 'stored' }]);
  });
});

test('PLT-7 what is older than the raw readings that are kept is rejected: it may be counted already', async () => {
  const since = NOW - 30 * MINUTE;
  await env.PLANTS_DB.prepare('INSERT INTO plant_retention (id, since) VALUES (1, ?)').bind(since).run();
  const results = await postReadings([
    reading({ datetime: new Date(since - 1).toISOString() }),
    reading({ datetime: new Date(since).toISOString() }),
  ]);
  expect(results).toMatchObject([
    { status: 'rejected', reason: 'older than the readings that are kept' },
    { status: 'stored' },
  ]);
  expect(await counted()).toBe(1);
});
