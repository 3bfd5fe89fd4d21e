import { decode, encode } from '@auth/core/jwt';
import {
  CodeChallengeMethod,
  generateCodeVerifier,
  generateState,
  OAuth2Client,
  OAuth2RequestError,
} from 'arctic';
import * as z from 'zod';
import { ApiError } from '#http/api-error';
import type { Config } from '../lib/config.ts';
import { identityProviderOf } from '../lib/identity.ts';

/** Stored encrypted in the browser's cookie while the user is at the provider. */
const checksSchema = z.object({ state: z.string(), codeVerifier: z.string(), nonce: z.string() });
export type OauthChecks = z.infer<typeof checksSchema>;

export const OAUTH_CHECKS_SECONDS = 600;
const SALT = 'redirect-flow';

function client(config: Config, origin: string): OAuth2Client {
  return new OAuth2Client(
    config.GOOGLE_CLIENT_ID,
    config.GOOGLE_CLIENT_SECRET,
    `${origin}/api/login/callback`,
  );
}

/** The address to redirect to, and the value of the cookie that the browser must send back. */
export async function createAuthorization(
  config: Config,
  origin: string,
): Promise<{ url: URL; state: string; cookie: string }> {
  const checks = { state: generateState(), codeVerifier: generateCodeVerifier(), nonce: generateState() };
  const url = client(config, origin).createAuthorizationURLWithPKCE(
    identityProviderOf(config).authorize,
    checks.state,
    CodeChallengeMethod.S256,
    checks.codeVerifier,
    ['openid', 'email', 'profile'],
  );
  // Arctic does not support a nonce.
  url.searchParams.set('nonce', checks.nonce);
  const [secret] = config.COOKIE_SECRETS;
  if (secret === undefined) throw new ApiError(503);
  const cookie = await encode({ token: checks, secret, salt: SALT, maxAge: OAUTH_CHECKS_SECONDS });
  return { url, state: checks.state, cookie };
}

/** The checks in the cookie; undefined if it is damaged or expired, or its secret is no longer used. */
export async function readOauthChecks(config: Config, cookie: string): Promise<OauthChecks | undefined> {
  try {
    const token = await decode({ token: cookie, secret: config.COOKIE_SECRETS, salt: SALT });
    return checksSchema.safeParse(token).data;
  } catch {
    // `decode` throws for any value that it did not create; such a cookie counts as no checks.
    return undefined;
  }
}

/**
 * Exchanges the code for an ID token, which is not yet verified.
 * @throws ApiError 401 if the provider rejects the code, 503 if it is unreachable
 */
export async function exchangeCode(
  config: Config,
  origin: string,
  code: string,
  checks: OauthChecks,
): Promise<string> {
  try {
    const tokens = await client(config, origin).validateAuthorizationCode(
      identityProviderOf(config).token,
      code,
      checks.codeVerifier,
    );
    return tokens.idToken();
  } catch (error) {
    throw new ApiError(error instanceof OAuth2RequestError ? 401 : 503);
  }
}
