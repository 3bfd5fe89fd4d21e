import {
  plantChangeSchema,
  type PlantChange,
  type PlantSettings,
  type PlantState,
  type StoredSettings,
} from '#contract/plants';
import { formProblems, parseNumber } from '../../lib/form-problems.ts';

/** The edited name and settings. `givenName` and `version` are the plant's values when the form opened. */
export type SettingsDraft = Record<keyof PlantSettings | 'name' | 'name_en', string> & {
  is_public: boolean;
  givenName: string;
  version: number;
};

export function draftOf({
  name,
  name_en,
  dry,
  wet,
  alert_below,
  alert_clear,
  stale_after_minutes,
  is_public,
  version,
}: StoredSettings): SettingsDraft {
  return {
    name,
    givenName: name,
    name_en,
    dry: dry === null ? '' : String(dry),
    wet: wet === null ? '' : String(wet),
    alert_below: String(alert_below),
    alert_clear: String(alert_clear),
    stale_after_minutes: String(stale_after_minutes),
    is_public,
    version,
  };
}

export function draftProblems(draft: SettingsDraft): Record<string, string> {
  const { name, name_en: english, ...others } = formProblems(plantChangeSchema, settingsOf(draft));
  return {
    ...(name !== undefined && { name }),
    ...(english !== undefined && { name_en: english }),
    ...others,
  };
}

/** Converts the draft to a request body. Leaves out an unchanged name, which the API may no longer allow. */
export function settingsOf(draft: SettingsDraft): PlantChange {
  const rawOf = (text: string) => (text.trim() === '' ? null : parseNumber(text));
  return {
    ...(draft.name !== draft.givenName && { name: draft.name }),
    name_en: draft.name_en,
    dry: rawOf(draft.dry),
    wet: rawOf(draft.wet),
    alert_below: parseNumber(draft.alert_below),
    alert_clear: parseNumber(draft.alert_clear),
    stale_after_minutes: parseNumber(draft.stale_after_minutes),
    is_public: draft.is_public,
    version: draft.version,
  };
}

/** The effects of hiding the plant. */
export const hidingNote = ({ is_public }: Pick<PlantState, 'is_public'>) =>
  [
    '숨긴 화분은 화면과 물 부족, 수신 끊김 알림에서 빠지고 측정값은 계속 저장됩니다.',
    ...(is_public
      ? [
          '첫 화면 공개도 끝나며, 다시 표시해도 공개되지 않습니다. 공개하려면 첫 화면에 공개를 다시 선택해 주세요.',
        ]
      : []),
  ].join(' ');
