import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

export const ownSessionsQuery = (userId: number) =>
  queryOptions({
    queryKey: ['own-sessions', userId],
    queryFn: async ({ signal }) => {
      const response = await api.login.sessions.$get({}, { init: { signal } });
      return await response.json();
    },
    staleTime: 0,
    retryOnMount: true,
  });
