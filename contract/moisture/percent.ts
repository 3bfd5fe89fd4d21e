/** Maximum of the board's 10-bit converter. Raw values are stored; percent is only for display. */
export const MOISTURE_RAW_MAX = 1023;

/** A plant's raw sensor values in dry soil (needs water) and in saturated soil; they are never equal. */
export type Calibration = { dry: number; wet: number };

/** A plant's calibration points; undefined if it has none. */
export const calibrationOf = ({ dry, wet }: Record<keyof Calibration, number | null>) =>
  dry === null || wet === null ? undefined : { dry, wet };

/** The converter's full range: the wetter the soil, the lower the raw value. */
export const DEFAULT_CALIBRATION: Calibration = { dry: MOISTURE_RAW_MAX, wet: 0 };

/**
 * Position between dry (0) and wet (100) in percent, clamped to 0..100, whichever way the sensor counts. The
 * division comes last, so that 29 % of a range is exactly 29, as in the database's comparison.
 */
export function moisturePercent(raw: number, { dry, wet }: Calibration = DEFAULT_CALIBRATION): number {
  return Math.min(100, Math.max(0, ((dry - raw) * 100) / (dry - wet)));
}
