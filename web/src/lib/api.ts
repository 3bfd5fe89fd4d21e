import { hc } from 'hono/client';
import type { Api } from '../../../worker/src/app.ts';
import { fetchOrThrow } from './api-error.ts';

/** The API's client. A call that fails throws ApiError, so that answers have their success type alone. */
export const { api } = hc<Api>('/', { fetch: fetchOrThrow });
