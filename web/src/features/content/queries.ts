import type { Content } from '#contract/content';
import { queryOptions } from '@tanstack/react-query';
import { answerOf, api, manualRefetch } from '../../lib/api.ts';
import { fetchOrThrow } from '../../lib/api-error.ts';

const contentKey = ['content'] as const;

export const contentQuery = queryOptions({
  queryKey: [...contentKey, 'state'],
  queryFn: ({ signal }) => answerOf(api.content.$get({}, { init: { signal } })),
  // The editor has it from then on, and what it has typed.
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  ...manualRefetch,
});

export const versionsQuery = queryOptions({
  queryKey: [...contentKey, 'versions'],
  queryFn: ({ signal }) => answerOf(api.content.versions.$get({}, { init: { signal } })),
  ...manualRefetch,
});

export const versionQuery = (version: number) =>
  queryOptions({
    queryKey: [...contentKey, 'version', version],
    queryFn: ({ signal }) =>
      answerOf(api.content.versions[':id'].$get({ param: { id: String(version) } }, { init: { signal } })),
    ...manualRefetch,
  });

/** The BibTeX of a paper, looked up by the server. */
export const bibtexOf = async (doi: string) =>
  (await answerOf(api.content.doi.$get({ query: { doi } }))).bibtex;

export const saveDraft = (version: number, draft: Content) =>
  answerOf(api.content.$put({ json: { version, draft } }));

export const publishDraft = (version: number) =>
  answerOf(api.content.publish.$post({ query: { version: String(version) } }));

export const restoreVersion = (version: number) =>
  answerOf(api.content.versions[':id'].restore.$post({ param: { id: String(version) } }));

/** The page as it would be if the draft were published, without its scripts. */
export async function previewOf(page: string, version: number, signal: AbortSignal): Promise<string> {
  const html = await (await fetchOrThrow(`/preview?page=${page}&version=${version}`, { signal })).text();
  return html.replaceAll(/<script\b[^>]*>[^]*?<\/script>/g, '');
}

/** Stores a photograph, given in several widths. @returns its name in the content */
export async function uploadPhotograph(widths: File[]): Promise<string> {
  const form = new FormData();
  for (const file of widths) form.append('images', file);
  const answer = await fetchOrThrow('/api/content/pictures', { method: 'POST', body: form });
  const { file }: { file: string } = await answer.json();
  return file;
}
