import type { PlantState } from '#contract/plants';
import { describe, expect, test } from 'vitest';
import { withStates } from '../../web/src/features/plants/history.ts';
import { WateringWatch } from '../../web/src/features/plants/watering-watch.ts';
import { UNTOLD } from '../support/untold.ts';

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
  ...UNTOLD,
  readings: minute + 1,
  is_public: false,
  version: 1,
});

describe('what a screen is told', () => {
  const [fern, basil] = [state('고사리', 0, 600), state('바질', 0, 500)];

  test('PLT-11 a whole list replaces the one before, and is the first one', () => {
    expect(withStates([], { whole: true, states: [fern] })).toEqual([fern]);
    expect(withStates([fern, basil], { whole: true, states: [basil] })).toEqual([basil]);
    expect(withStates([fern], { whole: true, states: [] })).toEqual([]);
  });

  test('PLT-11 plants that changed take their place, and new ones come behind', () => {
    const later = state('고사리', 1, 590);
    const rose = state('장미', 1, 400);
    expect(withStates([fern, basil], { whole: false, states: [rose, later] })).toEqual([later, basil, rose]);
  });
});

describe('the watch for waterings', () => {
  /** At which of the readings, a minute apart, the list of waterings is asked for. */
  function askedAt(raws: number[]): number[] {
    const watch = new WateringWatch();
    return raws.flatMap((raw, minute) => (watch.hasSeenWater([state('바질', minute, raw)]) ? [minute] : []));
  }

  test('PLT-11 PLT-8 asks while the soil gets wetter, and not again afterwards', () => {
    expect(askedAt([800, 800, 760, 690, 600, 600, 601, 602, 604])).toEqual([3, 4]);
  });

  test('PLT-11 does not ask while the soil dries, or for noise', () => {
    expect(askedAt(Array.from({ length: 120 }, (_, minute) => 400 + minute + (minute % 3) * 20))).toEqual([]);
  });

  test('PLT-11 asks for the next watering, an hour later', () => {
    const dry = Array.from({ length: 70 }, (_, minute) => 600 + minute);
    expect(askedAt([800, 600, ...dry, 400])).toEqual([1, 72]);
  });

  test('PLT-11 looks at each plant alone, and at no reading twice', () => {
    const watch = new WateringWatch();
    expect(watch.hasSeenWater([state('바질', 0, 800), state('고사리', 0, 300)])).toBe(false);
    expect(watch.hasSeenWater([state('바질', 1, 790), state('고사리', 0, 300)])).toBe(false);
    expect(watch.hasSeenWater([state('바질', 2, 500), state('고사리', 0, 300)])).toBe(true);
    expect(watch.hasSeenWater([state('바질', 2, 500), state('고사리', 0, 300)])).toBe(false);
  });
});
