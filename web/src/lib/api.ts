import { hc } from 'hono/client';
import type { Api } from '../../../worker/src/app.ts';
import { fetchOrThrow } from './api-error.ts';

/** The API's client. Failed calls throw ApiError, so that responses have only their success type. */
export const { api } = hc<Api>('/', { fetch: fetchOrThrow });

/** The body of a call's response. */
export async function readJson<Answer>(call: Promise<{ json: () => Promise<Answer> }>): Promise<Answer> {
  return await (await call).json();
}

/** Options for queries that read logged data: data is fetched only on a user's request. */
export const manualRefetch = {
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  retryOnMount: true,
} as const;
