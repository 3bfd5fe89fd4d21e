import {
  plantSettingsSchema,
  type PlantChange,
  type PlantSettings,
  type StoredSettings,
} from '#contract/plants';
import { formProblems, numberIn } from '../../lib/form-problems.ts';

/** A plant's settings as the form edits them, and their version when the form was opened. */
export type SettingsDraft = Record<keyof PlantSettings, string> & { is_public: boolean; version: number };

export function draftOf({
  dry,
  wet,
  alert_below,
  alert_clear,
  stale_after_minutes,
  is_public,
  version,
}: StoredSettings): SettingsDraft {
  return {
    dry: dry === null ? '' : String(dry),
    wet: wet === null ? '' : String(wet),
    alert_below: String(alert_below),
    alert_clear: String(alert_clear),
    stale_after_minutes: String(stale_after_minutes),
    is_public,
    version,
  };
}

/** Validation errors by field, in the order of the form. */
export const draftProblems = (draft: SettingsDraft): Record<string, string> =>
  formProblems(plantSettingsSchema, settingsOf(draft));

/** The draft as the API expects it. */
export function settingsOf(draft: SettingsDraft): PlantChange {
  const rawOf = (text: string) => (text.trim() === '' ? null : numberIn(text));
  return {
    dry: rawOf(draft.dry),
    wet: rawOf(draft.wet),
    alert_below: numberIn(draft.alert_below),
    alert_clear: numberIn(draft.alert_clear),
    stale_after_minutes: numberIn(draft.stale_after_minutes),
    is_public: draft.is_public,
    version: draft.version,
  };
}
