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
 * The key under which a client's requests are counted: of IPv6 only the first 64 bits, because one client has
 * all addresses with these bits. Cloudflare sets CF-Connecting-IP; a client could forge X-Forwarded-For.
 */
export function clientKey(c: Context): string {
  const address = c.req.header('cf-connecting-ip') ?? '';
  // An IPv4 address in IPv6 form (`::ffff:192.0.2.1`) is one address too.
  if (!address.includes(':') || address.includes('.')) return address;
  const [left = [], right] = address
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = right ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : [];
  const network = [...left, ...zeros, ...(right ?? [])].slice(0, 4);
  return `${network.map((group) => parseInt(group, 16).toString(16)).join(':')}::/64`;
}
