import { ENTRY_TEXT_FIELDS } from '#contract/ledger';
import { useDeferredValue, useId, useMemo, type ComponentProps } from 'react';
import { TextField } from '../../../components/text-field.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { suggestCategories, type KnownNames } from './categories.ts';

/** The categories in use, and what entries with them were called: costly, so read only where something is named. */
export type KnownCategories = { all: readonly string[]; names: KnownNames };

type Props = {
  known: KnownCategories;
  /** Categories of entries like this one. */
  suggested: readonly string[];
  onChoose: (category: string) => void;
  field: Omit<ComponentProps<typeof TextField>, 'label'>;
};

/** The categories of entries with such a description, while it is typed. */
export function useSuggested(description: string, known: KnownCategories): readonly string[] {
  const words = useDeferredValue(description);
  return useMemo(() => (words === '' ? [] : suggestCategories(words, known.names)), [words, known]);
}

/** A category is typed, or taken from those that earlier entries of such a name have. */
export function CategoryField({ known, suggested, onChoose, field }: Props) {
  const id = useId();
  const offered = field.value === '' ? suggested : [];
  return (
    <div>
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
