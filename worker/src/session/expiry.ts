import { ACCOUNT_MANAGER, hasAccess } from '#contract/access-levels';

const HOUR = 3_600_000;

/** Sessions of those who see other people's data end sooner (개인정보의 안전성 확보조치). */
const limits = {
  staff: { idle: 2 * HOUR, total: 12 * HOUR },
  others: { idle: 30 * 24 * HOUR, total: 30 * 24 * HOUR },
};

/** Longest life in milliseconds of any session: the cookie's. */
export const SESSION_LIFE_MS = limits.others.total;

/** Whether a session has ended by itself. All times in milliseconds since 1970. */
export function isExpired(
  session: { createdAt: number; lastUsedAt: number },
  secureLevel: number,
  now: number,
): boolean {
  const { idle, total } = hasAccess(secureLevel, ACCOUNT_MANAGER) ? limits.staff : limits.others;
  return now - session.lastUsedAt > idle || now - session.createdAt > total;
}
