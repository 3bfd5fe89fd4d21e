import { queryOptions } from '@tanstack/react-query';
import type { InferResponseType } from 'hono/client';
import { fetchOrThrow } from '../../lib/api-error.ts';
import type { api } from '../../lib/api.ts';
import type { Locale } from '../../lib/locale.ts';

/** The user is part of the key, because the response depends on who asks. */
export const peopleQuery = (locale: Locale, userId: number) =>
  queryOptions({
    queryKey: ['people', locale, userId],
    retryOnMount: true,
    queryFn: async ({ signal }) =>
      (await read<typeof api.people.$get>(`/api/people?lang=${locale}`, { signal })).data,
  });

/**
 * The courses and when they were served, by the server's clock. `no-cache`: the edge may answer from its cache, but the
 * browser's own copy would hide recent changes.
 */
export const coursesQuery = queryOptions({
  queryKey: ['courses'],
  retryOnMount: true,
  queryFn: ({ signal }) => read<typeof api.courses.$get>('/api/courses', { signal, cache: 'no-cache' }),
});

/** Not by the API's client: it would weigh 2 KB in the first script, which makes no other call. */
async function read<Call>(
  path: string,
  init: RequestInit,
): Promise<{ data: InferResponseType<Call>; at: number }> {
  const response = await fetchOrThrow(path, init);
  // A local run's answers have no date.
  return { data: await response.json(), at: Date.parse(response.headers.get('date') ?? '') || Date.now() };
}
