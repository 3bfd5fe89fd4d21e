import type { PlantSettings, PlantState } from '#contract/plants';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { call } from './client.ts';
import { NO_ASSESSMENT } from '../support/no-assessment.ts';
import { defaults, getPlants, HOUR, putSettings, START, store, withPlant } from './plant.ts';

withPlant();

describe('GET /api/plants/states', () => {
  test('PLT-5 tells the newest reading, when it was received, and what the board said', async () => {
    await store([700, 650]);
    await env.PLANTS_DB.prepare('UPDATE plant_states SET board_online = 0, board_at = ?')
      .bind(START + HOUR)
      .run();
    await env.PLANTS_DB.prepare("INSERT INTO plants (id, name) VALUES (2, '고무나무')").run();
    expect(await getPlants<PlantState[]>('/states')).toEqual([
      {
        plant: 'basil',
        topic: 'basil',
        last_datetime: '2026-03-02T00:10:00.000Z',
        last_soil_moisture: 650,
        last_received_at: '2026-03-02T00:10:00.500Z',
        board: 'offline',
        board_at: '2026-03-02T01:00:00.000Z',
        readings: 2,
        ...NO_ASSESSMENT,
        ...defaults,
        name_en: '',
        is_public: false,
        version: 1,
      },
      {
        plant: '고무나무',
        topic: '고무나무',
        last_datetime: null,
        last_soil_moisture: null,
        last_received_at: null,
        board: null,
        board_at: null,
        readings: 0,
        ...NO_ASSESSMENT,
        ...defaults,
        name_en: '',
        is_public: false,
        version: 1,
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
    const answer = await putSettings(settings);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      ...settings,
      name: 'basil',
      name_en: '',
      is_public: false,
      version: 2,
    });
    expect(await getPlants<PlantState[]>('/states')).toMatchObject([settings]);
    await putSettings({ ...settings, dry: null, wet: null });
    const log = await call('/access_log?action=change');
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

  test('WORK-4 are not written over by somebody who has not seen the last change', async () => {
    const first = await putSettings({ ...settings, version: 1 });
    expect(await first.json()).toEqual({
      ...settings,
      name: 'basil',
      name_en: '',
      is_public: false,
      version: 2,
    });
    const logged = () =>
      env.DB.prepare("SELECT count(*) AS n FROM access_log WHERE action = 'change'").first();
    const before = await logged();
    const second = await putSettings({ ...settings, dry: 790, version: 1 });
    expect(second.status).toBe(409);
    expect(await second.json()).toMatchObject({
      error: { code: 'conflict', current: { ...settings, version: 2 } },
    });
    expect(await getPlants<PlantState[]>('/states')).toMatchObject([{ ...settings, version: 2 }]);
    expect(await logged()).toEqual(before);
    const again = await putSettings({ ...settings, dry: 790, version: 2 });
    expect(await again.json()).toEqual({
      ...settings,
      dry: 790,
      name: 'basil',
      name_en: '',
      is_public: false,
      version: 3,
    });
    // Without a version they are replaced, as before there were versions.
    expect((await putSettings(settings)).status).toBe(200);
    expect((await putSettings({ ...settings, version: 1 }, 'cactus')).status).toBe(404);
    expect((await putSettings({ ...settings, version: 0 })).status).toBe(400);
  });

  test('WORK-4 keep their version while readings come', async () => {
    await store([700, 650]);
    expect(await getPlants<PlantState[]>('/states')).toMatchObject([{ readings: 2, version: 1 }]);
  });

  test('PLT-6 a name with any sign is understood; an unknown plant is 404 and leaves no trace in the log', async () => {
    const name = `a % "' 고무?`;
    await env.PLANTS_DB.prepare('INSERT INTO plants (id, name) VALUES (3, ?)').bind(name).run();
    expect((await putSettings(settings, name)).status).toBe(200);
    const before = await env.DB.prepare(
      "SELECT count(*) AS n FROM access_log WHERE subject = 'plant'",
    ).first();
    expect((await putSettings(settings, 'cactus')).status).toBe(404);
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
    const answer = await putSettings({ ...settings, ...change });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { field, message } });
  });
});
