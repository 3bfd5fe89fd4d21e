import { hc } from 'hono/client';
import type { Api } from '../../../worker/src/app.ts';
import { fetchOrThrow } from './api-error.ts';

/** The API's client. Failed calls throw ApiError, so that responses have only their success type. */
export const { api } = hc<Api>('/', { fetch: fetchOrThrow });

/** What a call answers. */
export async function answerOf<Answer>(call: Promise<{ json: () => Promise<Answer> }>): Promise<Answer> {
  const response = await call;
  return await response.json();
}
