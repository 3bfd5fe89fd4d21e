import { READINGS_BODY_MAX, type Reading } from '#contract/readings';

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const EMPTY_BODY_BYTES = bytesOf({ readings: [] });

/** No reading takes more beside its plant, with the comma behind it. */
const REST_MAX = bytesOf({
  datetime: '+010000-01-01T00:00:00.000Z',
  soil_moisture: 1023,
  seq: Number.MIN_SAFE_INTEGER,
  received_at: '+010000-01-01T00:00:00.000Z',
});

const fitsAtMost = (readings: readonly Reading[]) =>
  readings.reduce((bytes, { plant }) => bytes + REST_MAX + bytesOf({ plant }), EMPTY_BODY_BYTES) <=
  READINGS_BODY_MAX;

/** How many of the readings, from the first on, fit into the body of one POST /readings. The longest fits alone. */
export function readingsThatFit(readings: readonly Reading[]): number {
  if (fitsAtMost(readings)) return readings.length;
  let bytes = EMPTY_BODY_BYTES;
  for (const [index, reading] of readings.entries()) {
    bytes += bytesOf(reading);
    if (bytes > READINGS_BODY_MAX) return index;
    bytes += 1;
  }
  return readings.length;
}
