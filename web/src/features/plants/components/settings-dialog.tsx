import { moisturePercent, type Calibration } from '#contract/moisture/percent';
import { plantTopic } from '#contract/plant-id';
import { storedSettingsSchema, type PlantSettings, type PlantState } from '#contract/plants';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { RecordDialog } from '../../../components/record-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import { currentRecordOf, type MergeField } from '../../../lib/merge.ts';
import { newestReadingOf } from '../history.ts';
import { savePlantSettingsMutation } from '../queries.ts';
import { draftOf, draftProblems, hidingNote, settingsOf, type SettingsDraft } from '../settings-draft.ts';

const mergeFields: readonly MergeField<SettingsDraft>[] = [
  { names: ['name'], label: '이름', text: ({ name }) => name },
  { names: ['name_en'], label: '영어 이름', text: ({ name_en }) => name_en },
  {
    names: ['dry', 'wet'],
    label: '보정',
    text: ({ dry, wet }) => (dry === '' ? '' : `마른 값 ${dry}, 젖은 값 ${wet}`),
  },
  {
    names: ['alert_below', 'alert_clear'],
    label: '물 부족 알림',
    text: (draft) => `알림 ${draft.alert_below}%, 해제 ${draft.alert_clear}%`,
  },
  {
    names: ['stale_after_minutes'],
    label: '수신 끊김 판정 시간',
    text: (draft) => `${draft.stale_after_minutes}분`,
  },
  { names: ['is_public'], label: '첫 화면 공개', text: ({ is_public }) => (is_public ? '공개' : '비공개') },
];

type Props = {
  state: PlantState;
  /** The plant that everybody may see; undefined if there is none. */
  publicPlant: string | undefined;
  returnFocusTo: HTMLElement | null;
  /** An offered calibration that the user accepted. Its values are filled into the form. */
  offered: Calibration | undefined;
  /** `onHide` hides the plant. `onRemove` asks whether to remove the plant. */
  onHide: () => void;
  onRemove: () => void;
  /** Shows the effect of the offered calibration in the chart. */
  onPreview: () => void;
  onSaved: (name: string) => void;
  onClose: () => void;
};

export function SettingsDialog({
  state,
  publicPlant,
  returnFocusTo,
  offered,
  onHide,
  onRemove,
  onPreview,
  onSaved,
  onClose,
}: Props) {
  const { mutateAsync, isPending, error, reset } = useMutation(savePlantSettingsMutation);
  const { plant, topic, calibration_offered: seen } = state;
  const newest = newestReadingOf(state);
  const record = useDraft({
    place: `plants/${topic}`,
    start: () => draftOf({ ...state, name: plant }),
    problemsOf: draftProblems,
    send: (each) => mutateAsync({ topic, settings: settingsOf(each) }),
    onSaved: ({ name }) => onSaved(name.trim()),
    isPending,
  });
  const { draft, change, problems, field } = record;
  const takeOffered = useEffectEvent(() => {
    if (offered) change({ dry: String(offered.dry), wet: String(offered.wet) });
  });
  useEffect(() => takeOffered(), []);
  const current = currentRecordOf(error, storedSettingsSchema);
  const numberField = (name: keyof PlantSettings) => ({
    inputMode: 'decimal' as const,
    autoComplete: 'off',
    ...field(name),
  });
  const takeNewest = (name: 'dry' | 'wet') => newest && change({ [name]: String(newest.raw) });

  const preview =
    newest && draft.dry !== '' && !problems.dry && !problems.wet ? settingsOf(draft) : undefined;
  return (
    <RecordDialog
      title={`${plant} 설정`}
      submitLabel="저장"
      form={record}
      isPending={isPending}
      merge={
        current && {
          title: `${plant} 설정을 다른 사람도 수정했습니다`,
          fields: mergeFields,
          theirs: draftOf(current),
          reset,
        }
      }
      returnFocusTo={returnFocusTo}
      onClose={onClose}
    >
      <div className="space-y-6">
        <div>
          <TextField label="이름" autoComplete="off" aria-describedby="topic-note" {...field('name')} />
          <p id="topic-note" className="mt-1 text-sm break-words text-ink-soft">
            보드의 토픽 {plantTopic(topic, 'soil_moisture')}는 이름을 바꿔도 그대로입니다.
          </p>
        </div>
        <TextField
          label="영어 이름 (선택)"
          autoComplete="off"
          lang="en"
          hint="첫 화면의 영어 페이지에 보입니다. 비우면 이름을 그대로 씁니다."
          {...field('name_en')}
        />
        <fieldset>
          <legend className="font-semibold">보정</legend>
          <p className="mt-1 text-sm text-ink-soft">
            흙이 말랐을 때와 젖었을 때의 센서 값을 입력하면 두 값을 기준으로 수분을 계산합니다. 둘 다 비우면
            센서의 전체 범위로 계산합니다.
          </p>
          {seen && !offered && (
            <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-soft">
              {`이 센서는 ${seen.wet}에서 ${seen.dry} 사이만 움직입니다.`}
              <Button variant="outline" size="sm" onClick={onPreview}>
                차트에서 보정 미리보기
              </Button>
            </p>
          )}
          <div className="mt-3 grid grid-cols-2 gap-x-3 gap-y-2">
            {(['dry', 'wet'] as const).map((name) => (
              // Keeps the buttons of both fields in one row when a field shows a message.
              <div key={name} className="row-span-2 grid grid-rows-subgrid">
                <TextField
                  label={name === 'dry' ? '마른 값 (0%)' : '젖은 값 (100%)'}
                  {...numberField(name)}
                />
                {newest && (
                  <Button
                    variant="outline"
                    size="sm"
                    onClick={() => takeNewest(name)}
                    className="w-full px-2 tabular-nums"
                  >
                    현재 값 {newest.raw} 사용
                    <span className="sr-only">{name === 'dry' ? '(마른 값)' : '(젖은 값)'}</span>
                  </Button>
                )}
              </div>
            ))}
          </div>
          <p className="mt-2 min-h-6 text-sm text-ink-soft tabular-nums">
            {newest &&
              preview?.dry != null &&
              preview.wet != null &&
              `현재 값은 ${moisturePercent(newest.raw, { dry: preview.dry, wet: preview.wet }).toFixed(1)}%입니다. 보정하지 않으면 ${moisturePercent(newest.raw).toFixed(1)}%입니다.`}
          </p>
        </fieldset>
        <fieldset>
          <legend className="font-semibold">물 부족 알림</legend>
          <p className="mt-1 text-sm text-ink-soft">
            알림 기준보다 낮아지면 알리고, 해제 기준 이상이 되면 알림이 끝납니다.
          </p>
          <div className="mt-3 grid grid-cols-2 gap-3">
            <TextField label="알림 기준 (%)" {...numberField('alert_below')} />
            <TextField label="해제 기준 (%)" {...numberField('alert_clear')} />
          </div>
        </fieldset>
        <TextField label="수신 끊김 판정 시간 (분)" {...numberField('stale_after_minutes')} />
        <fieldset>
          <legend className="font-semibold">공개</legend>
          <label className="mt-2 flex min-h-8 items-center gap-2">
            <input
              type="checkbox"
              checked={draft.is_public}
              onChange={(event) => change({ is_public: event.target.checked })}
              aria-describedby="public-note"
              className="size-4"
            />
            첫 화면에 공개
          </label>
          <p id="public-note" className="mt-1 text-sm text-ink-soft">
            누구나 이 화분의 이름과 지난 7일의 시간별 수분(%)을 볼 수 있습니다. 한 화분만 공개됩니다.
            {draft.is_public &&
              publicPlant !== undefined &&
              publicPlant !== plant &&
              ` 저장하면 ${publicPlant} 대신 이 화분이 공개됩니다.`}
          </p>
        </fieldset>
        <fieldset>
          <legend className="font-semibold">숨기기와 삭제</legend>
          <p className="mt-1 text-sm text-ink-soft">{hidingNote(state)} 삭제하면 측정값도 없어집니다.</p>
          <div className="mt-2 flex flex-wrap gap-2">
            <Button variant="outline" size="sm" onClick={onHide}>
              숨기기
            </Button>
            <Button variant="destructive-ghost" size="sm" onClick={onRemove}>
              삭제
            </Button>
          </div>
        </fieldset>
      </div>
    </RecordDialog>
  );
}

type CalibrationPreviewProps = { state: PlantState; onTake: () => void; onClose: () => void };

/** Explains the offered calibration in the chart. Takes the focus from the button, which is far above. */
export function CalibrationPreview({ state, onTake, onClose }: CalibrationPreviewProps) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    place.current?.focus({ preventScroll: true });
    place.current?.scrollIntoView({ block: 'start' });
  }, []);
  const { plant, calibration_offered: offered } = state;
  const newest = newestReadingOf(state);
  if (!offered) return null;
  return (
    <section
      ref={place}
      tabIndex={-1}
      aria-label={`${plant} 보정 미리보기`}
      className="mt-3 flex scroll-mt-24 flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-md border border-line-strong px-4 py-3 text-sm"
    >
      <p className="min-w-0 flex-1 basis-80 break-keep wrap-anywhere">
        {`차트의 두 선은 ${plant}의 센서가 보낸 가장 마른 값(${offered.dry} → 0%)과 가장 젖은 값(${offered.wet} → 100%)입니다.`}
        {newest && ` 보정하면 현재 값은 ${moisturePercent(newest.raw, offered).toFixed(1)}%가 됩니다.`}
      </p>
      <div className="flex gap-2">
        <Button size="sm" onClick={onTake}>
          설정에 입력
        </Button>
        <Button variant="outline" size="sm" onClick={onClose}>
          닫기
        </Button>
      </div>
    </section>
  );
}
