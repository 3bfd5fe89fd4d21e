import { bookableDates, ENTRY_TEXT_FIELDS, ENTRY_TEXTS, type BookedEntry } from '#contract/ledger';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { DraftNote } from '../../../components/draft-note.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import { TextField } from '../../../components/text-field.tsx';
import { draftProblems, emptyDraft, entryOf, nextDraft, type EntryDraft } from './entry-draft.ts';
import { topicParticle } from '../../../lib/hangul.ts';
import { addEntryMutation } from '../queries.ts';
import { typeLabels } from '../labels.ts';

const types: readonly BookedEntry['type'][] = ['withdraw', 'deposit'];

const focusOn = (element: HTMLElement | null) => element?.focus();

export function EntryForm({ today }: { today: string }) {
  const [adding] = useState(addEntryMutation);
  const { mutateAsync, isPending } = useMutation(adding);
  /** The draft with a future date that the user has to confirm; a changed draft is asked about again. */
  const [asked, setAsked] = useState<EntryDraft>();
  const { draft, change, restart, focus, form, field, restored } = useDraft({
    place: 'account/new',
    start: () => emptyDraft(today),
    problemsOf: (each) => draftProblems(each, today),
    send: (each) => {
      if (each.date <= today || each === asked) return mutateAsync(entryOf(each));
      setAsked(each);
      return undefined;
    },
    onSaved: (each) => {
      restart(nextDraft(each, today));
      focus('amount');
    },
    isPending,
  });
  const { first, last } = bookableDates(today);
  const day = draft.date.replaceAll('-', '.');
  return (
    <form {...form} aria-label="내역 추가" className="space-y-4">
      <DraftNote {...restored} />
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
            {typeLabels[type]}
          </label>
        ))}
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="날짜"
          type="date"
          min={first}
          max={last}
          required
          autoComplete="off"
          {...field('date')}
        />
        <TextField
          label="금액 (원)"
          inputMode="numeric"
          placeholder="12,000"
          required
          autoComplete="off"
          {...field('amount')}
        />
      </div>
      {ENTRY_TEXTS.map((name) => (
        <TextField key={name} {...ENTRY_TEXT_FIELDS[name]} autoComplete="off" {...field(name)} />
      ))}
      {asked === draft ? (
        <div role="alert" className="space-y-3 rounded-md bg-notice-wash px-4 py-3 text-notice">
          <p>
            {day}
            {topicParticle(day)} 아직 오지 않은 날짜입니다. 예정 내역으로 추가할까요?
          </p>
          <div className="flex flex-wrap gap-2">
            <Button ref={focusOn} type="submit" aria-disabled={isPending}>
              예정 내역으로 추가
            </Button>
            <Button
              variant="outline"
              onClick={() => {
                setAsked(undefined);
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
