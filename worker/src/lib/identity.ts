import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { ApiError } from './api-error.ts';
import type { Config } from './config.ts';

export type Identity = { sub: string; email: string | null; name: string };

/** Seconds that the provider's clock and ours may differ. */
const CLOCK_TOLERANCE = 30;
/** Longest credential that is looked at, in characters. */
const CREDENTIAL_MAX = 8192;

const keySets = new Map<string, JWTVerifyGetKey>();

/** The provider's keys, fetched once and kept; an unknown key id fetches again, at most every 30 s. */
function providerKeys(url: string): JWTVerifyGetKey {
  let keys = keySets.get(url);
  if (!keys) {
    keys = createRemoteJWKSet(new URL(url), { timeoutDuration: 4000, cooldownDuration: 30_000 });
    keySets.set(url, keys);
  }
  return keys;
}

/**
 * Verifies an ID token of the configured provider: signature, issuer, audience, times, verified email, nonce.
 * @param nonce what the browser's cookie holds; a token with a nonce is only good beside its own cookie
 * @throws ApiError 401 for a token that is not to be trusted, 503 when the provider's keys are out of reach
 * @see https://developers.google.com/identity/gsi/web/guides/verify-google-id-token
 */
export async function verifyIdToken(config: Config, token: string, nonce?: string): Promise<Identity> {
  if (token.length > CREDENTIAL_MAX) throw new ApiError(401);
  const claims = await verifiedClaims(config, token);
  const { sub } = claims;
  const trusted =
    claims.aud === config.GOOGLE_CLIENT_ID &&
    (claims.azp === undefined || claims.azp === config.GOOGLE_CLIENT_ID) &&
    typeof claims.iat === 'number' &&
    claims.iat <= Date.now() / 1000 + CLOCK_TOLERANCE &&
    claims.nonce === nonce;
  if (!trusted || typeof sub !== 'string' || sub === '') throw new ApiError(401);
  const email = claims.email ?? null;
  if (email !== null && (typeof email !== 'string' || claims.email_verified !== true))
    throw new ApiError(401);
  const name = typeof claims.name === 'string' && claims.name !== '' ? claims.name : (email ?? '');
  return { sub, email, name };
}

async function verifiedClaims(config: Config, token: string): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, providerKeys(config.IDENTITY_KEYS_URL), {
      algorithms: ['RS256'],
      issuer: config.IDENTITY_ISSUERS,
      audience: config.GOOGLE_CLIENT_ID,
      requiredClaims: ['exp', 'iat', 'sub'],
      clockTolerance: CLOCK_TOLERANCE,
    });
    return payload;
  } catch (error) {
    throw new ApiError(isKeyServiceFailure(error) ? 503 : 401);
  }
}

/** jose has a code of its own for what is wrong with a token; anything plainer is the fetch that failed. */
function isKeyServiceFailure(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout) return true;
  return !(error instanceof errors.JOSEError) || error.code === 'ERR_JOSE_GENERIC';
}
