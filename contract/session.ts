import { HOUR_MS } from './time.ts';
import { ACCOUNT_MANAGER, hasAccess } from './access-levels.ts';

/**
 * On a call that a page makes by itself: it does not count as use of the session. Without it a call counts, so that
 * whoever sets it can only make the own session end earlier.
 */
export const UNATTENDED_HEADER = 'x-unattended';
/** On answers to whoever is signed in: after how many seconds the session ends when it is not used until then. */
export const SESSION_LEFT_HEADER = 'x-session-left';

/** Sessions of those who see other people's data end sooner (개인정보의 안전성 확보조치). */
const limits = {
  staff: { idle: 2 * HOUR_MS, total: 12 * HOUR_MS },
  others: { idle: 30 * 24 * HOUR_MS, total: 30 * 24 * HOUR_MS },
};

/** Longest life in milliseconds of any session: the cookie's. */
export const SESSION_LIFE_MS = limits.others.total;

type Session = { createdAt: number; lastUsedAt: number };

/** When a session ends by itself if it is not used before. All times in milliseconds since 1970. */
export function sessionEnd(session: Session, secureLevel: number): number {
  const { idle, total } = hasAccess(secureLevel, ACCOUNT_MANAGER) ? limits.staff : limits.others;
  return Math.min(session.lastUsedAt + idle, session.createdAt + total);
}

/** Whether a session has ended by itself. */
export function isExpired(session: Session, secureLevel: number, now: number): boolean {
  return now > sessionEnd(session, secureLevel);
}
