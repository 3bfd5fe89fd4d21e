import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { ApiError } from './lib/api-error.ts';
import { showToast } from './lib/toast.ts';

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Toast when it is done. */
      done?: string;
      /** What is read again when it is done, or when what it was about had changed meanwhile. */
      reload?: QueryKey;
      /** What is read again only when what it was about had changed meanwhile. */
      reloadIfOutdated?: QueryKey;
    };
  }
}

/** Does for every change what its meta says. Apart from the client, which is in the first script of every page. */
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
  };
}
