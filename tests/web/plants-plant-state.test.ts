import type { PlantState } from '#contract/plants';
import { describe, expect, test } from 'vitest';
import {
  contactOf,
  forecastText,
  uncalibratedText,
  wateredText,
  plantNumbers,
} from '../../web/src/features/plants/plant-state.ts';
import { draftOf, draftProblems, settingsOf } from '../../web/src/features/plants/settings-draft.ts';
import { NO_ASSESSMENT } from '../support/no-assessment.ts';

const NOW = Date.parse('2026-03-02T00:00:00Z');
const MINUTE = 60_000;

const settings = {
  dry: null,
  wet: null,
  alert_below: 20,
  alert_clear: 25,
  stale_after_minutes: 60,
  name_en: '',
  is_public: false,
  version: 1,
};
const state: PlantState = {
  ...settings,
  plant: '바질',
  topic: 'basil',
  last_datetime: new Date(NOW).toISOString(),
  last_soil_moisture: 500,
  last_received_at: new Date(NOW).toISOString(),
  board: 'online',
  board_at: null,
  ...NO_ASSESSMENT,
  readings: 1,
};

describe('what is said of a plant', () => {
  test('PLT-5 PLT-24 its board is offline by its own word, silent by when a reading last arrived, whenever that was taken', () => {
    const late = { ...state, last_datetime: new Date(NOW - 5 * 60 * MINUTE).toISOString() };
    expect(contactOf(late, NOW + 60 * MINUTE)).toBe('online');
    expect(contactOf(late, NOW + 61 * MINUTE)).toBe('stale');
    expect(contactOf({ ...late, silent_after_minutes: 5 }, NOW + 6 * MINUTE)).toBe('stale');
    expect(contactOf({ ...late, board: 'offline' }, NOW)).toBe('offline');
    expect(contactOf({ ...late, board: null }, NOW)).toBe('heard');
    expect(contactOf({ ...late, last_received_at: null }, NOW)).toBe('stale');
    const never = { last_datetime: null, last_soil_moisture: null, last_received_at: null };
    expect(contactOf({ ...state, ...never }, NOW)).toBe('silent');
  });

  test.each([
    [0.02, 0.2, '1–5시간 뒤 물이 필요합니다'],
    [0.4, 0.97, '10–23시간 뒤 물이 필요합니다'],
    [0.5, 1.6, '12시간–2일 뒤 물이 필요합니다'],
    [0.98, 3, '1–3일 뒤 물이 필요합니다'],
    [3.2, 4.8, '3–5일 뒤 물이 필요합니다'],
    [3.6, 4.4, '약 4일 뒤 물이 필요합니다'],
    [12, null, '앞으로 12일은 물이 필요하지 않습니다'],
    [0.5, null, '앞으로 12시간은 물이 필요하지 않습니다'],
  ])('PLT-8 PLT-21 between %d and %d days it says %s', (low, high, text) => {
    expect(forecastText({ low, high })).toBe(text);
  });

  test('PLT-21 what is not known yet is said', () => {
    expect(forecastText(null)).toBe('물이 필요한 시점은 아직 알 수 없습니다');
  });

  test('PLT-8 PLT-20 water that came while nothing was heard came between two readings, and no minute is made up', () => {
    expect(wateredText(NOW, NOW + 60 * MINUTE)).toMatch(/^\d{4}\.\d\d\.\d\d \d\d:\d\d$/);
    expect(wateredText(NOW, NOW + 61 * MINUTE)).toMatch(/^\S+ \S+에서 \S+ \S+ 사이$/);
  });

  test('PLT-6 a calibrated plant has its percent without the calibration behind it, others have none', () => {
    expect(uncalibratedText(550, { dry: 800, wet: 300 })).toBe('보정 전 46.2%');
    expect(uncalibratedText(550, undefined)).toBeUndefined();
  });

  test('PLT-4 it has its number, and so its colour, by when it came, whether or not it was heard in the range', () => {
    const states = [state, { ...state, plant: '고사리', topic: 'fern' }];
    const numbers = [...plantNumbers(states, undefined)];
    // They stand in the order of names; one that comes later, whatever its name, changes no colour.
    expect(numbers).toEqual([
      ['고사리', 1],
      ['바질', 0],
    ]);
    // One that was heard is hidden by now.
    expect([...plantNumbers(states, new Map([['가지', []]]))]).toEqual(numbers);
    expect([...plantNumbers(undefined, new Map([['가지', []]]))]).toEqual([['가지', 0]]);
  });
});

describe('the settings of a plant', () => {
  const named = { ...settings, name: '바질' };
  const draft = draftOf(named);

  test('PLT-6 PLT-9 come out of the form as they went in', () => {
    expect(draftProblems(draft)).toEqual({});
    expect(settingsOf(draft)).toEqual(settings);
    const calibrated = { ...settings, dry: 800, wet: 300, alert_below: 12.5 };
    expect(settingsOf(draftOf({ ...calibrated, name: '바질' }))).toEqual(calibrated);
  });

  test('PLT-6 are both points of a calibration or none, dry above wet', () => {
    expect(Object.keys(draftProblems({ ...draft, dry: '800' }))).toEqual(['wet']);
    expect(Object.keys(draftProblems({ ...draft, dry: '300', wet: '800' }))).toEqual(['wet']);
    expect(Object.keys(draftProblems({ ...draft, dry: '800.5', wet: '1024' }))).toEqual(['dry', 'wet']);
    expect(draftProblems({ ...draft, dry: '800', wet: '300' })).toEqual({});
  });

  test('PLT-13 have a name that is sent where it is another, and may stay what nobody could choose', () => {
    expect(settingsOf({ ...draft, name: '허브' })).toEqual({ ...settings, name: '허브' });
    expect(draftProblems(draftOf({ ...named, name: 'moss #7' }))).toEqual({});
    expect(Object.entries(draftProblems({ ...draft, name: 'moss #8', dry: 'x' }))[0]).toEqual([
      'name',
      '이름에 / + #를 쓸 수 없습니다',
    ]);
    expect(draftProblems({ ...draft, name: '  ' })).toEqual({ name: '이름을 입력하세요' });
    const long = draftProblems({ ...draft, name: '', name_en: 'x'.repeat(65), dry: 'x' });
    expect(Object.keys(long)).toEqual(['name', 'name_en', 'dry']);
  });

  test('PLT-9 have an alert that ends above where it begins', () => {
    expect(Object.keys(draftProblems({ ...draft, alert_clear: '20' }))).toEqual(['alert_clear']);
    expect(Object.keys(draftProblems({ ...draft, alert_below: '-1' }))).toEqual(['alert_below']);
    expect(Object.keys(draftProblems({ ...draft, stale_after_minutes: '' }))).toEqual([
      'stale_after_minutes',
    ]);
  });
});
