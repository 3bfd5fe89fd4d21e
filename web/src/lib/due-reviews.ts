import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

/** How many months of the access log wait for their review. Only admins may ask; no answer is no number. */
export const dueReviewsQuery = queryOptions({
  queryKey: ['due-reviews'],
  queryFn: async ({ signal }) => {
    try {
      const response = await api.access_log.reviews.due.$get({}, { init: { signal } });
      return (await response.json()).due;
    } catch {
      // It only stands beside something else, which tells of a failure itself.
      return 0;
    }
  },
  staleTime: 600_000,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
});
