import type { Context } from 'hono';
import { ApiError } from './api-error.ts';

/** Must match the period in each wrangler.toml. */
const PERIOD_SECONDS = 60;

/** Counts one request under `key`. @throws ApiError 429 above the limit */
export async function countOne(c: Context, rate: RateLimit, key: string): Promise<void> {
  const { success } = await rate.limit({ key });
  if (success) return;
  c.header('Retry-After', String(PERIOD_SECONDS));
  throw new ApiError(429);
}
