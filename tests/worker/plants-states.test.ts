import type { PlantSettings, PlantState, Watering } from '#contract/plants';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api, migrateDatabase, sessionOf } from './support.ts';

const START = Date.parse('2026-03-02T00:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let cookie = '';
beforeAll(async () => {
  await migrateDatabase();
  cookie = await sessionOf('reader@lab.test', 1);
});

/** The plant 'basil', which has just come into being. */
beforeEach(async () => {
  await env.DB.batch([
    env.DB.prepare('DELETE FROM plant_readings'),
    env.DB.prepare('DELETE FROM plants'),
    env.DB.prepare("INSERT INTO plants (id, name) VALUES (1, 'basil')"),
  ]);
});

/** Stores raw values of 'basil', each so many minutes after the one before. */
async function store(values: number[], { pause = 10, from = START } = {}): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
     SELECT 1, ?1 + key * ?2, 0, value, ?1 + key * ?2 + 500 FROM json_each(?3)`,
  )
    .bind(from, pause * MINUTE, JSON.stringify(values))
    .run();
}

async function get<T>(path: string): Promise<T> {
  const answer = await api(`/plants${path}`, { headers: { cookie } });
  expect(answer.status).toBe(200);
  return await answer.json();
}

const defaults = { dry: null, wet: null, alert_below: 20, alert_clear: 25, stale_after_minutes: 60 };
const put = (settings: unknown, plant = 'basil') =>
  api(`/plants/settings?${new URLSearchParams({ plant })}`, {
    method: 'PUT',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify(settings),
  });

describe('GET /api/plants/states', () => {
  test('PLT-5 tells the newest reading, when it was received, and what the board said', async () => {
    await store([700, 650]);
    await env.DB.prepare('UPDATE plant_states SET board_online = 0, board_at = ?')
      .bind(START + HOUR)
      .run();
    await env.DB.prepare("INSERT INTO plants (id, name) VALUES (2, '고무나무')").run();
    expect(await get<PlantState[]>('/states')).toEqual([
      {
        plant: 'basil',
        last_datetime: '2026-03-02T00:10:00.000Z',
        last_soil_moisture: 650,
        last_received_at: '2026-03-02T00:10:00.500Z',
        board: 'offline',
        board_at: '2026-03-02T01:00:00.000Z',
        alert_since: null,
        readings: 2,
        ...defaults,
      },
      {
        plant: '고무나무',
        last_datetime: null,
        last_soil_moisture: null,
        last_received_at: null,
        board: null,
        board_at: null,
        alert_since: null,
        readings: 0,
        ...defaults,
      },
    ]);
  });
});

describe('PUT /api/plants/settings', () => {
  const settings: PlantSettings = {
    dry: 800,
    wet: 300,
    alert_below: 12.5,
    alert_clear: 40,
    stale_after_minutes: 5,
  };

  test('PLT-6 PLT-9 answers with the settings, the states show them, and the log says what changed', async () => {
    const answer = await put(settings);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual(settings);
    expect(await get<PlantState[]>('/states')).toMatchObject([settings]);
    await put({ ...settings, dry: null, wet: null });
    const log = await api('/access_log?action=change', { headers: { cookie } });
    expect((await log.json<{ subject: string; detail: unknown }[]>()).slice(0, 2)).toMatchObject([
      { subject: 'plant', detail: { plant: 'basil', dry: [800, null], wet: [300, null] } },
      {
        subject: 'plant',
        detail: {
          plant: 'basil',
          dry: [null, 800],
          wet: [null, 300],
          alert_below: [20, 12.5],
          alert_clear: [25, 40],
          stale_after_minutes: [60, 5],
        },
      },
    ]);
  });

  test('PLT-9 a new limit is held against the newest reading at once', async () => {
    const alertOf = async () => (await get<PlantState[]>('/states'))[0]?.alert_since;
    // 700 is 31.6 % of the raw range, and 20 % between 800 and 300.
    await store([700]);
    expect(await alertOf()).toBeNull();
    await put({ ...defaults, alert_below: 32, alert_clear: 40 });
    expect(await alertOf()).toBe('2026-03-02T00:00:00.000Z');
    await put({ ...defaults, alert_below: 20, alert_clear: 32 });
    expect(await alertOf()).toBe('2026-03-02T00:00:00.000Z');
    await put(defaults);
    expect(await alertOf()).toBeNull();
    await put({ ...defaults, dry: 800, wet: 300 });
    expect(await alertOf()).toBeNull();
    await put({ ...defaults, dry: 790, wet: 300 });
    expect(await alertOf()).toBe('2026-03-02T00:00:00.000Z');
  });

  test('PLT-6 a name with any sign is understood; an unknown plant is 404 and leaves no trace in the log', async () => {
    const name = `a % "' 고무?`;
    await env.DB.prepare('INSERT INTO plants (id, name) VALUES (3, ?)').bind(name).run();
    expect((await put(settings, name)).status).toBe(200);
    const before = await env.DB.prepare(
      "SELECT count(*) AS n FROM access_log WHERE subject = 'plant'",
    ).first();
    expect((await put(settings, 'cactus')).status).toBe(404);
    expect(
      await env.DB.prepare("SELECT count(*) AS n FROM access_log WHERE subject = 'plant'").first(),
    ).toEqual(before);
  });

  test.each([
    [{ dry: 300, wet: 300 }, 'wet', '마른 값은 젖은 값보다 커야 합니다'],
    [{ wet: null }, 'wet', '마른 값과 젖은 값을 함께 입력하세요'],
    [{ dry: 1024 }, 'dry', '1023 이하여야 합니다'],
    [{ dry: 800.5 }, 'dry', '0에서 1023 사이의 정수를 입력하세요'],
    [{ wet: -1 }, 'wet', '0 이상이어야 합니다'],
    [{ alert_below: 40 }, 'alert_clear', '해제 기준은 알림 기준보다 커야 합니다'],
    [{ alert_below: -0.1 }, 'alert_below', '0 이상이어야 합니다'],
    [{ alert_clear: 100.1 }, 'alert_clear', '100 이하여야 합니다'],
    [{ alert_below: '12' }, 'alert_below', '0에서 100 사이의 값을 입력하세요'],
    [{ stale_after_minutes: 0 }, 'stale_after_minutes', '1분 이상이어야 합니다'],
  ])('PLT-6 PLT-9 %j is refused at %s', async (change, field, message) => {
    const answer = await put({ ...settings, ...change });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { field, message } });
  });
});

describe('GET /api/plants/waterings', () => {
  /** Soil that dries slowly for some hours, so that there is a before and an after. */
  const dry = Array.from({ length: 30 }, (_, n) => 700 + Math.floor(n / 3));
  const wet = Array.from({ length: 30 }, (_, n) => 500 + Math.floor(n / 3));
  const lastDry = new Date(START + 29 * 10 * MINUTE).toISOString();

  test('PLT-8 ten points up within half an hour is a watering', async () => {
    await store([...dry, 650, 600, ...wet]);
    expect(await get<Watering[]>('/waterings')).toEqual([
      { plant: 'basil', datetime: lastDry, before: 709, after: 500 },
    ]);
  });

  test('PLT-8 less than ten points, or more slowly, is none', async () => {
    // 102 raw is 9.97 points of percent, 103 is 10.07.
    const after = (drop: number) => Array.from({ length: 30 }, () => 709 - drop);
    await store([...dry, ...after(102)]);
    expect(await get('/waterings')).toEqual([]);
    await store([...dry, ...after(103)], { from: START + DAY });
    expect(await get('/waterings')).toHaveLength(1);
    const slowly = Array.from({ length: 12 }, (_, n) => 700 - n * 25);
    await store([...dry, ...slowly, ...after(300)], { from: START + 2 * DAY });
    expect(await get('/waterings')).toHaveLength(1);
  });

  test('PLT-8 points are those of the plant: a calibration counts for what was stored before', async () => {
    await store([...dry, ...Array.from({ length: 30 }, () => 709 - 60)]);
    expect(await get('/waterings')).toEqual([]);
    // Sixty of five hundred are twelve points.
    await put({ ...defaults, dry: 800, wet: 300 });
    expect(await get('/waterings')).toMatchObject([{ before: 709, after: 649 }]);
  });

  test('PLT-8 a range has those that began in it, a plant its own', async () => {
    await store([...dry, ...wet]);
    await store([...dry, ...wet], { from: START + 3 * DAY });
    const at = (ms: number) => new Date(START + ms).toISOString();
    const between = (from: number, to: number) => get<Watering[]>(`/waterings?from=${at(from)}&to=${at(to)}`);
    expect(await get('/waterings')).toHaveLength(2);
    expect(await get('/waterings?plant=basil')).toHaveLength(2);
    expect(await get('/waterings?plant=cactus')).toEqual([]);
    expect(await between(DAY, 5 * DAY)).toHaveLength(1);
    expect(await between(0, 29 * 10 * MINUTE)).toEqual([]);
    expect(await between(29 * 10 * MINUTE, 29 * 10 * MINUTE + 1)).toHaveLength(1);
  });

  test('PLT-8 readings every few seconds show the same', async () => {
    const often = [...dry, ...wet].flatMap((value) => Array.from({ length: 60 }, () => value));
    await store(often, { pause: 1 / 6 });
    expect(await get('/waterings')).toMatchObject([{ before: 709, after: 500 }]);
  });
});

describe('GET /api/plants/csv', () => {
  const read = async (query = '') => {
    const answer = await api(`/plants/csv${query}`, { headers: { cookie } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="plants.csv"');
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(bytes.slice(0, 3)).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf));
    return new TextDecoder().decode(bytes).split('\r\n');
  };
  const header = 'datetime,plant,soil_moisture,percent,seoul_time,refused_datetime';

  test('PLT-4 holds every raw reading of the range, exact in UTC and readable in Seoul', async () => {
    await store([512, 0, 1023]);
    await env.DB.prepare('INSERT INTO plant_readings VALUES (1, ?, 0, 700, 0, 7000)')
      .bind(START + 30 * MINUTE)
      .run();
    expect(await read('?from=2026-03-02T00:10:00Z')).toEqual([
      header,
      '2026-03-02T00:10:00.000Z,basil,0,100.0,2026-03-02 09:10:00,',
      '2026-03-02T00:20:00.000Z,basil,1023,0.0,2026-03-02 09:20:00,',
      '2026-03-02T00:30:00.000Z,basil,700,31.6,2026-03-02 09:30:00,1970-01-01T00:00:07.000Z',
      '',
    ]);
    expect(await read('?plant=cactus')).toEqual([header, '']);
  });

  test('PLT-4 is whole when it comes in many pieces, several readings of one instant included', async () => {
    await env.DB.prepare(
      `WITH RECURSIVE steps (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM steps WHERE n < 25000)
       INSERT INTO plant_readings (plant_id, measured_at, seq, soil_moisture, received_at)
       SELECT 1, ${START} + n / 7, n - 9007199254740992 * (n % 7 = 0), n % 1024, 0 FROM steps`,
    ).run();
    const lines = await read();
    expect(lines).toHaveLength(25_001 + 2);
    expect(new Set(lines).size).toBeGreaterThan(25_000 / 7);
    const datetimes = lines.slice(1, -1).map((line) => line.split(',')[0] ?? '');
    expect(datetimes).toEqual(datetimes.toSorted());
  });

  test('SEC-38 a name that would be a formula or end its cell does neither', async () => {
    await env.DB.batch(
      [`=HYPERLINK("x")`, 'a,b'].map((name, at) =>
        env.DB.prepare('INSERT INTO plants (id, name) VALUES (?, ?)').bind(at + 2, name),
      ),
    );
    await env.DB.prepare('INSERT INTO plant_readings SELECT id, ?, 0, 1, 0, NULL FROM plants WHERE id > 1')
      .bind(START)
      .run();
    const lines = await read();
    expect(lines[1]).toContain(`,"'=HYPERLINK(""x"")",1,`);
    expect(lines[2]).toContain(',"a,b",1,');
  });
});
