import {
  allowedEntryDates,
  ENTRY_TEXT_FIELDS,
  type EntryWithBalance,
  type EntryTextName,
} from '#contract/ledger';
import { useMutation } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import {
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
} from 'react';
import { DraftNote } from '../../../components/draft-note.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { useDraft } from '../../../components/use-draft.ts';
import { cn } from '../../../lib/cn.ts';
import { topicParticle } from '../../../lib/hangul.ts';
import { entryTypeLabels } from '../labels.ts';
import { addEntryMutation } from '../queries.ts';
import { suggestCategories, type CategorizedNames } from './categories.ts';
import {
  entryDraftProblems,
  emptyEntryDraft,
  entryFromDraft,
  nextEntryDraft,
  type EntryDraft,
} from './entry-draft.ts';

export function EntryForm({ today, known }: { today: string; known: KnownCategories }) {
  const [adding] = useState(addEntryMutation);
  const { mutateAsync, isPending } = useMutation(adding);
  /** A draft with a future date, which the user has to confirm, and again after changing the draft. */
  const [asked, setAsked] = useState<EntryDraft>();
  const { draft, change, restart, focus, form, field, restored } = useDraft({
    place: 'account/new',
    start: () => emptyEntryDraft(today),
    problemsOf: (each) => entryDraftProblems(each, today),
    send: (each) => {
      if (each.date <= today || each === asked) return mutateAsync(entryFromDraft(each));
      setAsked(each);
      return undefined;
    },
    onSaved: (each) => {
      restart(nextEntryDraft(each, today));
      focus('amount');
    },
    isPending,
  });
  const id = useId();
  const [isOpen, setOpen] = useState(restored.isRestored);
  const day = draft.date.replaceAll('-', '.');
  return (
    <>
      {/* A phone shows the entries first. */}
      {!isOpen && (
        <Button
          className="w-full sm:hidden"
          aria-expanded={false}
          aria-controls={id}
          onClick={() => {
            flushSync(() => setOpen(true));
            focus('amount');
          }}
        >
          내역 추가
        </Button>
      )}
      <form
        {...form}
        id={id}
        aria-label="내역 추가"
        className={cn(
          'grid grid-cols-2 items-start gap-x-3 gap-y-2 sm:grid-cols-3 xl:grid-cols-[auto_9.5rem_8.5rem_minmax(0,1fr)_9.5rem_auto]',
          !isOpen && 'max-sm:hidden',
        )}
      >
        <div className="col-span-full empty:hidden">
          <DraftNote {...restored} />
        </div>
        <EntryFields draft={draft} change={change} field={field} today={today} known={known} />
        {asked === draft ? (
          <InlineQuestion
            className="col-span-full"
            yes="예정 내역으로 추가"
            no="날짜 수정"
            isPending={isPending}
            onNo={() => {
              setAsked(undefined);
              focus('date');
            }}
          >
            {day}
            {topicParticle(day)} 아직 오지 않은 날짜입니다. 예정 내역으로 추가할까요?
          </InlineQuestion>
        ) : (
          <Button type="submit" className="mt-6.5" aria-disabled={isPending}>
            추가
          </Button>
        )}
      </form>
    </>
  );
}

type Props = {
  children: ReactNode;
  /** Label of the button that answers yes and submits the form. */
  yes: string;
  no: string;
  isPending: boolean;
  onNo: () => void;
  className?: string | undefined;
};

/** A question that replaces the form's button before the form is sent. The first answer gets the focus. */
export function InlineQuestion({ children, yes, no, isPending, onNo, className }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <div role="alert" className={cn('space-y-3 rounded-md bg-notice-wash px-4 py-3 text-notice', className)}>
      <p>{children}</p>
      <div className="flex flex-wrap gap-2">
        <Button ref={button} type="submit" aria-disabled={isPending}>
          {yes}
        </Button>
        <Button variant="outline" onClick={onNo}>
          {no}
        </Button>
      </div>
    </div>
  );
}

const types: readonly EntryWithBalance['type'][] = ['withdraw', 'deposit'];

type EntryFieldsProps = {
  draft: EntryDraft;
  change: (part: Partial<EntryDraft>) => void;
  /** The `field` function of `useDraft`. */
  field: (name: 'date' | 'amount' | EntryTextName) => Omit<ComponentProps<typeof TextField>, 'label'>;
  today: string;
  known: KnownCategories;
  /** Class names of fields that take a whole line. */
  wide?: string | undefined;
};

/** The fields for adding or correcting an entry, in a form's grid. */
export function EntryFields({ draft, change, field, today, known, wide }: EntryFieldsProps) {
  const { first, last } = allowedEntryDates(today);
  const suggested = useSuggested(draft.description, known);
  return (
    <>
      <fieldset className={wide}>
        <legend className="text-sm font-semibold">구분</legend>
        <div className="mt-1.5 inline-grid w-full grid-cols-2 rounded-md bg-sunken p-1">
          {types.map((type) => (
            <label
              key={type}
              className="flex min-h-9 min-w-14 cursor-pointer items-center justify-center rounded-sm px-2 text-sm font-semibold text-ink-soft has-checked:bg-accent has-checked:text-on-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="type"
                value={type}
                checked={draft.type === type}
                onChange={() => change({ type })}
                className="sr-only"
              />
              {entryTypeLabels[type]}
            </label>
          ))}
        </div>
      </fieldset>
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
      <TextField
        className={wide}
        {...ENTRY_TEXT_FIELDS.description}
        autoComplete="off"
        {...field('description')}
      />
      <CategoryField
        className={wide}
        known={known}
        suggested={suggested}
        field={field('category')}
        onChoose={(category) => change({ category })}
      />
    </>
  );
}

/** The categories in use, and the entries' names with their categories. Computing both is slow. */
export type KnownCategories = { all: readonly string[]; names: CategorizedNames };

type CategoryFieldProps = {
  className?: string | undefined;
  known: KnownCategories;
  /** Categories of similar entries. */
  suggested: readonly string[];
  onChoose: (category: string) => void;
  field: Omit<ComponentProps<typeof TextField>, 'label'>;
};

/** The categories of entries with a similar description. The list changes while the user types. */
function useSuggested(description: string, known: KnownCategories): readonly string[] {
  const words = useDeferredValue(description);
  return useMemo(() => (words === '' ? [] : suggestCategories(words, known.names)), [words, known]);
}

/** A field for the category, with the categories of similar entries as suggestions. */
export function CategoryField({ className, known, suggested, onChoose, field }: CategoryFieldProps) {
  const id = useId();
  const offered = field.value === '' ? suggested : [];
  return (
    <div className={className}>
      <TextField {...ENTRY_TEXT_FIELDS.category} list={id} autoComplete="off" {...field} />
      <datalist id={id}>
        {known.all.map((category) => (
          <option key={category}>{category}</option>
        ))}
      </datalist>
      {offered.length > 0 && (
        <p className="mt-2 flex flex-wrap items-center gap-2 text-sm text-ink-soft">
          비슷한 내역의 분류
          {offered.map((category) => (
            <Button
              key={category}
              variant="outline"
              size="sm"
              aria-label={`분류 ${category} 넣기`}
              onClick={() => onChoose(category)}
            >
              {category}
            </Button>
          ))}
        </p>
      )}
    </div>
  );
}
