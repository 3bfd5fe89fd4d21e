import { useId, useState } from 'react';
import { whoChangedField, mergeFields, type MergeField, type RecordVersions } from '../lib/merge.ts';
import { DialogFrame } from './dialog-frame.tsx';
import { Button } from './ui/button.tsx';
import { DialogFooter } from './ui/dialog.tsx';

type Props<Record> = RecordVersions<Record> & {
  title: string;
  fields: readonly MergeField<Record>[];
  onMerge: (merged: Record) => void;
  /** Returns to the form, which still has the user's own version. */
  onClose: () => void;
};

/**
 * Shows two people's changes to one record, field by field. Changes to different fields are all taken; where
 * both changed the same field, the user chooses.
 */
export function MergeDialog<Record extends object>({
  title,
  fields,
  onMerge,
  onClose,
  ...versions
}: Props<Record>) {
  const [from] = useState(() => document.activeElement);
  const [chosen, setChosen] = useState<ReadonlyMap<string, 'mine' | 'theirs'>>(new Map());
  const changed = fields.flatMap((field) => {
    const by = whoChangedField(field, versions);
    return by === undefined ? [] : [{ field, by }];
  });
  const open = changed.filter(({ field, by }) => by === 'both' && !chosen.has(field.label));
  return (
    <DialogFrame
      title={title}
      role="alertdialog"
      description={
        <p>
          작성하는 동안 다른 사람이 먼저 저장했습니다. 한 사람만 수정한 항목은 그대로 합칩니다.
          {changed.some(({ by }) => by === 'both') && ' 두 사람이 다르게 수정한 항목은 하나를 선택하세요.'}
        </p>
      }
      className="max-w-[560px]"
      onClose={onClose}
      returnFocusTo={from instanceof HTMLElement ? from : null}
    >
      <ul className="mt-4 divide-y divide-line rounded-md border border-line">
        {changed.length === 0 && (
          <li className="px-4 py-3 text-ink-soft">서로 다르게 수정한 항목이 없습니다.</li>
        )}
        {changed.map(({ field, by }) => (
          <li key={field.label} className="px-4 py-3">
            {by === 'both' ? (
              <Choice
                field={field}
                versions={versions}
                value={chosen.get(field.label)}
                onChange={(side) => setChosen(new Map(chosen).set(field.label, side))}
              />
            ) : (
              <Taken field={field} versions={versions} by={by} />
            )}
          </li>
        ))}
      </ul>
      <DialogFooter className="mt-6 flex-wrap">
        <Button variant="outline" onClick={onClose}>
          돌아가기
        </Button>
        <Button
          disabled={open.length > 0}
          onClick={() => onMerge(mergeFields(fields, versions, ({ label }) => chosen.get(label) === 'mine'))}
        >
          합쳐서 저장
        </Button>
      </DialogFooter>
    </DialogFrame>
  );
}

type FieldProps<Record> = { field: MergeField<Record>; versions: RecordVersions<Record> };

/** A field that only one of the two people changed. */
function Taken<Record>({ field, versions, by }: FieldProps<Record> & { by: 'mine' | 'theirs' }) {
  const { label, text } = field;
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 font-semibold">
        {label}
        <span
          className={`rounded-sm px-1.5 py-0.5 text-xs ${by === 'mine' ? 'bg-accent-wash text-accent' : 'bg-notice-wash text-notice'}`}
        >
          {by === 'mine' ? '내가 수정함' : '다른 사람이 수정함'}
        </span>
      </p>
      <p className="mt-1 text-sm wrap-anywhere">
        <span className="text-ink-soft">{shown(text(versions.base))} → </span>
        {shown(text(versions[by]))}
      </p>
    </>
  );
}

type ChoiceProps<Record> = FieldProps<Record> & {
  value: 'mine' | 'theirs' | undefined;
  onChange: (side: 'mine' | 'theirs') => void;
};

/** A field that both people changed. */
function Choice<Record>({ field, versions, value, onChange }: ChoiceProps<Record>) {
  const id = useId();
  const { label, text } = field;
  return (
    <fieldset>
      <legend className="font-semibold">{label}</legend>
      <p className="mt-1 text-sm text-ink-soft wrap-anywhere">처음 값: {shown(text(versions.base))}</p>
      {(['mine', 'theirs'] as const).map((side) => (
        <label key={side} className="mt-1 flex min-h-10 cursor-pointer items-center gap-3 text-sm">
          <input
            type="radio"
            name={id}
            checked={value === side}
            onChange={() => onChange(side)}
            className="size-4 shrink-0 accent-accent"
          />
          <span className="w-28 shrink-0 text-ink-soft">
            {side === 'mine' ? '내가 쓴 값' : '다른 사람 값'}
          </span>
          <span className="min-w-0 wrap-anywhere">{shown(text(versions[side]))}</span>
        </label>
      ))}
    </fieldset>
  );
}

const shown = (text: string) => (text === '' ? '(비어 있음)' : text);
