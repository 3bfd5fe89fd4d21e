/** Whether the full counts run (`npm run test:long`). */
const full = process.env['FULL'] === '1';

/** The few of an everyday run, or the many of a full one. */
export function fewOrMany(few: number, many: number): number {
  return full ? many : few;
}

/** Parameters of every property test: the same seed each time, so that a failure can be repeated. */
export const propertyRuns = { seed: 20_261_121, numRuns: fewOrMany(200, 10_000) };
