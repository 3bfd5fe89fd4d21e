import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { docs, type BuiltDoc } from 'virtual:docs';
import { ApiError, fetchOrThrow } from '../../lib/api-error.ts';
import { isDocName } from './doc-name.ts';
import { parseDoc, type ParsedDoc } from './parse-doc.ts';

const builtDocs = new Map(Object.entries(docs));

/** A document that came after the build; `parsed` is absent where its text is too much to parse. */
export type LaterDoc = { text: string; parsed: ParsedDoc | undefined };

/** Null when there is no document of the name. */
export const laterDocQuery = (name: string) =>
  queryOptions({
    queryKey: ['doc', name],
    queryFn: async ({ signal }): Promise<LaterDoc | null> => {
      try {
        const response = await fetchOrThrow(`/markdown/${name}.md`, { signal });
        const text = await response.text();
        return { text, parsed: await parseDoc(text) };
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });

/** The document when the build knows it. Otherwise it is in the query client afterwards, or its failure. */
export async function loadDoc(name: string, queryClient: QueryClient): Promise<BuiltDoc | undefined> {
  const load = builtDocs.get(name);
  if (load) return await load();
  if (isDocName(name)) await queryClient.prefetchQuery(laterDocQuery(name));
  return undefined;
}
