import { MOISTURE_RAW_MAX } from '#contract/moisture';
import type { PlantSettings } from '#contract/plants';

/** A plant's settings as the form holds them. */
export type SettingsDraft = Record<keyof PlantSettings, string>;
export type DraftProblems = Partial<Record<keyof PlantSettings, string>>;

const STALE_MINUTES_MAX = 43_200;

export function draftOf({
  dry,
  wet,
  alert_below,
  alert_clear,
  stale_after_minutes,
}: PlantSettings): SettingsDraft {
  return {
    dry: dry === null ? '' : String(dry),
    wet: wet === null ? '' : String(wet),
    alert_below: String(alert_below),
    alert_clear: String(alert_clear),
    stale_after_minutes: String(stale_after_minutes),
  };
}

/** What keeps the draft from being saved, by field, in the order of the form; the server checks the same again. */
export function draftProblems(draft: SettingsDraft): DraftProblems {
  const isCalibrated = draft.dry.trim() !== '' || draft.wet.trim() !== '';
  const isRaw = (text: string) => isWhole(text, 0, MOISTURE_RAW_MAX);
  const rawProblem = `0에서 ${MOISTURE_RAW_MAX} 사이의 정수를 입력하세요.`;
  const problems: DraftProblems = {
    ...(isCalibrated && !isRaw(draft.dry) && { dry: rawProblem }),
    ...(isCalibrated && !isRaw(draft.wet) && { wet: rawProblem }),
    ...(!isPercent(draft.alert_below) && { alert_below: '0에서 100 사이의 값을 입력하세요.' }),
    ...(!isPercent(draft.alert_clear) && { alert_clear: '0에서 100 사이의 값을 입력하세요.' }),
    ...(!isWhole(draft.stale_after_minutes, 1, STALE_MINUTES_MAX) && {
      stale_after_minutes: '1에서 43200 사이의 정수를 입력하세요.',
    }),
  };
  if (isCalibrated && !problems.dry && !problems.wet && Number(draft.dry) <= Number(draft.wet)) {
    problems.wet = '젖은 값은 마른 값보다 작아야 합니다.';
  }
  const areLimits = !problems.alert_below && !problems.alert_clear;
  if (areLimits && Number(draft.alert_clear) <= Number(draft.alert_below)) {
    problems.alert_clear = '해제 기준은 알림 기준보다 커야 합니다.';
  }
  return problems;
}

/** The draft as the API takes it; it has no problems. */
export function settingsOf(draft: SettingsDraft): PlantSettings {
  const isCalibrated = draft.dry.trim() !== '';
  return {
    dry: isCalibrated ? Number(draft.dry) : null,
    wet: isCalibrated ? Number(draft.wet) : null,
    alert_below: Number(draft.alert_below),
    alert_clear: Number(draft.alert_clear),
    stale_after_minutes: Number(draft.stale_after_minutes),
  };
}

function isPercent(text: string): boolean {
  const value = Number(text);
  return text.trim() !== '' && value >= 0 && value <= 100;
}

function isWhole(text: string, least: number, most: number): boolean {
  const value = Number(text);
  return text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most;
}
