/** The fields of a plant's state before its first assessment. */
export const NO_ASSESSMENT = {
  silent_after_minutes: 60,
  clock_off_ms: null,
  alert_since: null,
  last_watered: null,
  days_until_dry: null,
  forecast: null,
  fault: null,
  faults: [],
  calibration_offered: null,
};
