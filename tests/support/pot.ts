/*
 * Readings of a pot, for tests of its assessment, in raw values (lower is wetter): soil that dries evenly,
 * with a little noise. The same arguments give the same readings.
 */

export type Reading = readonly [at: number, raw: number];

type Pot = {
  /** Milliseconds since 1970: the first reading, and the last at the latest. */
  from: number;
  to: number;
  /** Milliseconds between readings. */
  every: number;
  /** The raw value at `from`, and how much it rises in a day. */
  raw: number;
  perDay: number;
  /** Waterings, each with the raw value to which the soil falls within a quarter of an hour. */
  watered?: readonly (readonly [at: number, raw: number])[];
  /** Half of the width of the noise. */
  noise?: number;
};

const DAY = 86_400_000;
const SOAKING = 15 * 60_000;

export function potHistory({ from, to, every, raw, perDay, watered = [], noise = 2 }: Pot): Reading[] {
  const levelAt = (at: number): number => {
    const last = watered.findLast(([begin]) => begin <= at);
    if (!last) return raw + ((at - from) / DAY) * perDay;
    const [begin, wet] = last;
    const soaked = Math.min(1, (at - begin) / SOAKING);
    return levelAt(begin - 1) * (1 - soaked) + (wet + ((at - begin) / DAY) * perDay) * soaked;
  };
  return Array.from({ length: Math.floor((to - from) / every) + 1 }, (_, step) => {
    const at = from + step * every;
    const shake = ((Math.imul(step + 1, 0x9e37_79b1) >>> 8) / 2 ** 24) * 2 - 1;
    return [at, Math.min(1019, Math.max(4, Math.round(levelAt(at) + noise * shake)))] as const;
  });
}
