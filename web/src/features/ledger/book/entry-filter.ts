import { dateOf, ENTRY_TEXT_NAMES, isDate, type EntryWithBalance } from '#contract/ledger';
import { isBlank } from '../../../lib/search-text.ts';
import { untilIdle } from '../../../lib/until-idle.ts';
import { categoryText, dayText, descriptionText, entryTypeLabels, wonText } from '../labels.ts';
import { categoryOf } from '../totals.ts';

/** Chooses which entries are shown. A field that is empty or undefined does not filter. */
export type EntryFilter = {
  type: EntryWithBalance['type'] | undefined;
  /** Inclusive, `YYYY-MM-DD`; empty for no limit. */
  from: string;
  /** Inclusive, `YYYY-MM-DD`; empty for no limit. */
  to: string;
  words: string;
  /** The empty text selects entries without a category. */
  category: string | undefined;
};

export const NO_ENTRY_FILTER: EntryFilter = {
  type: undefined,
  from: '',
  to: '',
  words: '',
  category: undefined,
};

export const isFilterActive = ({ type, from, to, words, category }: EntryFilter) =>
  type !== undefined || from !== '' || to !== '' || !isBlank(words) || category !== undefined;

/** A title that describes the filter. */
export function entryFilterText({ type, from, to, words, category }: EntryFilter): string {
  const days = [from, to].map((day) => day.replaceAll('-', '.'));
  const parts = [
    ...(from !== '' || to !== '' ? [days.join(' – ').trim()] : []),
    ...(type === undefined ? [] : [entryTypeLabels[type]]),
    ...(category === undefined ? [] : [categoryText(category)]),
    ...(isBlank(words) ? [] : [`검색: ${words.trim()}`]),
  ];
  return parts.length === 0 ? '랩비 내역' : `랩비 내역 (${parts.join(', ')})`;
}

/** The entries that match the filter. Every word must occur in an entry's texts, date or amount. */
export function matchingEntries(
  entries: readonly EntryWithBalance[],
  filter: EntryFilter,
): readonly EntryWithBalance[] {
  if (!isFilterActive(filter)) return entries;
  const { type, from, to, category } = filter;
  const words = filter.words
    .normalize('NFC')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return entries.filter((entry) => {
    const day = dateOf(entry.datetime);
    return (
      (type === undefined || entry.type === type) &&
      (from === '' || day >= from) &&
      (to === '' || day <= to) &&
      (category === undefined || categoryOf(entry) === category) &&
      (words.length === 0 || holdsAll(entry, words))
    );
  });
}

function holdsAll(entry: EntryWithBalance, words: readonly string[]): boolean {
  const text = textFor(entry);
  return words.every((word) => text.includes(word));
}

/** Caches each entry's search text, because building thousands for every typed letter would be slow. */
const searched = new WeakMap<EntryWithBalance, string>();

function textFor(entry: EntryWithBalance): string {
  const text = searched.get(entry) ?? searchedText(entry);
  searched.set(entry, text);
  return text;
}

const AT_ONCE = 500;

/** Builds the search texts while the browser is idle, so that a search starts without delay. */
export async function prepareSearch(entries: readonly EntryWithBalance[], left: AbortSignal): Promise<void> {
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    await untilIdle();
    if (left.aborted) return;
    for (const entry of entries.slice(from, from + AT_ONCE)) textFor(entry);
  }
}

function searchedText(entry: EntryWithBalance): string {
  const { description, datetime, amount } = entry;
  const texts = ENTRY_TEXT_NAMES.map((name) => entry[name]);
  const parts = [
    descriptionText(description),
    ...texts,
    dayText(datetime),
    datetime,
    amount,
    wonText(amount),
  ];
  return parts.join(' ').normalize('NFC').toLowerCase();
}

/** The filter as search parameters of the page's address; an empty filter value has no parameter. */
type FilterSearchParams = {
  type?: 'deposit' | 'withdraw';
  from?: string;
  to?: string;
  q?: string;
  category?: string;
};

/** Reads the filter from an address; invalid values are ignored. */
export function readEntryFilterSearch({ type, from, to, q, category }: Record<string, unknown>): EntryFilter {
  const text = (value: unknown) =>
    ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
  const date = (value: unknown) => (typeof value === 'string' && isDate(value) ? value : '');
  return {
    ...NO_ENTRY_FILTER,
    type: type === 'deposit' || type === 'withdraw' ? type : undefined,
    from: date(from),
    to: date(to),
    words: text(q) ?? '',
    category: text(category),
  };
}

export function entryFilterToSearchParams({
  type,
  from,
  to,
  words,
  category,
}: EntryFilter): FilterSearchParams {
  return {
    ...(type !== undefined && { type }),
    ...(from !== '' && { from }),
    ...(to !== '' && { to }),
    ...(words !== '' && { q: words }),
    ...(category !== undefined && { category }),
  };
}
