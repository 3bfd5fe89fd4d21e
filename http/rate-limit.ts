import type { Context } from 'hono';
import { ApiError } from './api-error.ts';

/** Must match the period in each wrangler.toml. */
const PERIOD_SECONDS = 60;

/** Counts one request under `key`. @throws ApiError 429 above the limit */
export async function limitRate(c: Context, rate: RateLimit, key: string): Promise<void> {
  const { success } = await rate.limit({ key });
  if (success) return;
  c.header('Retry-After', String(PERIOD_SECONDS));
  throw new ApiError(429);
}

/**
 * By what a rate counts the client's address: of IPv6 the first 64 bits, because whoever has one address there has all
 * that begin with them. Cloudflare sets CF-Connecting-IP itself, whereas a client could forge X-Forwarded-For.
 */
export function clientKey(c: Context): string {
  const address = c.req.header('cf-connecting-ip') ?? '';
  // Also IPv4 in the form of IPv6 (`::ffff:192.0.2.1`) is one address.
  if (!address.includes(':') || address.includes('.')) return address;
  const [left = [], right] = address
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = right ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : [];
  const network = [...left, ...zeros, ...(right ?? [])].slice(0, 4);
  return `${network.map((group) => parseInt(group, 16).toString(16)).join(':')}::/64`;
}
