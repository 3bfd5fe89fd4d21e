import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { docs, type BuiltDoc } from 'virtual:docs';
import { ApiError, fetchOrThrow } from '../../lib/api-error.ts';
import { isDocName } from './doc-name.ts';

const builtDocs = new Map(Object.entries(docs));

/** The text of a document that came after the build; null when there is none of the name. */
export const docTextQuery = (name: string) =>
  queryOptions({
    queryKey: ['doc', name],
    queryFn: async ({ signal }) => {
      try {
        const response = await fetchOrThrow(`/markdown/${name}.md`, { signal });
        return await response.text();
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });

/** The document when the build knows it. Otherwise its text is in the query client afterwards, or its failure. */
export async function loadDoc(name: string, queryClient: QueryClient): Promise<BuiltDoc | undefined> {
  const load = builtDocs.get(name);
  if (load) return await load();
  if (isDocName(name)) await queryClient.prefetchQuery(docTextQuery(name));
  return undefined;
}
