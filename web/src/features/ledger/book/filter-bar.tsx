import { ENTRY_TEXT_FIELDS, ENTRY_TEXT_NAMES, type EntryWithBalance } from '#contract/ledger';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { SelectField } from '../../../components/select-field.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { categoryText, entryTypeLabels } from '../labels.ts';
import {
  entryFilterToSearchParams,
  isFilterActive,
  NO_ENTRY_FILTER,
  readEntryFilterSearch,
  type EntryFilter,
} from './entry-filter.ts';

type Props = {
  filter: EntryFilter;
  change: (part: Partial<EntryFilter>) => void;
  /** The categories in use, most frequent first. */
  categories: readonly string[];
};

type TypeChoice = EntryWithBalance['type'] | 'all';
const typeOptions: { value: TypeChoice; label: string }[] = [
  { value: 'all', label: '입금·출금' },
  { value: 'deposit', label: entryTypeLabels.deposit },
  { value: 'withdraw', label: entryTypeLabels.withdraw },
];

const ALL = 'all';
/** Without the prefix, a category could have the same value as the option for all categories. */
const optionOf = (category: string | undefined) => (category === undefined ? ALL : `=${category}`);

/** Filters the timeline by words, type, dates and category. */
export function FilterBar({ filter, change, categories }: Props) {
  const { type, from, to, words, category } = filter;
  const id = useId();
  const [isOpen, setOpen] = useState(isFilterActive({ ...filter, words: '' }));
  const known = category === undefined || category === '' || categories.includes(category);
  const categoryOptions = [
    { value: ALL, label: '모든 분류' },
    ...[...categories, ...(known ? [] : [category]), ''].map((each) => ({
      value: optionOf(each),
      label: categoryText(each),
    })),
  ];
  return (
    <search className="contents">
      <Input
        aria-label="내역 검색"
        size="sm"
        className="min-w-36 flex-1 sm:max-w-64"
        type="search"
        value={words}
        placeholder="내역 검색"
        title={[...ENTRY_TEXT_NAMES.map((name) => ENTRY_TEXT_FIELDS[name].label), '날짜', '금액'].join(', ')}
        autoComplete="off"
        onChange={({ target }) => change({ words: target.value })}
      />
      <Button
        variant="outline"
        size="sm"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        필터
      </Button>
      {isFilterActive(filter) && (
        <Button variant="ghost" size="sm" onClick={() => change(NO_ENTRY_FILTER)}>
          필터 초기화
        </Button>
      )}
      <div
        id={id}
        hidden={!isOpen}
        className="order-last grid w-full grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap [[hidden]]:hidden"
      >
        <SelectField<TypeChoice>
          className="sm:w-32"
          label="구분"
          options={typeOptions}
          value={type ?? 'all'}
          onChange={(next) => change({ type: next === 'all' ? undefined : next })}
        />
        <SelectField
          className="sm:w-40"
          label={ENTRY_TEXT_FIELDS.category.label}
          name="표시할 분류"
          options={categoryOptions}
          value={optionOf(category)}
          onChange={(next) => change({ category: next === ALL ? undefined : next.slice(1) })}
        />
        {(['from', 'to'] as const).map((end) => (
          <TextField
            key={end}
            className="sm:w-40"
            label={end === 'from' ? '시작일' : '종료일'}
            type="date"
            value={filter[end]}
            {...(end === 'from' ? { max: to || undefined } : { min: from || undefined })}
            onChange={({ target }) => change({ [end]: target.value })}
          />
        ))}
      </div>
    </search>
  );
}

const PAUSE_MS = 300;

/** Reads the filter from the page's address, and updates the address when the user stops typing. */
export function useEntryFilter(): [filter: EntryFilter, change: (part: Partial<EntryFilter>) => void] {
  const search = useSearch({ from: '/_signed-in' });
  const navigate = useNavigate();
  const router = useRouter();
  const [filter, setFilter] = useState(() => readEntryFilterSearch(search));
  const follow = useEffectEvent((next: EntryFilter) => {
    const isKnown =
      JSON.stringify(entryFilterToSearchParams(readEntryFilterSearch(search))) ===
      JSON.stringify(entryFilterToSearchParams(next));
    // While another page is loading, updating the address would cancel that navigation.
    if (isKnown || router.state.status === 'pending') return;
    void navigate({ to: '.', search: entryFilterToSearchParams(next), replace: true, resetScroll: false });
  });
  useEffect(() => {
    const timer = setTimeout(() => follow(filter), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [filter]);
  return [filter, (part) => setFilter((before) => ({ ...before, ...part }))];
}
