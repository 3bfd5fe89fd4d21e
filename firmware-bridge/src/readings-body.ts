import { READINGS_BODY_MAX, type Reading } from '#contract/readings';

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const EMPTY_BODY_BYTES = bytesOf({ readings: [] });

/** How many of the readings, from the first on, fit into the body of one POST /readings. The longest fits alone. */
export function readingsThatFit(readings: readonly Reading[]): number {
  let bytes = EMPTY_BODY_BYTES;
  for (const [index, reading] of readings.entries()) {
    bytes += bytesOf(reading);
    if (bytes > READINGS_BODY_MAX) return index;
    bytes += 1;
  }
  return readings.length;
}
