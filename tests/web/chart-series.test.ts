import type { PlantRecord } from '#contract/plants';
import { describe, expect, test } from 'vitest';
import { buildRows, buildSeries, splitAtGaps } from '../../web/src/features/plants/chart-series.ts';

const START = Date.parse('2026-03-02T00:00:00Z');
const record = (plant: string, minute: number, soil_moisture: number): PlantRecord => ({
  plant,
  datetime: new Date(START + minute * 60_000).toISOString(),
  soil_moisture,
});

describe('the chart of soil moisture', () => {
  test('PLT-1 draws percent of the raw value: (1023 − raw) / 1023 × 100', () => {
    const series = buildSeries([record('바질', 0, 0), record('바질', 1, 1023), record('바질', 2, 512)]);
    const rows = buildRows(series.flatMap(splitAtGaps));
    expect(rows.map((row) => row['0-0'])).toEqual([100, 0, ((1023 - 512) / 1023) * 100]);
  });

  test('PLT-1 gives each plant a line of its own on one axis of time', () => {
    const series = buildSeries([record('바질', 0, 300), record('고사리', 0, 600), record('바질', 5, 310)]);
    expect(series.map(({ plant, number }) => [plant, number])).toEqual([
      ['고사리', 0],
      ['바질', 1],
    ]);
    const rows = buildRows(series.flatMap(splitAtGaps));
    expect(rows.map((row) => Object.keys(row).sort())).toEqual([
      ['0-0', '1-0', 'time'],
      ['1-0', 'time'],
    ]);
  });

  test('PLT-3 joins the newest readings to the history, each reading once', () => {
    const history = [record('바질', 0, 300), record('바질', 1, 301)];
    const recent = [record('바질', 1, 301), record('바질', 2, 302)];
    const [basil] = buildSeries(history, recent);
    expect(basil?.readings.map(({ raw }) => raw)).toEqual([300, 301, 302]);
  });

  test('PLT-3 puts a reading that comes late in its place', () => {
    const [basil] = buildSeries([record('바질', 5, 305)], [record('바질', 2, 302)]);
    expect(basil?.readings.map(({ raw }) => raw)).toEqual([302, 305]);
  });

  test('PLT-1 breaks the line where a plant was silent', () => {
    const minutes = [0, 1, 2, 3, 60, 61, 62];
    const [basil] = buildSeries(minutes.map((minute) => record('바질', minute, 300)));
    const lines = basil ? splitAtGaps(basil) : [];
    expect(lines.map(({ key, readings }) => [key, readings.length])).toEqual([
      ['0-0', 4],
      ['0-1', 3],
    ]);
  });

  test('PLT-1 keeps the line of a plant that reports seldom but evenly', () => {
    const [fern] = buildSeries([0, 60, 125, 180, 240].map((minute) => record('고사리', minute, 600)));
    expect(fern && splitAtGaps(fern)).toHaveLength(1);
  });

  test('PLT-1 has no rows without readings', () => {
    expect(buildRows(buildSeries([], []).flatMap(splitAtGaps))).toEqual([]);
  });
});
