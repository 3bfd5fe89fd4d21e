import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { docs, type BuiltDoc, type BuiltText } from 'virtual:docs';
import { ApiError, fetchOrThrow } from '../../lib/api-error.ts';
import type { Locale } from '#contract/locale';
import { docFile, isDocName } from './doc-name.ts';
import { parseDoc, type ParsedDoc } from './parse-doc.ts';
import { loadPrivacy } from './privacy-parts.tsx';

const builtDocs = new Map(Object.entries(docs));

/** The current content of a document's file; `parsed` is undefined if the text is too complex to parse. */
export type CurrentDoc = { text: string; parsed: ParsedDoc | undefined };

/** Loads the Korean file of a document that was added after the build; null if there is no such file. */
export const currentDocQuery = (name: string) =>
  queryOptions({
    queryKey: ['doc', name],
    queryFn: async ({ signal }) => {
      const bytes = await readFile(docFile(name, 'ko'), signal);
      return bytes && (await docOf(bytes, 'ko'));
    },
  });

/**
 * Compares a prerendered text with the current file. Returns `same` if the file is unchanged or cannot be
 * loaded, null if the file was removed, and otherwise the file's content.
 */
export const builtDocQuery = (name: string, { locale, digest }: BuiltText) =>
  queryOptions({
    queryKey: ['doc', name, digest],
    queryFn: async ({ signal }): Promise<CurrentDoc | null | 'same'> => {
      try {
        const bytes = await readFile(docFile(name, locale), signal);
        if (bytes === null) return null;
        return (await sha256Hex(bytes)) === digest ? 'same' : await docOf(bytes, locale);
      } catch (error) {
        if (error instanceof ApiError) return 'same';
        throw error;
      }
    },
  });

async function readFile(file: string, signal: AbortSignal): Promise<ArrayBuffer | null> {
  try {
    return await (await fetchOrThrow(`/markdown/${file}`, { signal })).arrayBuffer();
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

async function docOf(bytes: ArrayBuffer, locale: Locale): Promise<CurrentDoc> {
  const text = new TextDecoder().decode(bytes);
  return { text, parsed: await parseDoc({ text, locale }) };
}

async function sha256Hex(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Loads a prerendered document. Puts any other document, or the error, into the query client. */
export async function loadDoc(name: string, queryClient: QueryClient): Promise<BuiltDoc | undefined> {
  const load = builtDocs.get(name);
  if (name === 'privacy') await loadPrivacy();
  if (load) return await load();
  if (isDocName(name)) await queryClient.prefetchQuery(currentDocQuery(name));
  return undefined;
}
