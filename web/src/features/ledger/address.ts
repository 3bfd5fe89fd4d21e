import { isDate } from '#contract/ledger';
import { NO_FILTER, type EntryFilter } from './book/entry-filter.ts';

/** The filter of the entries in the address, without what shows all. */
type FilterAddress = {
  type?: 'deposit' | 'withdraw';
  from?: string;
  to?: string;
  q?: string;
  category?: string;
};

/** The filter for an address; invalid parts are ignored. */
export function readAddress({ type, from, to, q, category }: Record<string, unknown>): EntryFilter {
  const text = (value: unknown) =>
    ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
  const date = (value: unknown) => (typeof value === 'string' && isDate(value) ? value : '');
  return {
    ...NO_FILTER,
    type: type === 'deposit' || type === 'withdraw' ? type : undefined,
    from: date(from),
    to: date(to),
    words: text(q) ?? '',
    category: text(category),
  };
}

export function addressOf({ type, from, to, words, category }: EntryFilter): FilterAddress {
  return {
    ...(type !== undefined && { type }),
    ...(from !== '' && { from }),
    ...(to !== '' && { to }),
    ...(words !== '' && { q: words }),
    ...(category !== undefined && { category }),
  };
}
