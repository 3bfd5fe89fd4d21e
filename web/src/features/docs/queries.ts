import { queryOptions } from '@tanstack/react-query';
import { fetchOrThrow } from '../../lib/api-error.ts';

/** The text of a document that came after the build; null when there is none of the name. */
export const docTextQuery = (name: string) =>
  queryOptions({
    queryKey: ['doc', name],
    queryFn: async ({ signal }) => {
      try {
        const response = await fetchOrThrow(`/markdown/${encodeURIComponent(name)}.md`, { signal });
        return await response.text();
      } catch (error) {
        if (error instanceof Error && 'status' in error && error.status === 404) return null;
        throw error;
      }
    },
  });
