import { moisturePercent } from '#contract/moisture';
import type { PlantRecord } from '#contract/plants';

export type Reading = { time: number; raw: number };

/** A plant's readings, oldest first. `number` is its place among all plants and gives it its colour. */
export type PlantSeries = { plant: string; number: number; readings: Reading[] };

/** One unbroken line of a plant: a chart key and the readings that it joins. */
export type Line = { key: string; plant: string; number: number; readings: Reading[] };

/** One instant on the chart's axis with the percentages that lines have there. */
export type ChartRow = { time: number } & Record<string, number>;

const GAP_AT_LEAST_MS = 10 * 60_000;
const GAP_INTERVALS = 8;
/** So many breaks say that the readings are sparse, not that they are missing. */
const LINES_PER_PLANT = 40;

/** Joins answers that may overlap into one list a plant, in the order of names. */
export function buildSeries(...answers: PlantRecord[][]): PlantSeries[] {
  const byPlant = new Map<string, Map<string, Reading>>();
  for (const { plant, datetime, soil_moisture: raw } of answers.flat()) {
    const readings = byPlant.get(plant) ?? new Map<string, Reading>();
    byPlant.set(plant, readings);
    readings.set(`${datetime} ${raw}`, { time: Date.parse(datetime), raw });
  }
  return [...byPlant]
    .sort(([a], [b]) => a.localeCompare(b, 'ko'))
    .map(([plant, readings], number) => ({
      plant,
      number,
      readings: [...readings.values()].sort((a, b) => a.time - b.time),
    }));
}

/** Breaks a series where a plant was silent much longer than it usually is. */
export function splitAtGaps({ plant, number, readings }: PlantSeries): Line[] {
  const longest = Math.max(GAP_AT_LEAST_MS, GAP_INTERVALS * medianInterval(readings));
  const parts: Reading[][] = [];
  let previous: Reading | undefined;
  for (const reading of readings) {
    const isAfterGap = previous === undefined || reading.time - previous.time > longest;
    if (isAfterGap) parts.push([]);
    parts.at(-1)?.push(reading);
    previous = reading;
  }
  const lines = parts.length > LINES_PER_PLANT ? [readings] : parts;
  return lines.map((part, index) => ({ key: `${number}-${index}`, plant, number, readings: part }));
}

/** The rows that the chart draws: one an instant, a percentage for each line that has a reading there. */
export function buildRows(lines: Line[]): ChartRow[] {
  const rows = new Map<number, ChartRow>();
  for (const { key, readings } of lines) {
    for (const { time, raw } of readings) {
      const row: ChartRow = rows.get(time) ?? { time };
      row[key] = moisturePercent(raw);
      rows.set(time, row);
    }
  }
  return [...rows.values()].sort((a, b) => a.time - b.time);
}

function medianInterval(readings: Reading[]): number {
  const intervals = readings.slice(1).map(({ time }, index) => time - (readings[index]?.time ?? time));
  return intervals.sort((a, b) => a - b)[Math.floor(intervals.length / 2)] ?? 0;
}
