import { MutationCache, QueryCache, QueryClient, type Query } from '@tanstack/react-query';
import { ApiError } from './lib/api-error.ts';

/** Only a call that got no answer is worth another try; an answer will not change. */
export function shouldRetry(failures: number, error: Error): boolean {
  return failures < 1 && error instanceof ApiError && error.status === 0;
}

export function createQueryClient(react: (error: Error) => void): QueryClient {
  const failedSince = new WeakMap<object, number>();
  /** A query that polls reports its failure once, not at every turn, until data has come again. A refusal always counts. */
  const isNews = (query: Query<unknown, unknown>, error: Error) => {
    const { dataUpdateCount } = query.state;
    if (error instanceof ApiError && [401, 403].includes(error.status)) return true;
    if (failedSince.get(query) === dataUpdateCount && query.state.data !== undefined) return false;
    failedSince.set(query, dataUpdateCount);
    return true;
  };
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (isNews(query, error)) react(error);
      },
    }),
    mutationCache: new MutationCache({ onError: react }),
    defaultOptions: {
      // A loader has just asked when its screen mounts, so a failure is not asked for at once again.
      queries: { retry: shouldRetry, retryDelay: 500, retryOnMount: false, staleTime: 30_000 },
      // Offline, saving fails at once and says so. The default would keep it, unsaid, until there is a connection or
      // the tab is closed.
      mutations: { networkMode: 'always' },
    },
  });
}
