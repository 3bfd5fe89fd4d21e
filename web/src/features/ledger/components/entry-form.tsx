import { DESCRIPTION_MAX, type BookedEntry } from '#contract/ledger';
import { useRef, useState, type FormEvent } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { draftProblems, emptyDraft, entryOf, type DraftField, type EntryDraft } from '../entry-draft.ts';
import { useAddEntry } from '../mutations.ts';
import { typeWords } from '../words.ts';

const types: readonly BookedEntry['type'][] = ['withdraw', 'deposit'];

export function EntryForm() {
  const [draft, setDraft] = useState(() => emptyDraft(Date.now()));
  const [isTried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { mutate, isPending } = useAddEntry();
  const change = (part: Partial<EntryDraft>) => setDraft({ ...draft, ...part });
  const problems = draftProblems(draft);
  const shown = isTried ? problems : {};
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
    mutate(entryOf(draft), {
      onSuccess: () => {
        // The next entry is most often of the same day and kind.
        setDraft({ ...draft, amount: '', description: '' });
        setTried(false);
        focus('amount');
      },
    });
  };
  const fieldOf = (name: DraftField) => ({
    name,
    required: true,
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
        <TextField label="날짜" type="date" {...fieldOf('date')} />
        <TextField label="금액 (원)" inputMode="numeric" placeholder="12,000" {...fieldOf('amount')} />
      </div>
      <TextField label="내용" maxLength={DESCRIPTION_MAX} {...fieldOf('description')} />
      <Button type="submit" aria-disabled={isPending}>
        추가
      </Button>
    </form>
  );
}
