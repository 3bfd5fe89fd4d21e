import { bookableDates, ENTRY_TEXT_FIELDS, type BookedEntry, type EntryText } from '#contract/ledger';
import type { ComponentProps } from 'react';
import { TextField } from '../../../components/text-field.tsx';
import { typeLabels } from '../labels.ts';
import { CategoryField, useSuggested, type KnownCategories } from './category-field.tsx';
import type { EntryDraft } from './entry-draft.ts';

const types: readonly BookedEntry['type'][] = ['withdraw', 'deposit'];

type Props = {
  draft: EntryDraft;
  change: (part: Partial<EntryDraft>) => void;
  /** As `useDraft` has it. */
  field: (name: 'date' | 'amount' | EntryText) => Omit<ComponentProps<typeof TextField>, 'label'>;
  today: string;
  known: KnownCategories;
};

/** The fields of an entry, to add one and to correct one. */
export function EntryFields({ draft, change, field, today, known }: Props) {
  const { first, last } = bookableDates(today);
  const suggested = useSuggested(draft.description, known);
  return (
    <>
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
      <TextField {...ENTRY_TEXT_FIELDS.description} autoComplete="off" {...field('description')} />
      <CategoryField
        known={known}
        suggested={suggested}
        field={field('category')}
        onChoose={(category) => change({ category })}
      />
    </>
  );
}
