import { MINUTE_MS } from '#contract/time';
import type { LoginUser } from '#contract/users';
import {
  isSessionExpired,
  SESSION_TTL_HEADER,
  SESSION_LIFE_MS,
  sessionEnd,
  BACKGROUND_HEADER,
  sessionTokenFromCookie,
  SESSION_COOKIE,
} from '#contract/session';
import { database } from '#db/client';
import type { Context } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { ApiError } from '#http/api-error';
import { broadcast } from '#http/live-screens';
import type { AppEnv, SessionUser } from '../lib/app-env.ts';
import { newToken, sha256Hex } from '../lib/random-tokens.ts';
import { deleteSession, findSession, saveSignIn, recordSessionUse, type SignIn } from './data.ts';

const cookieOptions = { path: '/', secure: true, httpOnly: true, sameSite: 'Lax' } as const;
/** How outdated `last_used_at` may be; saves a write on most requests. */
const TOUCH_EVERY_MS = MINUTE_MS;

/**
 * The user of the request's valid session, read from D1 in one query, or undefined.
 * @param isUse whether this request extends the session
 */
export async function sessionUser<E extends AppEnv>(
  c: Context<E>,
  isUse = c.req.header(BACKGROUND_HEADER) === undefined,
): Promise<SessionUser | undefined> {
  c.set('sessionEndsAt', undefined);
  const tokenHash = await presentedTokenHash(c);
  if (tokenHash === undefined) return undefined;
  const db = database(c.env.DB);
  const session = await findSession(db, tokenHash);
  const now = Date.now();
  if (!session || isSessionExpired(session, session.secureLevel, now)) return undefined;
  const { createdAt, lastUsedAt, ...user } = session;
  const isTouched = isUse && now - lastUsedAt > TOUCH_EVERY_MS;
  if (isTouched) c.executionCtx.waitUntil(recordSessionUse(db, user.sessionId, now));
  const known = { createdAt, lastUsedAt: isTouched ? now : lastUsedAt };
  c.set('sessionEndsAt', sessionEnd(known, user.secureLevel));
  return user;
}

/**
 * Sends when the session ends, so that the screens close at that moment, and the server's time, because the
 * browser's clock may be wrong. Cloudflare adds the Date header; workerd, the local runtime, does not.
 */
export const sendSessionHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const endsAt = c.get('sessionEndsAt');
  if (endsAt === undefined) return;
  const now = Date.now();
  c.res.headers.set('date', new Date(now).toUTCString());
  c.res.headers.set(SESSION_TTL_HEADER, String(Math.ceil((endsAt - now) / 1000)));
});

/**
 * Saves the user and opens a session with a new token; the session that the browser presented ends.
 * @throws ApiError 401 if the ID token has opened a session before
 */
export async function openSession(
  c: Context<AppEnv>,
  signIn: Pick<SignIn, 'person' | 'first' | 'idToken'>,
): Promise<LoginUser> {
  const token = newToken();
  const now = Date.now();
  const saved = await saveSignIn(
    database(c.env.DB),
    {
      ...signIn,
      session: {
        token_hash: await sha256Hex(token),
        user_agent: (c.req.header('user-agent') ?? '').slice(0, 300),
      },
      endedTokenHash: await presentedTokenHash(c),
      from: { address: c.req.header('cf-connecting-ip') ?? '', requestId: c.get('requestId') },
    },
    now,
  );
  if (saved === 'used') throw new ApiError(401);
  const { user, ended } = saved;
  endLive(c, ended);
  setCookie(c, SESSION_COOKIE, token, { ...cookieOptions, maxAge: SESSION_LIFE_MS / 1000 });
  c.set('sessionEndsAt', sessionEnd({ createdAt: now, lastUsedAt: now }, user.secureLevel));
  return user;
}

export async function endSession(c: Context<AppEnv>): Promise<void> {
  const tokenHash = await presentedTokenHash(c);
  if (tokenHash !== undefined) endLive(c, await deleteSession(database(c.env.DB), tokenHash));
  deleteCookie(c, SESSION_COOKIE, cookieOptions);
}

/** Closes the live sockets of a session that has ended. */
function endLive(c: Context<AppEnv>, session: number | undefined): void {
  if (session !== undefined) broadcast(c, (screens) => screens.end({ session }));
}

async function presentedTokenHash<E extends AppEnv>(c: Context<E>): Promise<string | undefined> {
  const token = sessionTokenFromCookie(c.req.header('cookie'));
  return token === undefined ? undefined : await sha256Hex(token);
}
