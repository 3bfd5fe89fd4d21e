import type { Overview } from '#contract/awaiting';
import { MINUTE_MS } from '#contract/time';
import { queryOptions } from '@tanstack/react-query';
import { readJson, api } from '../../lib/api.ts';

/** Loads the figures on the tiles. Without the figures, the tiles still work as links. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: async ({ signal }): Promise<Overview> =>
    await readJson(api.overview.$get({}, { init: { signal } })),
  // Data is always stale: changes on another screen must be visible on return.
  staleTime: 0,
  gcTime: 5 * MINUTE_MS,
});
