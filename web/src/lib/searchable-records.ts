import { MINUTE_MS } from '#contract/time';
import { queryOptions } from '@tanstack/react-query';
import { readJson, api, manualRefetch } from './api.ts';

/** Key prefix that every change invalidates; see settle-changes.ts. */
export const searchableRecordsKey = ['findable'] as const;

/**
 * Names and numbers of everything that can be found. They include every student, and each response is logged,
 * so they are requested rarely and not on every keystroke.
 */
export const searchableRecordsQuery = queryOptions({
  queryKey: searchableRecordsKey,
  queryFn: ({ signal }) => readJson(api.find.$get({}, { init: { signal } })),
  staleTime: 5 * MINUTE_MS,
  ...manualRefetch,
});
