import { withBalances } from '#contract/ledger';
import type { Term } from '#contract/terms';
import { queryOptions } from '@tanstack/react-query';
import { readDues, readEntries, readReceipts } from './api.ts';

/** Beginning of every key here. */
export const ledgerKey = ['ledger'] as const;

export const entriesQuery = queryOptions({
  queryKey: [...ledgerKey, 'entries'],
  queryFn: async ({ signal }) => withBalances(await readEntries(signal)),
  // A bigint has no JSON, by which results are otherwise compared.
  structuralSharing: false,
  retryOnMount: true,
});

export const receiptsQuery = queryOptions({
  queryKey: [...ledgerKey, 'receipts'],
  queryFn: ({ signal }) => readReceipts(signal),
  retryOnMount: true,
});

/** Personal data, which the access log counts: only what somebody asked for is fetched. */
export const duesQuery = (term: Term) =>
  queryOptions({
    queryKey: [...ledgerKey, 'dues', term.year, term.semester],
    queryFn: ({ signal }) => readDues(term, signal),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retryOnMount: true,
  });
