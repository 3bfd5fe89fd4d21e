import { HOUR_MS } from '#contract/time';
import { waitUntil } from 'cloudflare:workers';
import { createLocalJWKSet, errors, importJWK, type JWK, type JWTVerifyGetKey } from 'jose';
import * as z from 'zod';
import { stackTrace, type Log } from '#http/log';

/** Thrown when the provider's keys cannot be fetched, so a token can be neither accepted nor rejected. */
export class ProviderKeysUnavailableError extends Error {}

const FETCH_TIMEOUT_MS = 4000;
/** Minimum time between fetches once there are keys: an unknown key id may be a new key, or an attack. */
const COOLDOWN_MS = 30_000;
const MAX_AGE_MS = HOUR_MS;

const keySetSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

type KeyRing = {
  find?: JWTVerifyGetKey;
  fetchedAt: number;
  triedAt: number;
  /** The fetch in progress, for which all requests wait. */
  pending?: Promise<void>;
  hasFailed: boolean;
};

/** The keys by URL, shared by all requests of this isolate. */
const rings = new Map<string, KeyRing>();

/**
 * Finds a token's key among the provider's keys, which are fetched once and cached. Known keys keep working
 * while the provider is unreachable.
 * @throws ProviderKeysUnavailableError if the key is unknown and the provider does not answer
 */
export function providerKeys(url: string, log: Log): JWTVerifyGetKey {
  const ring = rings.get(url) ?? { fetchedAt: 0, triedAt: 0, hasFailed: false };
  rings.set(url, ring);
  return async (header, token) => {
    const isOld = Date.now() - ring.fetchedAt > MAX_AGE_MS;
    if (!ring.find || (isOld && mayAsk(ring))) await refresh(ring, url, log);
    try {
      return await known(ring)(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      if (ring.pending || mayAsk(ring)) await refresh(ring, url, log);
      if (ring.hasFailed)
        throw new ProviderKeysUnavailableError('the provider does not answer', { cause: error });
      return await known(ring)(header, token);
    }
  };
}

function mayAsk(ring: KeyRing): boolean {
  return Date.now() - ring.triedAt > COOLDOWN_MS;
}

function known(ring: KeyRing): JWTVerifyGetKey {
  if (!ring.find) throw new ProviderKeysUnavailableError('no keys were ever received');
  return ring.find;
}

/** Fetches the keys, or waits for the fetch in progress; the old keys stay if it fails. */
async function refresh(ring: KeyRing, url: string, log: Log): Promise<void> {
  const pending = (ring.pending ??= fetchKeys(ring, url, log));
  // The fetch belongs to the request that started it: a disconnect of that client would cancel it.
  waitUntil(pending);
  // If the fetch never ends, other requests wait only for the timeout, and the next request fetches again.
  await Promise.race([pending, scheduler.wait(FETCH_TIMEOUT_MS + 500)]);
  if (ring.pending === pending) delete ring.pending;
}

async function fetchKeys(ring: KeyRing, url: string, log: Log): Promise<void> {
  ring.triedAt = Date.now();
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const { keys } = keySetSchema.parse(await answer.json());
    ring.find = createLocalJWKSet({ keys: await usableKeys(keys) });
    ring.fetchedAt = Date.now();
    ring.hasFailed = false;
  } catch (error) {
    ring.hasFailed = true;
    log('error', 'identity_keys_not_fetched', { url, error: stackTrace(error) });
  } finally {
    delete ring.pending;
  }
}

/** Drops keys that cannot be imported: every request with such a key would fail. */
async function usableKeys(keys: JWK[]): Promise<JWK[]> {
  const imports = await Promise.allSettled(keys.map((key) => importJWK(key, 'RS256')));
  const usable = keys.filter((_, at) => imports[at]?.status === 'fulfilled');
  if (usable.length === 0) throw new Error('no key that can be used');
  return usable;
}
