import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { docs, type BuiltDoc } from 'virtual:docs';
import { ApiError, fetchOrThrow } from '../../lib/api-error.ts';
import { isDocName } from './doc-name.ts';
import { parseDoc, type ParsedDoc } from './parse-doc.ts';

const builtDocs = new Map(Object.entries(docs));

/** The current content of a document's file; `parsed` is absent if the text is too complex. */
export type FiledDoc = { text: string; parsed: ParsedDoc | undefined };

/** The current file; null if there is none with this name. */
export const filedDocQuery = (name: string) =>
  queryOptions({
    queryKey: ['doc', name],
    queryFn: async ({ signal }) => {
      const bytes = await readFile(name, signal);
      return bytes && (await docOf(bytes));
    },
  });

/**
 * The file of a prebuilt document: `same` if unchanged, otherwise its content, or null if it was removed. While it
 * cannot be fetched, the prebuilt version is used.
 */
export const builtDocQuery = (name: string, digest: string) =>
  queryOptions({
    queryKey: ['doc', name, digest],
    queryFn: async ({ signal }): Promise<FiledDoc | null | 'same'> => {
      try {
        const bytes = await readFile(name, signal);
        if (bytes === null) return null;
        return (await sha256Hex(bytes)) === digest ? 'same' : await docOf(bytes);
      } catch (error) {
        if (error instanceof ApiError) return 'same';
        throw error;
      }
    },
  });

async function readFile(name: string, signal: AbortSignal): Promise<ArrayBuffer | null> {
  try {
    return await (await fetchOrThrow(`/markdown/${name}.md`, { signal })).arrayBuffer();
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

async function docOf(bytes: ArrayBuffer): Promise<FiledDoc> {
  const text = new TextDecoder().decode(bytes);
  return { text, parsed: await parseDoc(text) };
}

async function sha256Hex(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The document if it was prebuilt. Otherwise its content or its error is in the query client afterwards. */
export async function loadDoc(name: string, queryClient: QueryClient): Promise<BuiltDoc | undefined> {
  const load = builtDocs.get(name);
  if (load) return await load();
  if (isDocName(name)) await queryClient.prefetchQuery(filedDocQuery(name));
  return undefined;
}
