import type { PlantState } from '#contract/plants';
import { describe, expect, test } from 'vitest';
import { contactOf, forecastText, plantNumbers } from '../../web/src/features/plants/plant-state.ts';
import { draftOf, draftProblems, settingsOf } from '../../web/src/features/plants/settings-draft.ts';
import { UNTOLD } from '../support/untold.ts';

const NOW = Date.parse('2026-03-02T00:00:00Z');
const MINUTE = 60_000;

const settings = {
  dry: null,
  wet: null,
  alert_below: 20,
  alert_clear: 25,
  stale_after_minutes: 60,
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
  ...UNTOLD,
  readings: 1,
};

describe('what is said of a plant', () => {
  test('PLT-5 its board is offline by its own word, stale by the age of its last reading', () => {
    expect(contactOf(state, NOW + 60 * MINUTE)).toBe('online');
    expect(contactOf(state, NOW + 61 * MINUTE)).toBe('stale');
    expect(contactOf({ ...state, stale_after_minutes: 5 }, NOW + 6 * MINUTE)).toBe('stale');
    expect(contactOf({ ...state, board: 'offline' }, NOW)).toBe('offline');
    expect(contactOf({ ...state, board: null }, NOW)).toBe('heard');
    expect(contactOf({ ...state, last_datetime: null, last_soil_moisture: null }, NOW)).toBe('silent');
  });

  test('PLT-8 the time until it needs water is told as one says it', () => {
    expect([null, 0, 0.02, 0.2, 0.5, 0.97, 1, 1.3, 9.8].map(forecastText)).toEqual([
      undefined,
      '지금 물이 필요합니다',
      '곧 물이 필요합니다',
      '약 5시간 뒤 물이 필요합니다',
      '약 12시간 뒤 물이 필요합니다',
      '약 23시간 뒤 물이 필요합니다',
      '약 1일 뒤 물이 필요합니다',
      '약 1.5일 뒤 물이 필요합니다',
      '약 10일 뒤 물이 필요합니다',
    ]);
  });

  test('PLT-4 it has its number, and so its colour, by its name, whether or not it was heard in the range', () => {
    const states = [state, { ...state, plant: '고사리', topic: 'fern' }];
    const numbers = [...plantNumbers(states, undefined)];
    expect(numbers).toEqual([
      ['고사리', 0],
      ['바질', 1],
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
  });

  test('PLT-9 have an alert that ends above where it begins', () => {
    expect(Object.keys(draftProblems({ ...draft, alert_clear: '20' }))).toEqual(['alert_clear']);
    expect(Object.keys(draftProblems({ ...draft, alert_below: '-1' }))).toEqual(['alert_below']);
    expect(Object.keys(draftProblems({ ...draft, stale_after_minutes: '' }))).toEqual([
      'stale_after_minutes',
    ]);
  });
});
