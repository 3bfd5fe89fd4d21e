import type { BridgeKey } from './data.ts';

/**
 * The keys that have signed here, by bridge: as many as there are, because only a key of the database gets in. Who signs
 * with one of them is no stranger; whether it still works is asked of the database each time.
 */
const known = new Map<string, Map<string, BridgeKey>>();

export function knownKeys(bridgeId: string): BridgeKey[] {
  return [...(known.get(bridgeId)?.values() ?? [])];
}

export function rememberKey(bridgeId: string, key: BridgeKey): void {
  const keys = known.get(bridgeId) ?? new Map<string, BridgeKey>();
  known.set(bridgeId, keys.set(key.key, key));
}

/** For a key that works no longer. */
export function forgetKey(bridgeId: string, { key }: BridgeKey): void {
  known.get(bridgeId)?.delete(key);
}
