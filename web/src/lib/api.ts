import { hc } from 'hono/client';
import type { Api } from '../../../worker/src/app.ts';
import { fetchOrThrow } from './api-error.ts';

/** The API's client. Failed calls throw ApiError, so that responses have only their success type. */
export const { api } = hc<Api>('/', { fetch: fetchOrThrow });

/** The body of a call's response. */
export async function readJson<Answer>(call: Promise<{ json: () => Promise<Answer> }>): Promise<Answer> {
  return await (await call).json();
}

/** Options for queries whose reads the server logs: data is fetched only when a user requests it. */
export const manualRefetch = {
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  retryOnMount: true,
} as const;
