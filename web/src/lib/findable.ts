import { MINUTE_MS } from '#contract/time';
import { queryOptions } from '@tanstack/react-query';
import { answerOf, api, manualRefetch } from './api.ts';

/** Prefix that every change makes stale; see settle-changes.ts. */
export const findableKey = ['findable'] as const;

/**
 * The names and numbers of everything. They name every student, and each answer leaves a row in the access log, so they
 * are asked for once in a while, never at each key.
 */
export const findableQuery = queryOptions({
  queryKey: findableKey,
  queryFn: ({ signal }) => answerOf(api.find.$get({}, { init: { signal } })),
  staleTime: 5 * MINUTE_MS,
  ...manualRefetch,
});
