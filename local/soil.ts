/*
 * Computes the demo plants' soil moisture as a pure function of time. So the past demo data and the readings
 * of the simulated boards form one continuous curve.
 */

import { DAY_MS, MINUTE_MS } from '#contract/time';

/** Plants that have a simulated board. */
export const SIMULATED_PLANTS = ['basil', 'monstera'] as const;
/** The rosemary's board is off, so the rosemary has demo data but no simulated board. */
export const DEMO_PLANTS = [...SIMULATED_PLANTS, 'rosemary'] as const;
export type DemoPlant = (typeof DEMO_PLANTS)[number];

type Soil = {
  /** Milliseconds between two waterings, on average. */
  cycle: number;
  /** The raw value right after watering. A higher value is drier. */
  /** How much the raw value rises in an average cycle. */
  wet: number;
  rise: number;
  /** Half the width of the sensor's noise, as a raw value. */
  noise: number;
  salt: number;
};

const soils: Record<DemoPlant, Soil> = {
  basil: { cycle: 5.2 * DAY_MS, wet: 310, rise: 400, noise: 4, salt: 11 },
  monstera: { cycle: 7.5 * DAY_MS, wet: 340, rise: 380, noise: 3, salt: 29 },
  rosemary: { cycle: 5.5 * DAY_MS, wet: 420, rise: 420, noise: 5, salt: 47 },
};

/** How long the water needs to reach the sensor. */
const SOAKING = 12 * MINUTE_MS;

/** A number from 0 to 1 that looks random but is always the same for the same input. */
function chance(salt: number, n: number): number {
  let hash = Math.imul(salt, 0x9e37_79b1) ^ Math.imul(n | 0, 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a_2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}

/** When the plant is watered for the nth time. The time varies at random, because people are not exact. */
function watering(soil: Soil, n: number): number {
  return (n + 0.3 * (chance(soil.salt, n) - 0.5)) * soil.cycle;
}

function drySince(soil: Soil, elapsed: number): number {
  // Soil dries fast at first, and more slowly later.
  return soil.wet + (soil.rise * (1 - Math.exp((-1.4 * elapsed) / soil.cycle))) / (1 - Math.exp(-1.4));
}

/**
 * The raw value 0..1023 of a sensor at an instant. It rises as soil dries; water lowers it within minutes.
 * @param atMs milliseconds since 1970
 */
function rawAt(soil: Soil, atMs: number): number {
  let n = Math.floor(atMs / soil.cycle) + 1;
  while (watering(soil, n) > atMs) n -= 1;
  const since = atMs - watering(soil, n);
  const before = drySince(soil, watering(soil, n) - watering(soil, n - 1));
  const soaked = Math.min(1, since / SOAKING);
  const level = before * (1 - soaked) + drySince(soil, since) * soaked;
  // The warmth is highest at 06:00 UTC, which is 15:00 in Seoul.
  const warmth = 5 * Math.sin((2 * Math.PI * atMs) / DAY_MS);
  const noise = soil.noise * (2 * chance(soil.salt + 1, Math.floor(atMs / 1000)) - 1);
  return Math.min(1023, Math.max(0, Math.round(level + warmth + noise)));
}

/** The raw value at an instant is always the same, so demo data and simulated boards make one curve. */
export const demoSoilRaw = (plant: DemoPlant, atMs: number): number => rawAt(soils[plant], atMs);

/** Makes the soil of an invented plant from random numbers. */
export function randomSoil(random: () => number): (atMs: number) => number {
  const soil: Soil = {
    cycle: (2 + 6 * random()) * DAY_MS,
    wet: 330 + 90 * random(),
    rise: 290 + 130 * random(),
    noise: 3 + 3 * random(),
    salt: Math.floor(random() * 1e6),
  };
  return (atMs) => rawAt(soil, atMs);
}
