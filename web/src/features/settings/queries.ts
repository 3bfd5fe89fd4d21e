import type { Overview } from '#contract/awaiting';
import { MINUTE_MS } from '#contract/time';
import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../lib/api.ts';

/** What the tiles say. Each leads to its screen without it too. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: async ({ signal }): Promise<Overview> =>
    await answerOf(api.overview.$get({}, { init: { signal } })),
  // What was changed on another screen is seen on coming back.
  staleTime: 0,
  gcTime: 5 * MINUTE_MS,
});
