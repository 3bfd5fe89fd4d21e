import type { PlantState } from '#contract/plants';
import { describe, expect, test } from 'vitest';
import { applyLiveMessage } from '../../web/src/features/plants/history.ts';
import { NO_ASSESSMENT } from '../support/no-assessment.ts';

const START = Date.parse('2026-03-02T00:00:00Z');
const state = (plant: string, minute: number, raw: number): PlantState => ({
  plant,
  topic: plant,
  last_datetime: new Date(START + minute * 60_000).toISOString(),
  last_soil_moisture: raw,
  last_received_at: null,
  board: null,
  board_at: null,
  dry: null,
  wet: null,
  alert_below: 20,
  alert_clear: 25,
  stale_after_minutes: 60,
  ...NO_ASSESSMENT,
  readings: minute + 1,
  name_en: '',
  is_public: false,
  version: 1,
});

describe('what a screen is told', () => {
  const [fern, basil] = [state('고사리', 0, 600), state('바질', 0, 500)];

  test('PLT-11 a whole list replaces the one before, and is the first one', () => {
    expect(applyLiveMessage([], { whole: true, states: [fern] })).toEqual([fern]);
    expect(applyLiveMessage([fern, basil], { whole: true, states: [basil] })).toEqual([basil]);
    expect(applyLiveMessage([fern], { whole: true, states: [] })).toEqual([]);
  });

  test('PLT-11 plants that changed take their place, and new ones come behind', () => {
    const later = state('고사리', 1, 590);
    const rose = state('장미', 1, 400);
    expect(applyLiveMessage([fern, basil], { whole: false, states: [rose, later] })).toEqual([
      later,
      basil,
      rose,
    ]);
  });
});
