import { NO_SEQ } from '#contract/readings';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  GROUP_READINGS,
  MonthFile,
  writeMonthFile,
  type MonthReading,
} from '../../worker/src/plants/month-file.ts';
import { propertyRuns } from '../support/counts.ts';

const integer = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
/** Whatever the table holds: instants of before 1970 and of the last year that SQLite knows, each number a board may send. */
const reading = fc.record({
  measured_at: fc.integer({ min: -1_000_000, max: 253_402_300_799_999 }),
  seq: fc.oneof(integer, fc.constant(NO_SEQ)),
  soil_moisture: fc.integer({ min: 0, max: 1023 }),
  received_at: integer,
  refused_time: fc.option(integer),
});

async function written(readings: MonthReading[], size: number) {
  async function* groups() {
    for (let at = 0; at < readings.length; at += size) yield readings.slice(at, at + size);
  }
  const { content, readings: count } = await writeMonthFile(groups());
  expect(count).toBe(readings.length);
  return new MonthFile(content.buffer);
}

async function readFrom(file: MonthFile, from = -Infinity, to = Infinity): Promise<MonthReading[]> {
  const readings = [];
  for await (const group of file.read(from, to)) readings.push(...group);
  return readings;
}

test('PLT-14 a file holds every value of every reading, and gives those of a range', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(reading), fc.integer({ min: 1, max: 9 }), async (readings, size) => {
      const sorted = readings.toSorted((a, b) => a.measured_at - b.measured_at);
      const file = await written(sorted, size);
      expect(file.readings).toBe(sorted.length);
      expect(await readFrom(file)).toEqual(sorted);
      const [from = 0, to = 0] = [readings[0], readings[1]].map((each) => each?.measured_at);
      const inRange = sorted.filter(({ measured_at: at }) => at >= from && at < to);
      expect(await readFrom(file, from, to)).toEqual(inRange);
    }),
    propertyRuns(100, 2000),
  );
});

test('PLT-14 a month of a reading a minute is some two bytes a reading', async () => {
  const START = Date.UTC(2026, 2, 1);
  const month = Array.from({ length: 31 * 1440 }, (_, minute) => ({
    measured_at: START + minute * 60_000 + ((minute * 7) % 19),
    seq: minute,
    soil_moisture: 400 + Math.floor(minute / 60) + ((minute * 7) % 8),
    received_at: START + minute * 60_000 + 30 + ((minute * 131) % 190),
    refused_time: null,
  }));
  const { content } = await writeMonthFile(
    (async function* () {
      for (let at = 0; at < month.length; at += GROUP_READINGS) yield month.slice(at, at + GROUP_READINGS);
    })(),
  );
  expect(content.byteLength / month.length).toBeLessThan(2.5);
  expect(new TextDecoder().decode(content.slice(0, 4))).toBe('PAR1');
});

test('PLT-14 what is no such file is refused, not read as an empty one', () => {
  expect(() => new MonthFile(new ArrayBuffer(64))).toThrow('parquet');
});
