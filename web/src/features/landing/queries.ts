import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import type { Locale } from '../../lib/locale.ts';

/** Which groups the answer holds depends on who asks, so the user is part of the key. */
export const peopleQuery = (locale: Locale, userId: number) =>
  queryOptions({
    queryKey: ['people', locale, userId],
    retryOnMount: true,
    queryFn: async ({ signal }) => {
      const response = await api.people.$get({ query: { lang: locale } }, { init: { signal } });
      return await response.json();
    },
  });

/** `no-cache`: the edge may answer with what it keeps, but the browser's own copy would hide what was just changed. */
export const coursesQuery = queryOptions({
  queryKey: ['courses'],
  retryOnMount: true,
  queryFn: async ({ signal }) => {
    const response = await api.courses.$get({}, { init: { signal, cache: 'no-cache' } });
    return await response.json();
  },
});
