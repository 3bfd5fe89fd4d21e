import { suggestCalibration, sensorRange, type SensorRange } from './calibration.ts';
import { judgeDry, type DrySpell } from './dry.ts';
import { findFaults, withoutFaults, type Fault, type FaultKind } from './faults.ts';
import { forecastDry, type Forecast } from './forecast.ts';
import { calibrationOf, moisturePercent, DEFAULT_CALIBRATION, type Calibration } from './percent.ts';
import { pointsOf, type Interval, type Reading } from './series.ts';
import { findWaterings, type Watering } from './waterings.ts';

/** What a plant's readings show, in raw values and milliseconds; percent is computed for display. */
export type Assessment = {
  /** The soil level that is judged, not the last reading; null before the first level and during a fault. */
  level: Reading | null;
  /** The present fault. During a fault nothing else is judged, and `dry` keeps its value. */
  fault: { kind: FaultKind; since: number } | null;
  /** All faults of the window, oldest first. */
  faults: Fault[];
  /** All waterings of the window, oldest first. */
  waterings: Watering[];
  dry: DrySpell | null;
  /** Null while unknown, during a fault, and when the plant is dry. */
  forecast: Forecast | null;
  /** The range of the sensor's values; null while the readings span less than a week. */
  range: SensorRange | null;
  /** A calibration offered for a plant that never comes near the ends of its scale. */
  calibration: Calibration | null;
};

/** A plant's settings; `dry` and `wet` are both null without a calibration. */
export type AssessmentSettings = {
  dry: number | null;
  wet: number | null;
  alert_below: number;
  alert_clear: number;
};

/** Without a calibration, a forecast needs a level at most this many percentage points above the limit. */
const NEAR = 25;

/** The part of an assessment that the next assessment needs. */
export type AssessmentBefore = Pick<Assessment, 'dry' | 'fault'>;

/**
 * Derives a plant's assessment from its readings.
 * @param intervals the intervals of the last sixty days
 * @param before the previous assessment; null for the first one
 */
export function assessmentOf(
  intervals: readonly Interval[],
  settings: AssessmentSettings,
  before: AssessmentBefore | null,
): Assessment {
  const own = calibrationOf(settings);
  const calibration = own ?? DEFAULT_CALIBRATION;
  const faults = findFaults(intervals);
  const open = faults.find(({ to }) => to === null);
  const since = before?.fault && before.fault.kind === open?.kind ? before.fault.since : open?.from;
  const fault = open && since !== undefined ? { kind: open.kind, since } : null;
  const points = pointsOf(withoutFaults(intervals, faults));
  const waterings = findWaterings(intervals, faults, points);
  const last = points.at(-1);
  const limits = { below: settings.alert_below, clear: settings.alert_clear };
  const wasDry = before?.dry ?? null;
  const dry = fault ? wasDry : judgeDry(points, limits, calibration, waterings, wasDry);
  const range = sensorRange(points);
  // Without a calibration the values may never come near the limit, so a high value does not prove wet soil.
  const isNear =
    own !== undefined || points.some(({ level }) => moisturePercent(level) < limits.below + NEAR);
  return {
    level: last && !fault ? { raw: last.level, time: last.time } : null,
    fault,
    faults,
    waterings,
    dry,
    forecast: fault || dry || !isNear ? null : forecastDry(points, limits.below, calibration, waterings),
    range,
    calibration: suggestCalibration(range, own, waterings),
  };
}
