import { mutationOptions, queryOptions } from '@tanstack/react-query';
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

export const endSessionMutation = (userId: number) =>
  mutationOptions({
    mutationFn: (id: number) => api.login.sessions[':id'].$delete({ param: { id: String(id) } }),
    meta: { done: '로그아웃 완료', reload: ownSessionsQuery(userId).queryKey },
  });
