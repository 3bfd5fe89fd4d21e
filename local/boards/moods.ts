import { DAY_MS, HOUR_MS } from '#contract/time';

const fixed: (string | Uint8Array)[] = [
  '',
  'NaN',
  '-1',
  '1024',
  '512.5',
  '"512"',
  'true',
  'null',
  '{}',
  '[]',
  '{"__proto__":{"soil_moisture":512}}',
  '{"soil_moisture":512,"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"soil_moisture":512,"datetime":"yesterday"}',
  '['.repeat(10_000),
  `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  'x'.repeat(1024 * 1024),
  Uint8Array.of(0xff, 0xfe, 0xfd),
  Uint8Array.of(0xed, 0xa0, 0x80),
  Uint8Array.of(0),
];

/** Makes `count` different payloads that are not readings. */
export function malformedPayloads(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, n) => {
    const payload = fixed[n] ?? `{"soil_moisture":${1024 + n}}`;
    return typeof payload === 'string' ? Buffer.from(payload) : payload;
  });
}

export type MockReading = { soil_moisture: number; datetime: string; seq: number };
type Random = () => number;

export const MOODS = ['steady', 'sleeping', 'reconnecting', 'clock-wrong', 'flooding', 'garbage'] as const;
export type MoodName = (typeof MOODS)[number];

/**
 * How a simulated board behaves. Each board has its own mood object, which may store state. With the same
 * random numbers, a mood always behaves in the same way.
 */
export type Mood = {
  /** Changes a reading; returns more than one if the board sends too many. */
  measured?: (reading: MockReading) => MockReading[];
  /** Messages that are not readings. The board sends them after the measurement. */
  garbage?: () => Uint8Array[];
  /**
   * What the board does after a measurement: it keeps its connection, breaks it without a disconnect, or goes
   * offline and stores its readings.
   */
  link?: () => 'keeps' | 'breaks' | 'sleeps';
};

/** How many milliseconds the boards' clocks are wrong. With null, the clock begins at 1970. */
const CLOCK_ERRORS: readonly (number | null)[] = [
  null,
  -40 * DAY_MS,
  -HOUR_MS,
  HOUR_MS,
  DAY_MS,
  80 * 365 * DAY_MS,
];
const FLOOD = 500;

const pick = <Item>(items: readonly Item[], random: Random): Item | undefined =>
  items[Math.floor(random() * items.length)];

export const moods: Record<MoodName, (random: Random) => Mood> = {
  steady: () => ({}),
  /** The board is offline most of the time, and sends several readings at once. */
  sleeping: (random) => {
    const round = 2 + Math.floor(random() * 4);
    let count = 0;
    return {
      link: () => {
        count += 1;
        return count % round === 0 ? 'keeps' : 'sleeps';
      },
    };
  },
  reconnecting: (random) => ({ link: () => (random() < 0.4 ? 'breaks' : 'keeps') }),
  'clock-wrong': (random) => {
    const error = pick(CLOCK_ERRORS, random) ?? null;
    return {
      measured: (reading) => {
        const at = error === null ? reading.seq * 1000 : Date.parse(reading.datetime) + error;
        return [{ ...reading, datetime: new Date(at).toISOString() }];
      },
    };
  },
  flooding: () => {
    let said = 0;
    return {
      measured: (reading) =>
        Array.from({ length: FLOOD }, () => {
          said += 1;
          return { ...reading, seq: said };
        }),
    };
  },
  garbage: (random) => {
    const payloads = malformedPayloads(100);
    return { garbage: () => (random() < 0.5 ? [pick(payloads, random) ?? Buffer.from('x')] : []) };
  },
};
