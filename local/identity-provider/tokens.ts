import { importJWK, jwtVerify, SignJWT, type JWK } from 'jose';
import * as z from 'zod';
import { subjectOf } from './accounts.ts';

const ALGORITHM = 'RS256';

export type Claims = Record<string, unknown>;

/** The provider's only key. It is stored in the data folder, so that sessions survive a restart. */
export type ProviderKey = JWK & { kid: string };

export function publicKey({ kty, n, e, kid }: ProviderKey): JWK {
  return { kty: kty ?? 'RSA', n: n ?? '', e: e ?? '', kid, alg: ALGORITHM, use: 'sig' };
}

/**
 * A properly signed ID token in Google's format, valid for an hour.
 * @param claims override any claim, to try wrong audiences, issuers and times; null removes one
 */
export async function idToken(
  key: ProviderKey,
  person: { email: string; name: string },
  { issuer, audience }: { issuer: string; audience: string },
  claims: Claims,
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const standard = {
    iss: issuer,
    aud: audience,
    azp: audience,
    sub: await subjectOf(person.email),
    email: person.email,
    email_verified: true,
    // As if each domain were a Workspace of its own. Private addresses have no such claim.
    hd: isPrivate(person.email) ? null : domainOf(person.email),
    name: person.name,
    iat: now,
    nbf: now,
    exp: now + 3600,
    jti: crypto.randomUUID(),
  };
  const entries = Object.entries({ ...standard, ...claims }).filter(([, value]) => value !== null);
  return await sign(key, Object.fromEntries(entries));
}

const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase();
const isPrivate = (email: string) => domainOf(email) === 'gmail.com';

const codeSchema = z.object({
  email: z.string(),
  nonce: z.string().optional(),
  challenge: z.string(),
  redirectUri: z.string(),
  jti: z.string(),
});
type Code = z.infer<typeof codeSchema>;

/** An authorization code that contains its own data, valid for a minute. */
export async function authorizationCode(key: ProviderKey, code: Omit<Code, 'jti'>): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + 60;
  return await sign(key, { ...code, jti: crypto.randomUUID(), aud: 'code', exp });
}

/** The code's data, or undefined when it is invalid or expired. */
export async function readAuthorizationCode(key: ProviderKey, code: string): Promise<Code | undefined> {
  try {
    const { payload } = await jwtVerify(code, await importJWK(publicKey(key), ALGORITHM), {
      audience: 'code',
    });
    return codeSchema.parse(payload);
  } catch {
    // The client gets the same response whatever is wrong: invalid_grant.
    return undefined;
  }
}

async function sign(key: ProviderKey, claims: Claims): Promise<string> {
  const privateKey = await importJWK(key, ALGORITHM);
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, kid: key.kid, typ: 'JWT' })
    .sign(privateKey);
}
