import { HOUR_MS } from './time.ts';
import { ACCOUNT_MANAGER, hasAccess, LEVELS } from './access-levels.ts';

/**
 * Marks requests that a page makes without the user, which do not extend the session. All other requests
 * extend the session, so a client that sets this header only shortens its own session.
 */
export const BACKGROUND_HEADER = 'x-unattended';
/** On responses to signed-in users: seconds until an unused session ends. */
export const SESSION_TTL_HEADER = 'x-session-left';

/** Sessions of users who can see other people's data end sooner (개인정보의 안전성 확보조치). */
const limits = {
  staff: { idle: 2 * HOUR_MS, total: 12 * HOUR_MS },
  others: { idle: 30 * 24 * HOUR_MS, total: 30 * 24 * HOUR_MS },
};

/** Longest possible life of a session, and of its cookie, in milliseconds. */
export const SESSION_LIFE_MS = limits.others.total;

const isStaff = (secureLevel: number) => hasAccess(secureLevel, ACCOUNT_MANAGER);

/**
 * An ended session of staff would be valid again if its user lost the level, because the limits of others are
 * longer. A session has ended if a user of these levels opened or last used it before these instants.
 */
export const endedStaffSessionLimits = (now: number) => ({
  levels: LEVELS.filter(isStaff),
  openedBefore: now - limits.staff.total,
  usedBefore: now - limits.staff.idle,
});

type Session = { createdAt: number; lastUsedAt: number };

/** When a session ends if it is not used again. All times in milliseconds since 1970. */
export function sessionEnd(session: Session, secureLevel: number): number {
  const { idle, total } = isStaff(secureLevel) ? limits.staff : limits.others;
  return Math.min(session.lastUsedAt + idle, session.createdAt + total);
}

export function isSessionExpired(session: Session, secureLevel: number, now: number): boolean {
  return now > sessionEnd(session, secureLevel);
}

/** The only cookie that authenticates a user. */
export const SESSION_COOKIE = '__Host-session';

/** Whether a text is 256 random bits in base64url, as in all our token cookies. */
export const isTokenFormat = (text: string): boolean => /^[\w-]{43}$/.test(text);

/**
 * The session token in a Cookie header; undefined for anything that cannot be a token. Browsers send one
 * cookie of this name; if there are two, neither is trusted.
 */
export function sessionTokenFromCookie(cookieHeader: string | null | undefined): string | undefined {
  const cookies = (cookieHeader ?? '').split(';').map((cookie) => cookie.trim());
  const [value, another] = cookies.filter((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`));
  const token = another === undefined ? value?.slice(SESSION_COOKIE.length + 1) : undefined;
  return token !== undefined && isTokenFormat(token) ? token : undefined;
}
