import { offerCalibration, rangeOf, type Range } from './calibration.ts';
import { judgeDry, type Dry } from './dry.ts';
import { findFaults, withoutFaults, type Fault, type FaultKind } from './faults.ts';
import { forecastDry, type Forecast } from './forecast.ts';
import { calibrationOf, moisturePercent, UNCALIBRATED, type Calibration } from './percent.ts';
import { pointsOf, type Interval, type Reading } from './series.ts';
import { findWaterings, type Watering } from './waterings.ts';

/** What is said of a plant, raw values and milliseconds; percent is made of them where it is shown. */
export type Story = {
  /** The level of its soil that is judged, not the last reading; null before there is one, and while the sensor is at fault. */
  level: Reading | null;
  /** At fault now: nothing else is judged meanwhile, and `dry` stays as it was. */
  fault: { kind: FaultKind; since: number } | null;
  /** All faults of the window, oldest first. */
  faults: Fault[];
  /** All waterings of the window, oldest first. */
  waterings: Watering[];
  dry: Dry | null;
  /** Null where it is not known yet, while the sensor is at fault, and when the plant is dry. */
  forecast: Forecast | null;
  /** Between what the sensor was seen to move; null before it was seen for a week. */
  range: Range | null;
  /** Offered to a plant that never comes near the ends of its scale. */
  calibration: Calibration | null;
};

/** As a plant's settings; both of `dry` and `wet` are null without a calibration. */
export type StorySettings = {
  dry: number | null;
  wet: number | null;
  alert_below: number;
  alert_clear: number;
};

/** Points above its limit within which the soil must have been seen. */
const NEAR = 25;

/** What must be remembered from one story to the next. */
export type StoryBefore = Pick<Story, 'dry' | 'fault'>;

/**
 * What is said of a plant by what has been measured.
 * @param intervals of the last sixty days
 * @param before what was said last; null for the first time
 */
export function storyOf(
  intervals: readonly Interval[],
  settings: StorySettings,
  before: StoryBefore | null,
): Story {
  const calibration = calibrationOf(settings) ?? UNCALIBRATED;
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
  const range = rangeOf(points);
  // A sensor without a calibration may never come near its limit: what is far above is not known to be far from dry.
  const isNear =
    calibration !== UNCALIBRATED || points.some(({ level }) => moisturePercent(level) < limits.below + NEAR);
  return {
    level: last && !fault ? { raw: last.level, time: last.time } : null,
    fault,
    faults,
    waterings,
    dry,
    forecast: fault || dry || !isNear ? null : forecastDry(points, limits.below, calibration, waterings),
    range,
    calibration: offerCalibration(range, calibration, waterings),
  };
}
