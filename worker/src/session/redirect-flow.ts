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

/** What the browser keeps, encrypted, between leaving for the provider and coming back. */
const journeySchema = z.object({ state: z.string(), verifier: z.string(), nonce: z.string() });
export type Journey = z.infer<typeof journeySchema>;

export const JOURNEY_SECONDS = 600;
const SALT = 'redirect-flow';

function client(config: Config, origin: string): OAuth2Client {
  return new OAuth2Client(
    config.GOOGLE_CLIENT_ID,
    config.GOOGLE_CLIENT_SECRET,
    `${origin}/api/login/callback`,
  );
}

/** Where to send the browser, and the cookie's value that it must bring back. */
export async function startJourney(config: Config, origin: string): Promise<{ url: URL; cookie: string }> {
  const journey = { state: generateState(), verifier: generateCodeVerifier(), nonce: generateState() };
  const url = client(config, origin).createAuthorizationURLWithPKCE(
    config.IDENTITY_AUTHORIZE_URL,
    journey.state,
    CodeChallengeMethod.S256,
    journey.verifier,
    ['openid', 'email', 'profile'],
  );
  // Arctic sends no nonce of its own.
  url.searchParams.set('nonce', journey.nonce);
  const [secret] = config.COOKIE_SECRETS;
  if (secret === undefined) throw new ApiError(503);
  const cookie = await encode({ token: journey, secret, salt: SALT, maxAge: JOURNEY_SECONDS });
  return { url, cookie };
}

/** The journey that the cookie holds, or undefined when it is broken, too old or under a forgotten secret. */
export async function readJourney(config: Config, cookie: string): Promise<Journey | undefined> {
  try {
    const token = await decode({ token: cookie, secret: config.COOKIE_SECRETS, salt: SALT });
    return journeySchema.safeParse(token).data;
  } catch {
    // decode throws on whatever is not its own; to us that is a browser without a journey.
    return undefined;
  }
}

/**
 * Trades the code for the ID token, still unverified.
 * @throws ApiError 401 when the provider refuses the code, 503 when it cannot be reached
 */
export async function redeemCode(
  config: Config,
  origin: string,
  code: string,
  journey: Journey,
): Promise<string> {
  try {
    const tokens = await client(config, origin).validateAuthorizationCode(
      config.IDENTITY_TOKEN_URL,
      code,
      journey.verifier,
    );
    return tokens.idToken();
  } catch (error) {
    throw new ApiError(error instanceof OAuth2RequestError ? 401 : 503);
  }
}
