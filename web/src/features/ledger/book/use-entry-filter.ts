import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { addressOf, readAddress } from '../address.ts';
import type { EntryFilter } from './entry-filter.ts';

const PAUSE_MS = 300;

/** The filter, which begins as the address says. The address follows when typing pauses. */
export function useEntryFilter(): [filter: EntryFilter, change: (part: Partial<EntryFilter>) => void] {
  const search = useSearch({ from: '/_signed-in' });
  const navigate = useNavigate();
  const router = useRouter();
  const [filter, setFilter] = useState(() => readAddress(search));
  const follow = useEffectEvent((next: EntryFilter) => {
    const isKnown = JSON.stringify(addressOf(readAddress(search))) === JSON.stringify(addressOf(next));
    // Another page that is being loaded must not be given up.
    if (isKnown || router.state.status === 'pending') return;
    void navigate({ to: '.', search: addressOf(next), replace: true, resetScroll: false });
  });
  useEffect(() => {
    const timer = setTimeout(() => follow(filter), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [filter]);
  return [filter, (part) => setFilter((before) => ({ ...before, ...part }))];
}
