import * as z from 'zod';

/** A user's secure level. The lower the number, the more the user may do. */
export const secureLevelSchema = z.literal([1, 3, 5, 8, 10]);
export type SecureLevel = z.infer<typeof secureLevelSchema>;

export const ADMIN = 1;
export const ACCOUNT_MANAGER = 3;
export const MEMBER = 5;
export const UNIVERSITY = 8;
export const GUEST = 10;

/** Level of a visitor who has not signed in: weaker than every user. */
export const ANONYMOUS_LEVEL = 100;
/** Level of items that ask for a login and nothing more. */
export const ANY_LEVEL = 1000;

export const roleNames: Record<SecureLevel, string> = {
  1: 'Admin',
  3: 'Account Manager',
  5: 'Member',
  8: 'University',
  10: 'Guest',
};

/** The only place that compares levels, because they run backwards: 1 is the strongest. */
export function hasAccess(secureLevel: number, requiredLevel: number): boolean {
  return secureLevel <= requiredLevel;
}
