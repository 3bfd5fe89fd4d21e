import type { Content, ContentState } from '#contract/content';
import { queryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import { readJson, api, manualRefetch } from '../../lib/api.ts';
import { ApiError, fetchOrThrow } from '../../lib/api-error.ts';
import { isRecord } from '../../lib/is-record.ts';
import { toastText } from '../../lib/toast-queue.ts';
import { withEntryIds } from './entries.ts';

const contentKey = ['content'] as const;

/** Gives every entry an id, because content stored by other clients may lack ids. */
const known = (state: ContentState): ContentState => ({
  ...state,
  draft: withEntryIds(state.draft),
  published: withEntryIds(state.published),
});

/** Reads the server's current content from a 409 response: another user has saved before this user. */
export function currentContentOf({ status, details }: ApiError): ContentState | undefined {
  const current: unknown = details?.current;
  const isState = status === 409 && isRecord(current) && 'draft' in current;
  // JSON.parse checks no types, but the API always sends its `ContentState` here.
  return isState ? known(JSON.parse(JSON.stringify(current))) : undefined;
}

export const contentFailureText = ({ status, details }: ApiError) =>
  details?.message ?? (status === 0 ? '서버에 연결할 수 없습니다' : toastText(status));

export const contentQuery = queryOptions({
  queryKey: [...contentKey, 'state'],
  queryFn: async ({ signal }) => known(await readJson(api.content.$get({}, { init: { signal } }))),
  // The content is loaded only once, because afterwards the editor holds the content and the user's changes.
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  ...manualRefetch,
});

export const contentVersionsQuery = queryOptions({
  queryKey: [...contentKey, 'versions'],
  queryFn: ({ signal }) => readJson(api.content.versions.$get({}, { init: { signal } })),
  ...manualRefetch,
});

export const contentVersionQuery = (version: number) =>
  queryOptions({
    queryKey: [...contentKey, 'version', version],
    queryFn: async ({ signal }) => {
      const param = { id: String(version) };
      return withEntryIds(await readJson(api.content.versions[':id'].$get({ param }, { init: { signal } })));
    },
    ...manualRefetch,
  });

/** Asks the server to look up the BibTeX of a paper by its DOI. */
export const fetchBibtex = async (doi: string) =>
  (await readJson(api.content.doi.$get({ query: { doi } }))).bibtex;

export const saveContentDraft = async (version: number, draft: Content) =>
  known(await readJson(api.content.$put({ json: { version, draft } })));

export const publishContentDraft = (version: number) =>
  readJson(api.content.publish.$post({ query: { version: String(version) } }));

/** @returns the new draft if the restored version has errors and cannot be published; otherwise undefined */
export async function restoreContentVersion(version: number): Promise<ContentState | undefined> {
  const param = { id: String(version) };
  const answer = await api.content.versions[':id'].restore.$post({ param });
  return answer.status === 200 ? known(await answer.json()) : undefined;
}

/** The page's HTML as it would be if the draft were published. */
export const fetchPreview = async (page: string, version: number, signal: AbortSignal): Promise<string> =>
  await (await fetchOrThrow(`/preview?page=${page}&version=${version}`, { signal })).text();

/** Uploads a photograph in several widths. @returns the file name that the content stores */
export async function uploadPhotograph(widths: File[]): Promise<string> {
  const form = new FormData();
  for (const file of widths) form.append('images', file);
  const answer = await fetchOrThrow('/api/content/pictures', { method: 'POST', body: form });
  const { file }: { file: string } = await answer.json();
  return file;
}

/** Whether a request is running, and why the last request failed. */
export function useAttempt(textOf: (error: ApiError) => string = contentFailureText) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const attempt = async (what: () => Promise<void>) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await what();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(textOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, failure, setFailure, attempt };
}
