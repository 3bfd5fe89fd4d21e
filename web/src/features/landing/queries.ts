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
 * The courses and the date of the answer. `no-cache`: the edge may answer from its cache, but the browser's own copy would
 * hide recent changes.
 */
export const coursesQuery = queryOptions({
  queryKey: ['courses'],
  retryOnMount: true,
  queryFn: ({ signal }) => read<typeof api.courses.$get>('/api/courses', { signal, cache: 'no-cache' }),
});

/** Not by the API's client: it would weigh 2 KB in the first script, which makes no other call. */
async function read<Call>(path: string, init: RequestInit): Promise<Read<Call>> {
  const response = await fetchOrThrow(path, init);
  return { data: await response.json(), at: response.headers.get('date') };
}
type Read<Call> = { data: InferResponseType<Call>; at: string | null };
