import { bookableDates, ENTRY_TEXTS, type BookedEntry } from '#contract/ledger';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import {
  draftProblems,
  emptyDraft,
  entryOf,
  nextDraft,
  type DraftField,
  type EntryDraft,
} from '../entry-draft.ts';
import { topicParticle } from '../../../lib/hangul.ts';
import { addEntryMutation } from '../queries.ts';
import { entryTexts, typeWords } from '../words.ts';

const types: readonly BookedEntry['type'][] = ['withdraw', 'deposit'];

const focusOn = (element: HTMLElement | null) => element?.focus();

export function EntryForm({ today }: { today: string }) {
  const [draft, setDraft] = useState(() => emptyDraft(today));
  const [isTried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const [adding] = useState(addEntryMutation);
  const { mutate, isPending } = useMutation(adding);
  const [isAsked, setAsked] = useState(false);
  const change = (part: Partial<EntryDraft>) => {
    setDraft({ ...draft, ...part });
    setAsked(false);
  };
  const problems = draftProblems(draft, today);
  const { first, last } = bookableDates(today);
  const shown = isTried ? problems : {};
  const dateWords = draft.date.replaceAll('-', '.');
  const focus = (name: string) => form.current?.querySelector<HTMLElement>(`[name=${name}]`)?.focus();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    const [firstProblem] = Object.keys(problems);
    if (firstProblem !== undefined) {
      setTried(true);
      focus(firstProblem);
      return;
    }
    if (draft.date > today) setAsked(true);
    else send();
  };
  const send = () => {
    if (isPending) return;
    mutate(entryOf(draft), {
      onSuccess: () => {
        setDraft(nextDraft(draft, today));
        setTried(false);
        setAsked(false);
        focus('amount');
      },
    });
  };
  const fieldOf = (name: DraftField) => ({
    name,
    required: name === 'date' || name === 'amount',
    autoComplete: 'off',
    value: draft[name],
    error: shown[name],
    onChange: ({ target }: { target: HTMLInputElement }) => change({ [name]: target.value }),
  });
  return (
    <form ref={form} noValidate onSubmit={submit} aria-label="내역 추가" className="space-y-4">
      <fieldset className="inline-grid grid-cols-2 gap-1 rounded-md bg-sunken p-1">
        <legend className="sr-only">구분</legend>
        {types.map((type) => (
          <label
            key={type}
            className="flex min-h-9 min-w-24 cursor-pointer items-center justify-center rounded-sm px-4 text-sm font-semibold text-ink-soft has-checked:bg-accent has-checked:text-on-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="type"
              value={type}
              checked={draft.type === type}
              onChange={() => change({ type })}
              className="sr-only"
            />
            {typeWords[type]}
          </label>
        ))}
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="날짜" type="date" min={first} max={last} {...fieldOf('date')} />
        <TextField label="금액 (원)" inputMode="numeric" placeholder="12,000" {...fieldOf('amount')} />
      </div>
      {ENTRY_TEXTS.map((name) => (
        <TextField key={name} {...entryTexts[name]} {...fieldOf(name)} />
      ))}
      {isAsked ? (
        <div role="alert" className="space-y-3 rounded-md bg-notice-wash px-4 py-3 text-notice">
          <p>
            {dateWords}
            {topicParticle(dateWords)} 아직 오지 않은 날짜입니다. 예정 내역으로 추가할까요?
          </p>
          <div className="flex flex-wrap gap-2">
            <Button ref={focusOn} aria-disabled={isPending} onClick={send}>
              예정 내역으로 추가
            </Button>
            <Button
              look="outline"
              onClick={() => {
                setAsked(false);
                focus('date');
              }}
            >
              날짜 고치기
            </Button>
          </div>
        </div>
      ) : (
        <Button type="submit" aria-disabled={isPending}>
          추가
        </Button>
      )}
    </form>
  );
}
