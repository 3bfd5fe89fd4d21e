import { hc } from 'hono/client';
import type { Api } from '../../../worker/src/app.ts';
import { fetchOrThrow } from './api-error.ts';

/** The API's client. Failed calls throw ApiError, so that responses have only their success type. */
export const { api } = hc<Api>('/', { fetch: fetchOrThrow });

/** What a call answers. */
export async function answerOf<Answer>(call: Promise<{ json: () => Promise<Answer> }>): Promise<Answer> {
  return await (await call).json();
}

/** Of a query of what the access log counts: nothing is fetched but what somebody asked for. */
export const manualRefetch = {
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  retryOnMount: true,
} as const;
