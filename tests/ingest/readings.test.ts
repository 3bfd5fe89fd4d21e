import { PLANTS_MAX } from '#contract/plants';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { NO_SEQ, SERVER_TIME_HEADER } from '#contract/readings';
import { freshDatabase, instant, NOW, post, postReadings, reading, send, stored } from './support.ts';

const MINUTE = 60_000;

beforeEach(freshDatabase);

describe('uniqueness', () => {
  test('ING-3 the same batch sent three times is stored once', async () => {
    const batch = [
      reading({ seq: 1 }),
      reading({ seq: 2, soil_moisture: 0 }),
      reading({ plant: '몬스테라' }),
    ];
    expect(await postReadings(batch)).toEqual(batch.map(() => ({ status: 'stored' })));
    expect(await postReadings(batch)).toEqual(batch.map(() => ({ status: 'duplicate' })));
    expect(await postReadings(batch)).toEqual(batch.map(() => ({ status: 'duplicate' })));
    expect(await stored()).toMatchObject([
      { plant: 'fern', seq: 1, soil_moisture: 512 },
      { plant: 'fern', seq: 2, soil_moisture: 0 },
      { plant: '몬스테라', seq: NO_SEQ },
    ]);
  });

  test('ING-3 a repeat within one batch is a duplicate', async () => {
    expect(await postReadings([reading(), reading(), reading({ seq: 1 })])).toEqual([
      { status: 'stored' },
      { status: 'duplicate' },
      { status: 'stored' },
    ]);
  });

  test('ING-3 the same key with another value is rejected and the first value stays', async () => {
    expect(await postReadings([reading(), reading({ soil_moisture: 513 })])).toMatchObject([
      { status: 'stored' },
      { status: 'rejected', reason: expect.stringContaining('another value') },
    ]);
    expect(
      await postReadings([
        reading({ soil_moisture: 514 }),
        reading({ soil_moisture: 512 }),
        reading({ seq: 1 }),
      ]),
    ).toMatchObject([{ status: 'rejected' }, { status: 'duplicate' }, { status: 'stored' }]);
    expect(await stored()).toMatchObject([{ soil_moisture: 512, seq: NO_SEQ }, { seq: 1 }]);
  });

  test('ING-3 the same instant in another zone is the same reading', async () => {
    const datetime = '2026-03-02T09:00:00+09:00';
    expect(
      await postReadings([reading({ datetime }), reading({ datetime: '2026-03-02T00:00:00.000Z' })]),
    ).toEqual([{ status: 'stored' }, { status: 'duplicate' }]);
  });

  test.each([{ soil_moisture: 512 }, { soil_moisture: 513 }])(
    'ING-3 two readings of one millisecond that their times tell apart are both stored, once: the second %j',
    async (second) => {
      const at = instant(0).replace('Z', '');
      const sent = (zone: string) => [
        reading({ datetime: `${at}1${zone}` }),
        reading({ datetime: `${at}2${zone}`, ...second }),
      ];
      expect(await postReadings(sent('Z'))).toEqual([{ status: 'stored' }, { status: 'stored' }]);
      // The same times with more digits, and with another form of the zone.
      expect(await postReadings([...sent('Z'), ...sent('00+00')])).toEqual(
        Array.from({ length: 4 }, () => ({ status: 'duplicate' })),
      );
      expect(await stored()).toMatchObject([{ seq: 100_000 }, { seq: 200_000 }]);
    },
  );

  test('ING-3 whatever a board numbers itself is told apart by its number alone', async () => {
    const at = instant(0).replace('Z', '');
    const fine = [`${at}1Z`, `${at}2Z`];
    expect(await postReadings(fine.map((datetime, n) => reading({ datetime, seq: n + 1 })))).toEqual([
      { status: 'stored' },
      { status: 'stored' },
    ]);
    expect(
      await postReadings(fine.map((datetime, n) => reading({ datetime, seq: 9, soil_moisture: n }))),
    ).toMatchObject([{ status: 'stored' }, { status: 'rejected' }]);
  });

  test('ING-3 five hundred readings are stored at once, and again half of them with new ones', async () => {
    const batch = Array.from({ length: 500 }, (_, seq) => reading({ seq, plant: `plant ${seq % 7}` }));
    expect(await postReadings(batch)).toEqual(batch.map(() => ({ status: 'stored' })));
    const later = Array.from({ length: 500 }, (_, n) =>
      reading({ seq: n + 250, plant: `plant ${(n + 250) % 7}` }),
    );
    const results = await postReadings(later);
    expect(results.filter(({ status }) => status === 'duplicate')).toHaveLength(250);
    expect(results.filter(({ status }) => status === 'stored')).toHaveLength(250);
    expect(await stored()).toHaveLength(750);
  });

  test('ING-3 a batch posted twice at the same time is stored once', async () => {
    const batch = Array.from({ length: 100 }, (_, seq) => reading({ seq }));
    const answers = await Promise.all([postReadings(batch), postReadings(batch), postReadings(batch)]);
    const statuses = answers.flat().map(({ status }) => status);
    expect(statuses.filter((status) => status === 'stored')).toHaveLength(100);
    expect(statuses.filter((status) => status === 'duplicate')).toHaveLength(200);
    expect(await stored()).toHaveLength(100);
  });
});

describe('rows', () => {
  test.each([
    ['a value above 1023', { soil_moisture: 1024 }, 'soil_moisture'],
    ['a negative value', { soil_moisture: -1 }, 'soil_moisture'],
    ['a fraction', { soil_moisture: 512.5 }, 'soil_moisture'],
    ['a string', { soil_moisture: '512' }, 'soil_moisture'],
    ['a boolean', { soil_moisture: true }, 'soil_moisture'],
    ['a datetime without a zone', { datetime: '2026-03-02T09:00:00' }, 'datetime'],
    ['a day that does not exist', { datetime: '2026-02-30T09:00:00Z' }, 'datetime'],
    ['a plant with two slashes', { plant: 'a/b/c' }, 'plant'],
    ['a plant with a control character', { plant: 'a\0b' }, 'plant'],
    ['a plant that is no Unicode', { plant: 'a\ud800' }, 'plant'],
    ['a seq too large to be exact', { seq: 2 ** 53 }, 'seq'],
    ['a missing receipt time', { received_at: undefined }, 'received_at'],
    ['an unknown field', { humidity: 3 }, 'humidity'],
  ])(
    'ING-4 a row with %s is rejected with its reason and its neighbours are stored',
    async (_, changes, word) => {
      const results = await postReadings([reading({ seq: 1 }), reading(changes), reading({ seq: 3 })]);
      expect(results).toMatchObject([
        { status: 'stored' },
        { status: 'rejected', reason: expect.stringContaining(word) },
        { status: 'stored' },
      ]);
      expect((await stored()).map(({ seq }) => seq)).toEqual([1, 3]);
    },
  );

  test.each([[null], [1], ['x'], [[]], [{}]])('ING-4 the row %j is rejected alone', async (row) => {
    expect(await postReadings([row, reading()])).toMatchObject([
      { status: 'rejected' },
      { status: 'stored' },
    ]);
  });

  test('ING-4 a row with __proto__ pollutes nothing and is rejected', async () => {
    const row = JSON.stringify(reading()).replace('{', '{"__proto__":{"polluted":1},');
    const response = await post('/readings', `{"readings":[${row}]}`);
    expect(await response.json()).toMatchObject({ results: [{ status: 'rejected' }] });
    expect('polluted' in {}).toBe(false);
  });

  test('SEC-26 names full of quotes and emoji are stored verbatim', async () => {
    const plants = [`'); DROP TABLE plants; --`, '"%_\\', '🌱\u200d🌱', 'caf\u00e9'];
    await postReadings(plants.map((plant) => reading({ plant })));
    expect(new Set((await stored()).map(({ plant }) => plant))).toEqual(new Set(plants));
  });
});

describe('clocks', () => {
  test('a reading from 2015 on is believed however old', async () => {
    const datetime = '2015-01-01T00:00:00Z';
    await postReadings([reading({ datetime })]);
    expect(await stored()).toMatchObject([{ measured_at: Date.parse(datetime), refused_time: null }]);
  });

  test('a reading that waited for days keeps both times', async () => {
    const day = 24 * 60 * MINUTE;
    await postReadings([reading({ datetime: instant(-3 * day), received_at: instant(-2 * day) })]);
    expect(await stored()).toMatchObject([{ measured_at: NOW - 3 * day, received_at: NOW - 2 * day }]);
  });

  test.each([
    ['1970', '1970-01-01T00:00:07Z'],
    ['2014', '2014-12-31T23:59:59Z'],
    ['2106', '2106-02-07T06:28:15Z'],
    ['six minutes ahead', instant(6 * MINUTE)],
  ])('a board whose clock says %s is stored at its receipt time and flagged', async (_, datetime) => {
    const [first] = await postReadings([reading({ datetime, seq: 4 })]);
    expect(first).toEqual({ status: 'stored' });
    expect(await stored()).toMatchObject([
      { measured_at: NOW, seq: 4, received_at: NOW, refused_time: Date.parse(datetime) },
    ]);
  });

  test('a board whose clock is four minutes ahead is believed', async () => {
    await postReadings([reading({ datetime: instant(4 * MINUTE) })]);
    expect(await stored()).toMatchObject([{ measured_at: NOW + 4 * MINUTE, refused_time: null }]);
  });

  const clocks = {
    right: 0,
    'an hour slow': -60,
    'a day slow': -1440,
    'an hour fast': 60,
    'a day fast': 1440,
  };
  test.each(
    Object.entries(clocks).flatMap(([bridge, off]) =>
      [5, 90].map((minutes) => [bridge, minutes, off] as const),
    ),
  )(
    'FAULT-11 ING-3 with the bridge’s clock %s, a board that was right %d min ago is stored once, at its own hour',
    async (_, minutes, off) => {
      const datetime = instant(-minutes * MINUTE);
      const late = { datetime, received_at: instant((off - minutes) * MINUTE) };
      const again = { datetime, received_at: instant(-MINUTE) };
      for (const seq of [undefined, 7]) {
        const number = seq === undefined ? {} : { seq };
        expect(await postReadings([reading({ ...late, ...number })])).toEqual([{ status: 'stored' }]);
        expect(await postReadings([reading({ ...again, ...number })])).toEqual([{ status: 'duplicate' }]);
      }
      const rows = await stored();
      expect(rows).toHaveLength(2);
      for (const row of rows) {
        expect(row).toMatchObject({ measured_at: NOW - minutes * MINUTE, refused_time: null });
      }
    },
  );

  test.each([{}, { seq: 4 }])(
    'FAULT-11 ING-3 what came first while it was ahead of every clock, and again when it was past, is one (%o)',
    async (number) => {
      const ahead = reading({ datetime: instant(60 * MINUTE), ...number });
      expect(await postReadings([ahead])).toEqual([{ status: 'stored' }]);
      vi.useFakeTimers({ now: NOW + 90 * MINUTE, toFake: ['Date'] });
      onTestFinished(() => void vi.useRealTimers());
      expect(await postReadings([ahead])).toEqual([{ status: 'duplicate' }]);
      expect(await postReadings([{ ...ahead, soil_moisture: 3 }])).toMatchObject([{ status: 'rejected' }]);
      expect(await stored()).toMatchObject([{ measured_at: NOW, refused_time: NOW + 60 * MINUTE }]);
    },
  );

  test.each([
    ['the server’s clock', true, { measured_at: NOW - 180 * MINUTE, refused_time: NOW - 120 * MINUTE }],
    ['nobody knows whose clock', false, { measured_at: NOW - 120 * MINUTE, refused_time: null }],
  ])(
    'FAULT-11 ING-3 an hour ahead of a receipt three hours ago by %s: judged by that or by the worker’s own',
    async (_, stampedByServer, expected) => {
      const late = { received_at: instant(-180 * MINUTE), datetime: instant(-120 * MINUTE) };
      await postReadings([reading(late)], { stampedByServer });
      expect(await stored()).toMatchObject([{ received_at: NOW - 180 * MINUTE, ...expected }]);
    },
  );

  test.each([{}, { seq: 4 }])(
    'FAULT-11 ING-3 copies in one batch, received before and after the time that they name, are one (%o)',
    async (number) => {
      const copies = [-180, -170, -10].map((minutes) =>
        reading({ received_at: instant(minutes * MINUTE), datetime: instant(-120 * MINUTE), ...number }),
      );
      for (const batch of [copies, copies.toReversed(), copies]) {
        const results = await postReadings(batch, { stampedByServer: true });
        expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
        expect(await stored()).toHaveLength(1);
      }
      expect(await stored()).toMatchObject([
        { measured_at: NOW - 180 * MINUTE, refused_time: NOW - 120 * MINUTE },
      ]);
    },
  );

  test('FAULT-11 every answer tells the time, also to a bridge whose own is wrong', async () => {
    const began = Date.now();
    const answers = await Promise.all([
      send('/health'),
      send('/nowhere'),
      send('/readings'),
      post('/readings', 'no batch'),
      post('/readings', { readings: [reading()] }),
      post('/readings', { readings: [reading()] }, { secondsOff: -3600 }),
      post('/heartbeat', { broker_connected: true, valid_for_ms: 1000 }, { secondsOff: 86_400 }),
      post('/heartbeat', { broker_connected: true, valid_for_ms: 1000 }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 405, 400, 200, 401, 401, 200]);
    for (const { headers } of answers) {
      const told = Number(headers.get(SERVER_TIME_HEADER));
      expect(told).toBeGreaterThanOrEqual(began);
      expect(told).toBeLessThanOrEqual(Date.now());
    }
  });

  test('ING-3 readings of a board with a wrong clock and no seq, received together, are all kept', async () => {
    const batch = [0, 5, 10].map((s) =>
      reading({ datetime: `1970-01-01T00:00:${String(s).padStart(2, '0')}Z` }),
    );
    expect(await postReadings(batch)).toEqual(batch.map(() => ({ status: 'stored' })));
    expect(await postReadings(batch)).toEqual(batch.map(() => ({ status: 'duplicate' })));
    expect((await stored()).map(({ refused_time }) => refused_time)).toEqual([0, 5000, 10_000]);
  });

  test.each([
    ['one value', () => 500],
    ['values of their own', (s: number) => 500 + s],
  ])('ING-3 FAULT-11 nor is one lost of those that all have one number, with %s', async (_, valueOf) => {
    const batch = Array.from({ length: 40 }, (_row, s) =>
      reading({ datetime: new Date(s * 1000).toISOString(), seq: 7, soil_moisture: valueOf(s) }),
    );
    const [first, rest] = [batch.slice(0, 20), batch.slice(20)];
    expect(await postReadings(first)).toEqual(first.map(() => ({ status: 'stored' })));
    // Readings received in the same instant but sent later: each is stored, or rejected with a reason.
    const results = await postReadings(rest);
    expect(results.map(({ status }) => status)).not.toContain('duplicate');
    expect(await postReadings(first.toReversed())).toEqual(first.map(() => ({ status: 'duplicate' })));
    const kept = results.filter(({ status }) => status === 'stored').length;
    expect(new Set((await stored()).map(({ refused_time }) => refused_time)).size).toBe(20 + kept);
  });

  test.each([
    ['an hour ahead', instant(60 * MINUTE)],
    ['in 1970', '1970-01-01T00:00:00Z'],
  ])('a receipt time %s gives way to the server clock', async (_, received_at) => {
    await postReadings([reading({ datetime: received_at, received_at })]);
    const [row] = await stored();
    expect(Math.abs((row?.received_at ?? 0) - Date.now())).toBeLessThan(30_000);
    expect(row?.measured_at).toBe(row?.received_at);
    expect(row?.refused_time).toBe(Date.parse(received_at));
  });
});

test('SEC-89 of plants beyond as many as there may be nothing is stored, and it is said why', async () => {
  await env.PLANTS_DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO plants (name) SELECT 'made-up-' || i FROM n`,
  )
    .bind(PLANTS_MAX - 1)
    .run();
  const names = ['made-up-7', 'the-last', 'one-more', 'another'];
  const refused = {
    status: 'rejected',
    reason: 'a new plant, and there are 1000 already, or 500 of this key',
  };
  expect(await postReadings(names.map((plant) => reading({ plant })))).toEqual([
    { status: 'stored' },
    { status: 'stored' },
    refused,
    refused,
  ]);
  expect(await env.PLANTS_DB.prepare('SELECT count(*) AS n FROM plants').first('n')).toBe(PLANTS_MAX);
  // A removed plant no longer counts, even before its readings are deleted.
  await env.PLANTS_DB.prepare(
    "DELETE FROM plant_states WHERE plant_id = (SELECT id FROM plants WHERE topic = 'made-up-8')",
  ).run();
  expect(await postReadings(['one-more', 'another'].map((plant) => reading({ plant })))).toEqual([
    { status: 'stored' },
    refused,
  ]);
});

describe('a plant that people call otherwise', () => {
  const names = () =>
    env.PLANTS_DB.prepare(
      'SELECT topic, name, (SELECT count(*) FROM plant_readings WHERE plant_id = id) AS readings FROM plants',
    )
      .all()
      .then(({ results }) => results);

  test('PLT-13 is found by its topic, whatever its name is', async () => {
    await postReadings([reading({ plant: 'fern', seq: 1 })]);
    await env.PLANTS_DB.prepare("UPDATE plants SET name = '창가 고사리' WHERE topic = 'fern'").run();
    expect(await postReadings([1, 2].map((seq) => reading({ plant: 'fern', seq })))).toEqual([
      { status: 'duplicate' },
      { status: 'stored' },
    ]);
    expect(await names()).toEqual([{ topic: 'fern', name: '창가 고사리', readings: 2 }]);
  });

  test('PLT-13 leaves a board whose topic is that name a plant of its own', async () => {
    await postReadings([reading({ plant: 'fern' })]);
    const [long, taken] = ['x'.repeat(64), 'moss'];
    await env.PLANTS_DB.prepare("UPDATE plants SET name = ? WHERE topic = 'fern'").bind(taken).run();
    await env.PLANTS_DB.prepare('INSERT INTO plants (id, name, topic) VALUES (8, ?, ?)')
      .bind(long, 'short')
      .run();
    const batch = [taken, long, 'moss 9'].map((plant) => reading({ plant }));
    expect(await postReadings(batch)).toEqual(batch.map(() => ({ status: 'stored' })));
    const found = await names();
    expect(found).toHaveLength(5);
    expect(found).toContainEqual({ topic: 'fern', name: taken, readings: 1 });
    expect(found).toContainEqual({ topic: taken, name: 'moss #9', readings: 1 });
    expect(found).toContainEqual({ topic: long, name: `${'x'.repeat(56)} #10`, readings: 1 });
  });
});
