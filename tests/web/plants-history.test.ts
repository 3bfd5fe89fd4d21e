import type { PlantRecord, PlantState } from '#contract/plants';
import { describe, expect, test } from 'vitest';
import {
  buildHistory,
  hasMissedReadings,
  plantsWithoutReadings,
  withNewest,
} from '../../web/src/features/plants/history.ts';
import { NO_ASSESSMENT } from '../support/no-assessment.ts';

const START = Date.parse('2026-03-02T00:00:00Z');
const instant = (minute: number) => new Date(START + minute * 60_000).toISOString();
const record = (plant: string, minute: number, soil_moisture: number): PlantRecord => ({
  plant,
  datetime: instant(minute),
  soil_moisture,
});
const state = (plant: string, minute: number | null, raw: number | null, readings: number): PlantState => ({
  plant,
  topic: plant,
  last_datetime: minute === null ? null : instant(minute),
  last_soil_moisture: raw,
  last_received_at: minute === null ? null : instant(minute),
  board: null,
  board_at: null,
  dry: null,
  wet: null,
  alert_below: 20,
  alert_clear: 25,
  stale_after_minutes: 60,
  ...NO_ASSESSMENT,
  readings,
  name_en: '',
  is_public: false,
  version: 1,
});

describe('the history of the chart', () => {
  test('PLT-4 holds the readings of each plant, oldest first', () => {
    const history = buildHistory([record('바질', 5, 310), record('고사리', 0, 600), record('바질', 0, 300)]);
    expect([...history.keys()].toSorted()).toEqual(['고사리', '바질']);
    expect(history.get('바질')?.map(({ raw }) => raw)).toEqual([300, 310]);
  });

  test('PLT-4 tells which plants have no reading in what is shown, if it is known', () => {
    const history = buildHistory([record('바질', 5, 310), record('고사리', 0, 600)]);
    const stretch = { from: START + 60_000, to: START + 10 * 60_000 };
    expect(plantsWithoutReadings(stretch, history, ['고사리', '바질', '이끼'])).toEqual(['고사리', '이끼']);
    expect(plantsWithoutReadings(stretch, undefined, ['고사리'])).toEqual([]);
  });

  test('PLT-3 goes on with each newest reading, once, and leaves the other plants as they are', () => {
    const history = buildHistory([record('바질', 0, 300), record('고사리', 0, 600)]);
    const states = [state('바질', 1, 301, 2), state('고사리', 0, 600, 1)];
    const next = withNewest(history, states, {});
    expect(next.get('바질')?.map(({ raw }) => raw)).toEqual([300, 301]);
    expect(next.get('고사리')).toBe(history.get('고사리'));
    expect(withNewest(next, states, {})).toBe(next);
  });

  test('PLT-3 begins with the first reading of a new plant', () => {
    const next = withNewest(buildHistory([]), [state('이끼', 3, 700, 1), state('새싹', null, null, 0)], {});
    expect([...next.keys()]).toEqual(['이끼']);
  });

  test('PLT-4 takes only plants that were chosen and readings of its range', () => {
    const states = [state('바질', 1, 301, 2), state('고사리', 9, 600, 1), state('이끼', 5, 500, 1)];
    const next = withNewest(buildHistory([]), states, { plants: ['바질', '이끼'], from: START + 4 * 60_000 });
    expect([...next.keys()]).toEqual(['이끼']);
  });

  test('PLT-3 has missed something when several readings came, or one came late', () => {
    const before = [state('바질', 5, 305, 10)];
    expect(hasMissedReadings(before, [state('바질', 5, 305, 10)], {})).toBe(false);
    expect(hasMissedReadings(before, [state('바질', 6, 306, 11)], {})).toBe(false);
    expect(hasMissedReadings(before, [state('바질', 6, 306, 12)], {})).toBe(true);
    expect(hasMissedReadings(before, [state('바질', 5, 305, 11)], {})).toBe(true);
    expect(hasMissedReadings(before, [...before, state('이끼', 6, 500, 1)], {})).toBe(false);
    expect(hasMissedReadings(before, [...before, state('이끼', 6, 500, 2)], {})).toBe(true);
    expect(hasMissedReadings(before, [state('바질', 6, 306, 12)], { plants: ['이끼'] })).toBe(false);
  });
});
