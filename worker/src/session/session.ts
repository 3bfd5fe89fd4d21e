import { MINUTE_MS } from '#contract/time';
import type { SecureLevel } from '#contract/access-levels';
import {
  isExpired,
  SESSION_LEFT_HEADER,
  SESSION_LIFE_MS,
  sessionEnd,
  UNATTENDED_HEADER,
} from '#contract/session';
import { database } from '#db/client';
import type { Context } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import type { AppEnv, SessionUser } from '../lib/app-env.ts';
import { deleteSession, findSession, replaceSession, touchSession } from './data.ts';

export const SESSION_COOKIE = '__Host-session';
const cookieOptions = { path: '/', secure: true, httpOnly: true, sameSite: 'Lax' } as const;
/** How outdated `last_used_at` may be, so that most guarded requests write nothing. */
const TOUCH_EVERY_MS = MINUTE_MS;

/** The user of the request's valid session, read from D1 in one query, or undefined. */
export async function sessionUser<E extends AppEnv>(c: Context<E>): Promise<SessionUser | undefined> {
  const tokenHash = await presentedTokenHash(c);
  if (tokenHash === undefined) return undefined;
  const db = database(c.env.DB);
  const session = await findSession(db, tokenHash);
  const now = Date.now();
  if (!session || isExpired(session, session.secureLevel, now)) return undefined;
  const { createdAt, lastUsedAt, ...user } = session;
  const isUse = c.req.header(UNATTENDED_HEADER) === undefined;
  const isTouched = isUse && now - lastUsedAt > TOUCH_EVERY_MS;
  if (isTouched) c.executionCtx.waitUntil(touchSession(db, user.sessionId, now));
  const known = { createdAt, lastUsedAt: isTouched ? now : lastUsedAt };
  c.set('sessionEndsAt', sessionEnd(known, user.secureLevel));
  return user;
}

/**
 * Tells the browser when the session will end, so that the screens can close at that moment, and the server's time.
 * Cloudflare adds the Date header by itself, but workerd alone does not.
 */
export const tellSessionEnd = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const endsAt = c.get('sessionEndsAt');
  if (endsAt === undefined) return;
  const now = Date.now();
  c.res.headers.set('date', new Date(now).toUTCString());
  c.res.headers.set(SESSION_LEFT_HEADER, String(Math.ceil((endsAt - now) / 1000)));
});

type Owner = { id: number; secureLevel: SecureLevel };

/** Opens a session with a new token and ends the one that the browser presented. */
export async function openSession(c: Context<AppEnv>, user: Owner): Promise<void> {
  const token = base64Url(crypto.getRandomValues(new Uint8Array(32)));
  const userAgent = (c.req.header('user-agent') ?? '').slice(0, 300);
  const now = Date.now();
  const session = { token_hash: await sha256Hex(token), user_id: user.id, user_agent: userAgent, now };
  await replaceSession(database(c.env.DB), session, await presentedTokenHash(c));
  setCookie(c, SESSION_COOKIE, token, { ...cookieOptions, maxAge: SESSION_LIFE_MS / 1000 });
  c.set('sessionEndsAt', sessionEnd({ createdAt: now, lastUsedAt: now }, user.secureLevel));
}

export async function endSession(c: Context<AppEnv>): Promise<void> {
  const tokenHash = await presentedTokenHash(c);
  if (tokenHash !== undefined) await deleteSession(database(c.env.DB), tokenHash);
  deleteCookie(c, SESSION_COOKIE, cookieOptions);
}

/** Hash of the session cookie's token. Browsers send one cookie of this name; if there are two, neither is trusted. */
async function presentedTokenHash<E extends AppEnv>(c: Context<E>): Promise<string | undefined> {
  const cookies = (c.req.header('cookie') ?? '').split(';').map((cookie) => cookie.trim());
  const [value, another] = cookies.filter((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`));
  const token = another === undefined ? value?.slice(SESSION_COOKIE.length + 1) : undefined;
  return token !== undefined && /^[\w-]{43}$/.test(token) ? await sha256Hex(token) : undefined;
}

async function sha256Hex(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toHex();
}

function base64Url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}
