import {
  BRIDGE_ID_HEADER,
  BRIDGE_SIGNATURE_HEADER,
  BRIDGE_TIMESTAMP_HEADER,
  textToSign,
} from '#contract/readings';
import type { BridgeKey } from './data.ts';

/** The values of the signature headers; not yet verified. */
type Claim = { bridgeId: string; timestamp: string; signature: string };

const encoder = new TextEncoder();

/** The signature headers, or null if any is missing or malformed. */
export function parseSignatureHeaders(headers: Headers): Claim | null {
  const bridgeId = headers.get(BRIDGE_ID_HEADER);
  const timestamp = headers.get(BRIDGE_TIMESTAMP_HEADER);
  const signature = headers.get(BRIDGE_SIGNATURE_HEADER);
  if (bridgeId === null || !/^[!-~]{1,64}$/.test(bridgeId)) return null;
  if (timestamp === null || !/^[0-9]{1,12}$/.test(timestamp)) return null;
  if (signature === null || !/^[0-9a-f]{64}$/.test(signature)) return null;
  return { bridgeId, timestamp, signature };
}

/**
 * The first key that verifies the request's signature, or undefined. Compares in constant time.
 * @param body the body's bytes as received
 */
export async function findSigningKey<Key extends { key: string }>(
  keys: readonly Key[],
  claim: Claim,
  request: { method: string; path: string; body: Uint8Array<ArrayBuffer> },
): Promise<Key | undefined> {
  const bodyHash = new Uint8Array(await crypto.subtle.digest('SHA-256', request.body)).toHex();
  const text = encoder.encode(textToSign(claim.timestamp, request.method, request.path, bodyHash));
  const signature = Uint8Array.fromHex(claim.signature);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  for (const candidate of keys) {
    const key = await crypto.subtle.importKey('raw', encoder.encode(candidate.key), algorithm, false, [
      'verify',
    ]);
    if (await crypto.subtle.verify('HMAC', key, signature, text)) return candidate;
  }
  return undefined;
}

/**
 * The keys that have signed requests to this isolate, by bridge; all are in the database, so they are few.
 * Requests with such a key are not rate-limited by address. The database still decides if a key is valid.
 */
const known = new Map<string, Map<string, BridgeKey>>();

export function cachedKeys(bridgeId: string): BridgeKey[] {
  return [...(known.get(bridgeId)?.values() ?? [])];
}

export function addToCache(bridgeId: string, key: BridgeKey): void {
  const keys = known.get(bridgeId) ?? new Map<string, BridgeKey>();
  known.set(bridgeId, keys.set(key.key, key));
}

/** Call this for a key that is no longer valid. */
export function dropFromCache(bridgeId: string, { key }: BridgeKey): void {
  known.get(bridgeId)?.delete(key);
}
