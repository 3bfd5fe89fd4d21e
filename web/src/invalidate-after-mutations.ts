import { focusManager, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { ApiError } from './lib/api-error.ts';
import { searchableRecordsKey } from './lib/searchable-records.ts';
import { showToast } from './lib/toast-queue.ts';

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Toast shown on success. */
      done?: string;
      /** Queries to invalidate on success, or if the server says that the record is outdated (404, 409). */
      reload?: QueryKey;
      /** Set if a failed change may be done in part: then `reload` is invalidated after every failure. */
      isPartial?: true;
      /** Queries to invalidate in the user's other tabs instead of `reload`, if this tab has the response. */
      reloadElsewhere?: QueryKey;
      /** Queries to invalidate instead of `reload` if the record is outdated. */
      reloadIfOutdated?: QueryKey;
    };
  }
}

/**
 * Handles the `meta` of every mutation, in the user's other tabs too. This code is not in query-client.ts,
 * because query-client.ts is in the first script.
 */
export function invalidateAfterMutations(queryClient: QueryClient): void {
  const channel = new BroadcastChannel('changes');
  // A hidden tab loads the data only when the user looks at the tab, because reads of people are logged.
  channel.addEventListener('message', ({ data }: MessageEvent<QueryKey>) => {
    const refetchType = focusManager.isFocused() ? 'active' : 'none';
    void queryClient.invalidateQueries({ queryKey: data, refetchType });
    void queryClient.invalidateQueries({ queryKey: searchableRecordsKey, refetchType: 'none' });
  });
  focusManager.subscribe((isFocused) => {
    const isOld = ({ state }: Query) => state.isInvalidated;
    if (isFocused)
      void queryClient.refetchQueries({ type: 'active', predicate: isOld }, { cancelRefetch: false });
  });
  queryClient.getMutationCache().config.onSettled = async (
    _data,
    error,
    _variables,
    _result,
    { meta = {} },
  ) => {
    const { done, reload, isPartial = false, reloadElsewhere = reload, reloadIfOutdated = reload } = meta;
    const isOutdated = error instanceof ApiError && [404, 409].includes(error.status);
    const queryKey = error && !isPartial ? isOutdated && reloadIfOutdated : reload;
    const told = error ? queryKey : reloadElsewhere;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
    if (told) channel.postMessage(told);
    if (queryKey) await queryClient.invalidateQueries({ queryKey });
    // The toast comes last: a user who reads it must find the changed list, and the form without its draft.
    if (!error && done) showToast(done);
    if (!error) await queryClient.invalidateQueries({ queryKey: searchableRecordsKey, refetchType: 'none' });
  };
}
