import { MINUTE_MS } from '#contract/time';
import { queryOptions } from '@tanstack/react-query';
import { readJson, api, manualRefetch } from './api.ts';

/** Every change invalidates the queries whose key begins with this (invalidate-after-mutations.ts). */
export const searchableRecordsKey = ['findable'] as const;

/**
 * Names and numbers of everything that can be found. The response includes every student and is logged, so it
 * is requested rarely and not on every keystroke.
 */
export const searchableRecordsQuery = queryOptions({
  queryKey: searchableRecordsKey,
  queryFn: ({ signal }) => readJson(api.find.$get({}, { init: { signal } })),
  staleTime: 5 * MINUTE_MS,
  ...manualRefetch,
});
