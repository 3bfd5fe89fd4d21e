import { normalizeText } from '#contract/printable-text';
import { errors, jwtVerify, type JWTPayload } from 'jose';
import { ApiError } from '#http/api-error';
import { lowerCaseAscii, type Config } from './config.ts';
import type { Log } from '#http/log';
import { ProviderKeysUnavailableError, providerKeys } from './provider-keys.ts';
import { sha256Hex } from './random-tokens.ts';

export type Identity = {
  sub: string;
  email: string | null;
  /** Whether the provider runs the email's domain; otherwise an account may have somebody else's address. */
  isDomainSure: boolean;
  name: string;
  /** With the hash, a second use of the token is recognized; the hash must be stored until `expiresAt`. */
  token: { hash: string; expiresAt: number };
};

const GOOGLE = {
  issuers: ['https://accounts.google.com', 'accounts.google.com'],
  keys: 'https://www.googleapis.com/oauth2/v3/certs',
  script: 'https://accounts.google.com/gsi/client',
  authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
  token: 'https://oauth2.googleapis.com/token',
};

/** The identity provider: Google, or a replacement whose script is on the site's own origin. */
export function identityProviderOf({ IDENTITY_PROVIDER: standIn }: Config): typeof GOOGLE {
  if (standIn === undefined) return GOOGLE;
  return {
    issuers: [standIn],
    keys: `${standIn}/jwks`,
    script: `${new URL(standIn).pathname}/client`,
    authorize: `${standIn}/authorize`,
    token: `${standIn}/token`,
  };
}

/** Seconds by which the provider's clock and ours may differ. */
const CLOCK_TOLERANCE = 30;
/** Maximum length of a credential, in characters. */
const CREDENTIAL_MAX = 8192;
const SUB_MAX = 255;
const EMAIL_MAX = 254;
const NAME_MAX = 100;
/** Exactly one spelling of a signed token is accepted: three parts, without padding. */
const CREDENTIAL_FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Verifies an ID token of the configured provider: signature, issuer, audience, times, verified email, nonce.
 * The name is cleaned and truncated.
 * @param nonces the allowed nonces; undefined means that the token may have none
 * @throws ApiError 401 for a token that cannot be trusted, 503 when the provider's keys are unavailable
 * @see https://developers.google.com/identity/gsi/web/guides/verify-google-id-token
 */
export async function verifyIdToken(
  config: Config,
  log: Log,
  token: string,
  nonces: readonly (string | undefined)[],
): Promise<Identity> {
  if (token.length > CREDENTIAL_MAX || !CREDENTIAL_FORM.test(token)) throw new ApiError(401);
  const claims = await verifiedClaims(config, log, token);
  const { sub, hd } = claims;
  const trusted =
    claims.aud === config.GOOGLE_CLIENT_ID &&
    (claims.azp === undefined || claims.azp === config.GOOGLE_CLIENT_ID) &&
    typeof claims.iat === 'number' &&
    claims.iat <= Date.now() / 1000 + CLOCK_TOLERANCE &&
    nonces.some((nonce) => nonce === claims.nonce);
  if (!trusted || typeof sub !== 'string' || sub === '' || sub.length > SUB_MAX) throw new ApiError(401);
  const email = claims.email ?? null;
  if (email !== null && (!isPlainEmail(email) || claims.email_verified !== true)) throw new ApiError(401);
  const domain = lowerCaseAscii(email?.slice(email.lastIndexOf('@') + 1) ?? '');
  const isDomainSure = domain === 'gmail.com' || (typeof hd === 'string' && lowerCaseAscii(hd) === domain);
  const name = plainName(claims.name) || plainName(email);
  return { sub, email, isDomainSure, name, token: await markOf(token, claims.exp) };
}

/** Characters that are invisible or reverse the text beside them. */
const HIDDEN = /\p{Cf}/u;
const SPACE = /[\s\p{Cc}]/u;

/** Accepts an address unchanged or rejects it: a cleaned address could be somebody else's. */
function isPlainEmail(email: unknown): email is string {
  if (typeof email !== 'string' || email.length > EMAIL_MAX || !email.isWellFormed()) return false;
  // People would misread an address with letters that look like other letters, such as the Kelvin sign.
  return !HIDDEN.test(email) && !SPACE.test(email) && email === email.normalize('NFKC');
}

/** A name that can be stored and shown; empty if nothing visible is left. */
function plainName(claim: unknown): string {
  if (typeof claim !== 'string') return '';
  const name = normalizeText(claim.toWellFormed()).replaceAll(/[\s\p{Cc}]+/gu, ' ');
  // Do not cut a surrogate pair in two.
  return normalizeText(name.slice(0, NAME_MAX).replace(/[\ud800-\udbff]$/, ''));
}

/** Hashes only the signed part, because the same signature has several encodings. */
async function markOf(token: string, exp = 0): Promise<Identity['token']> {
  const hash = await sha256Hex(token.slice(0, token.lastIndexOf('.')));
  return { hash, expiresAt: (exp + CLOCK_TOLERANCE) * 1000 };
}

async function verifiedClaims(config: Config, log: Log, token: string): Promise<JWTPayload> {
  const { keys, issuers } = identityProviderOf(config);
  try {
    const { payload } = await jwtVerify(token, providerKeys(keys, log), {
      algorithms: ['RS256'],
      // Other tokens that the provider signs with these keys, such as security events, are not sign-ins.
      typ: 'JWT',
      issuer: issuers,
      audience: config.GOOGLE_CLIENT_ID,
      requiredClaims: ['exp', 'iat', 'sub'],
      clockTolerance: CLOCK_TOLERANCE,
    });
    return payload;
  } catch (error) {
    if (error instanceof ProviderKeysUnavailableError) throw new ApiError(503);
    if (error instanceof errors.JOSEError) throw new ApiError(401);
    throw error;
  }
}
