import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

const POLL_MS = 10_000;

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: async ({ signal }) => {
    const response = await api.health.details.$get({}, { init: { signal } });
    return await response.json();
  },
  refetchInterval: POLL_MS,
});
