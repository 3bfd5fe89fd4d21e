import { MutationCache, QueryCache, QueryClient, type Query } from '@tanstack/react-query';
import { ApiError } from './lib/api-error.ts';

/** Retries only a call without a response; a response would be the same again. */
export function shouldRetry(failures: number, error: Error): boolean {
  return failures < 1 && error instanceof ApiError && error.status === 0;
}

export function createQueryClient(react: (error: Error) => void): QueryClient {
  const failedSince = new WeakMap<object, number>();
  /** Whether a failure is reported: of a polling query, once until it succeeds again; a refusal, always. */
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
      // `retryOnMount`: a loader has usually just failed when its screen mounts, so a retry would fail again.
      queries: { retry: shouldRetry, retryDelay: 500, retryOnMount: false, staleTime: 30_000 },
      // By default, saving without a connection would wait silently, and the change would be lost when the
      // tab is closed. So saving fails immediately, with a message.
      mutations: { networkMode: 'always' },
    },
  });
}
