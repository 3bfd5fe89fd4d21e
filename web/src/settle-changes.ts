import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { ApiError } from './lib/api-error.ts';
import { findableKey } from './lib/findable.ts';
import { showToast } from './lib/toast-queue.ts';

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Toast shown on success. */
      done?: string;
      /** Invalidated on success, or when the subject of the change was outdated. */
      reload?: QueryKey;
      /** Invalidated only when the subject of the change was outdated. */
      reloadIfOutdated?: QueryKey;
    };
  }
}

/** Handles the `meta` of every mutation. Separate from the query client, which is in the first script. */
export function settleChanges(queryClient: QueryClient): void {
  queryClient.getMutationCache().config.onSettled = async (
    _data,
    error,
    _variables,
    _result,
    { meta = {} },
  ) => {
    const { done, reload, reloadIfOutdated = reload } = meta;
    if (!error && done) showToast(done);
    const isOutdated = error instanceof ApiError && [404, 409].includes(error.status);
    const queryKey = error ? isOutdated && reloadIfOutdated : reload;
    if (queryKey) await queryClient.invalidateQueries({ queryKey });
    if (!error) await queryClient.invalidateQueries({ queryKey: findableKey, refetchType: 'none' });
  };
}
