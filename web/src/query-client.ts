import { MutationCache, QueryCache, QueryClient, type Query } from '@tanstack/react-query';
import { ApiError } from './lib/api-error.ts';
import type { ToastValue } from './lib/toast.ts';

type Meta = {
  /** What a 403 does besides its toast. Without it the user stays. */
  onForbidden?: 'back';
};

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: Meta;
    mutationMeta: Meta;
  }
}

/** What a failed call means for the whole page. */
export type Reaction = {
  toast: ToastValue;
  /** By which the server's log knows a failure that is its own. */
  requestId?: string | undefined;
  resetLogin?: true;
  go?: 'login' | 'back';
};

const NO_ANSWER = '서버에 연결할 수 없습니다';

/** The only policy for 401, 403, 500, 503 and the rest. Screens only show that their part is missing. */
export function reactionTo(error: Error, meta: Meta = {}): Reaction {
  if (!(error instanceof ApiError)) return { toast: 500 };
  const { status, details, requestId } = error;
  if (status === 0) return { toast: NO_ANSWER };
  if (status === 401) return { toast: 401, resetLogin: true, go: 'login' };
  if (status === 403) return meta.onForbidden === 'back' ? { toast: 403, go: 'back' } : { toast: 403 };
  if (status >= 500) return { toast: status === 503 ? 503 : 500, requestId };
  return { toast: details?.message ?? status };
}

/** Only a call that got no answer is worth another try; an answer will not change. */
export function shouldRetry(failures: number, error: Error): boolean {
  return failures < 1 && error instanceof ApiError && error.status === 0;
}

export function createQueryClient(react: (reaction: Reaction) => void): QueryClient {
  const failedSince = new WeakMap<object, number>();
  /** A query that polls reports its failure once, not at every turn, until data has come again. */
  const isNews = (query: Query<unknown, unknown>) => {
    const { dataUpdateCount } = query.state;
    if (failedSince.get(query) === dataUpdateCount && query.state.data !== undefined) return false;
    failedSince.set(query, dataUpdateCount);
    return true;
  };
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (isNews(query)) react(reactionTo(error, query.meta));
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => react(reactionTo(error, mutation.meta)),
    }),
    defaultOptions: {
      // A loader has just asked when its screen mounts, so a failure is not asked for at once again.
      queries: { retry: shouldRetry, retryDelay: 500, retryOnMount: false, staleTime: 30_000 },
      // Offline, saving fails at once and says so. The default would keep it, unsaid, until there is a connection or
      // the tab is closed.
      mutations: { networkMode: 'always' },
    },
  });
}
