import { moisturePercent } from '#contract/moisture/percent';
import { NO_SEQ } from '#contract/readings';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { call } from './client.ts';
import { MINUTE, START, store, withPlant } from './plant.ts';

withPlant();

describe('GET /api/plants/csv', () => {
  const read = async (query = '') => {
    const answer = await call(`/plants/csv${query}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="plants.csv"');
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(bytes.slice(0, 3)).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf));
    return new TextDecoder().decode(bytes).split('\r\n');
  };
  const header =
    'datetime,plant,soil_moisture,percent,percent_uncalibrated,seoul_time,refused_datetime,seq,topic';

  test('PLT-4 holds every raw reading of the range, exact in UTC and readable in Seoul', async () => {
    await store([512, 0, 1023]);
    await env.PLANTS_DB.prepare(
      `INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at, refused_time)
       VALUES (1, ?, 0, 700, 0, 7000)`,
    )
      .bind(START + 30 * MINUTE)
      .run();
    expect(await read('?from=2026-03-02T00:10:00Z')).toEqual([
      header,
      '2026-03-02T00:10:00.000Z,basil,0,100.0,100.0,2026-03-02 09:10:00,,0,basil',
      '2026-03-02T00:20:00.000Z,basil,1023,0.0,0.0,2026-03-02 09:20:00,,0,basil',
      '2026-03-02T00:30:00.000Z,basil,700,31.6,31.6,2026-03-02 09:30:00,1970-01-01T00:00:07.000Z,0,basil',
      '',
    ]);
    expect(await read('?plant=cactus')).toEqual([header, '']);
  });

  test('PLT-4 holds the plants that are chosen and no other, however many, in the range alone', async () => {
    const names = ['basil', 'a', 'b,c', '=d', '화분 1', '🌱'];
    await env.PLANTS_DB.batch(
      names.map((name, at) =>
        env.PLANTS_DB.prepare('INSERT OR IGNORE INTO plants (id, name) VALUES (?, ?)').bind(at + 1, name),
      ),
    );
    await env.PLANTS_DB.prepare(
      `INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
       SELECT plants.id, at.value, 0, plants.id, 0 FROM plants, json_each(?) AS at`,
    )
      .bind(JSON.stringify([START - 1, START, START + MINUTE - 1, START + MINUTE]))
      .run();
    const { results } = await env.PLANTS_DB.prepare('SELECT id, name FROM plants ORDER BY id').all<{
      id: number;
      name: string;
    }>();
    for (let chosen = 1; chosen < 2 ** results.length; chosen++) {
      const asked = results.filter((_, at) => chosen & (2 ** at));
      const query = new URLSearchParams({
        from: new Date(START).toISOString(),
        to: new Date(START + MINUTE).toISOString(),
      });
      for (const { name } of asked) query.append('plant', name);
      const lines = (await read(`?${query}`)).slice(1, -1);
      const raw = lines.map((line) => Number(/,(\d+),[\d.]+,[\d.]+,[^,]*,,0,/.exec(line)?.[1]));
      expect(raw.toSorted((a, b) => a - b)).toEqual(asked.flatMap(({ id }) => [id, id]));
    }
    expect(await read('?plant=basil&plant=nobody')).toHaveLength(4 + 2);
    expect((await call('/plants/csv?plant=a&plant=b%2Fc%2Fd')).status).toBe(400);
  });

  test('PLT-4 ING-1 tells readings of one millisecond apart by their seq, and leaves it empty where there is none', async () => {
    const seqs = [NO_SEQ, -7, 0, 1, Number.MAX_SAFE_INTEGER];
    await env.PLANTS_DB.batch(
      seqs.map((seq) =>
        env.PLANTS_DB.prepare(
          `INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
           VALUES (1, ${START}, ${seq}, 1, 0)`,
        ),
      ),
    );
    expect((await read()).slice(1, -1).map((line) => line.split(',').at(-2))).toEqual([
      '',
      ...seqs.slice(1).map(String),
    ]);
  });

  test('PLT-4 is whole when it comes in many pieces, several readings of one instant included', async () => {
    await env.PLANTS_DB.prepare(
      `WITH RECURSIVE steps (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM steps WHERE n < 25000)
       INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
       SELECT 1, ${START} + n / 7, n - 9007199254740992 * (n % 7 = 0), n % 1024, 0 FROM steps`,
    ).run();
    const lines = await read();
    expect(lines).toHaveLength(25_001 + 2);
    expect(new Set(lines).size).toBeGreaterThan(25_000 / 7);
    const datetimes = lines.slice(1, -1).map((line) => line.split(',')[0] ?? '');
    expect(datetimes).toEqual(datetimes.toSorted());
    // Every raw value is among them.
    for (const line of lines.slice(1, -1)) {
      const [, , raw, percent] = line.split(',');
      expect(percent).toBe(moisturePercent(Number(raw)).toFixed(1));
    }
  });

  test('SEC-38 a name that would be a formula or end its cell does neither', async () => {
    await env.PLANTS_DB.batch(
      [`=HYPERLINK("x")`, 'a,b', ' ', 'fern ', '\uFEFF'].map((name, at) =>
        env.PLANTS_DB.prepare('INSERT INTO plants (id, name) VALUES (?, ?)').bind(at + 2, name),
      ),
    );
    await env.PLANTS_DB.prepare(
      `INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
       SELECT id, ?, 0, 1, 0 FROM plants WHERE id > 1`,
    )
      .bind(START)
      .run();
    const lines = await read();
    const names = [`'=HYPERLINK(""x"")`, 'a,b', ' ', 'fern ', '\uFEFF'];
    expect(lines.slice(1, -1).toSorted()).toEqual(
      names.toSorted().map((name) => expect.stringContaining(`,"${name}",1,`)),
    );
  });
});
