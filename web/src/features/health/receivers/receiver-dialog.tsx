import { receiverKindLabels, receiverKindSchema } from '#contract/receivers';
import { useMutation } from '@tanstack/react-query';
import { RecordDialog } from '../../../components/record-dialog.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import {
  receiverDraftProblems,
  emptyReceiverDraft,
  receiverKindOfAddress,
  receiverFromDraft,
} from './receiver-draft.ts';
import { receiverAddressHints } from '../labels.ts';
import { addReceiverMutation } from '../queries.ts';

const kinds = receiverKindSchema.options.map((value) => ({ value, label: receiverKindLabels[value] }));

const scopes = [
  { value: 'all', label: '모든 화분' },
  { value: 'some', label: '선택한 화분' },
  { value: 'none', label: '화분은 알리지 않음' },
] as const;

type Props = { plants: readonly string[]; returnFocusTo: HTMLElement | null; onClose: () => void };

export function ReceiverDialog({ plants, returnFocusTo, onClose }: Props) {
  const { mutateAsync, isPending } = useMutation(addReceiverMutation);
  // With `place`, the browser would store the draft, but a receiver's address is a secret.
  const record = useDraft({
    start: () => emptyReceiverDraft,
    problemsOf: receiverDraftProblems,
    send: (draft) => mutateAsync(receiverFromDraft(draft)),
    onSaved: onClose,
    isPending,
  });
  const { draft, change, problems, areShown, field } = record;
  const address = field('address');
  return (
    <RecordDialog
      title="알림 수신처 추가"
      submitLabel="추가"
      form={record}
      isPending={isPending}
      returnFocusTo={returnFocusTo}
      onClose={onClose}
    >
      <TextField
        label="주소"
        autoComplete="off"
        spellCheck={false}
        inputMode={draft.kind === 'mail' ? 'email' : 'url'}
        hint={receiverAddressHints[draft.kind]}
        {...address}
        onChange={(event) => {
          const kind = receiverKindOfAddress(event.target.value);
          change({ address: event.target.value, ...(kind && { kind }) });
        }}
      />
      <SelectField label="종류" options={kinds} value={draft.kind} onChange={(kind) => change({ kind })} />
      <TextField label="이름" hint="이 화면에서 알아볼 이름입니다." autoComplete="off" {...field('name')} />
      <fieldset>
        <legend className="font-semibold">알릴 내용</legend>
        <SelectField
          className="mt-2"
          label="화분: 물 부족, 수신 끊김, 한도 초과"
          options={scopes}
          value={draft.scope}
          onChange={(scope) => change({ scope })}
        />
        {draft.scope === 'some' && (
          <ul
            aria-label="화분"
            className="mt-2 max-h-72 overflow-y-auto rounded-md border border-line px-3 py-1"
          >
            {plants.map((plant) => (
              <li key={plant}>
                <Choice
                  label={plant}
                  isChosen={draft.plants.includes(plant)}
                  onChange={(isChosen) =>
                    change({
                      plants: isChosen
                        ? [...draft.plants, plant]
                        : draft.plants.filter((each) => each !== plant),
                    })
                  }
                />
              </li>
            ))}
            {plants.length === 0 && <li className="py-1 text-ink-soft">아직 화분이 없습니다.</li>}
          </ul>
        )}
        <Problem text={areShown ? problems['scope'] : undefined} />
        <div className="mt-2">
          <Choice
            label="시스템: 브리지, 저장, 백업, 예약 작업의 문제"
            isChosen={draft.line}
            onChange={(line) => change({ line })}
          />
        </div>
        <Problem text={areShown ? problems['line'] : undefined} />
      </fieldset>
      <fieldset>
        <legend className="font-semibold">방해 금지 시간</legend>
        <div className="mt-1">
          <Choice
            label="정한 시간에는 모아 두었다가 끝나면 한 번에 알림"
            isChosen={draft.isQuiet}
            onChange={(isQuiet) => change({ isQuiet })}
          />
        </div>
        {draft.isQuiet && (
          <div className="mt-2 grid grid-cols-2 gap-3">
            <TextField label="시작" type="time" required {...field('from')} />
            <TextField label="끝" type="time" required {...field('to')} />
          </div>
        )}
      </fieldset>
    </RecordDialog>
  );
}

type ChoiceProps = { label: string; isChosen: boolean; onChange: (isChosen: boolean) => void };

function Choice({ label, isChosen, onChange }: ChoiceProps) {
  return (
    <label className="flex min-h-9 items-center gap-2">
      <input
        type="checkbox"
        checked={isChosen}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 shrink-0"
      />
      <span className="min-w-0 wrap-anywhere">{label}</span>
    </label>
  );
}

function Problem({ text }: { text: string | undefined }) {
  return (
    <p aria-live="polite" className="text-sm text-danger">
      {text}
    </p>
  );
}
