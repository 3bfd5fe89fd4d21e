import * as z from 'zod';

/** Every secure level a user can have, and its name. The lower the number, the more the user may do. */
export const roleNames = {
  1: 'Admin',
  3: 'Account Manager',
  5: 'Member',
  8: 'University',
  10: 'Guest',
} as const;
export type SecureLevel = keyof typeof roleNames;

function isLevel(level: number): level is SecureLevel {
  return Object.hasOwn(roleNames, level);
}

/** Strongest level first, because objects iterate integer keys in ascending order. */
export const LEVELS = Object.keys(roleNames).map(Number).filter(isLevel);
export const secureLevelSchema = z.literal(LEVELS);

export const ADMIN = 1;
export const ACCOUNT_MANAGER = 3;
export const MEMBER = 5;
export const UNIVERSITY = 8;
export const GUEST = 10;

/** The level of a visitor who is not signed in; weaker than the level of any user. */
export const ANONYMOUS_LEVEL = 100;
/** The level that an item requires if any signed-in user may use the item. */
export const ANY_LEVEL = 1000;

/** The weakest level that may open a screen and call the API routes of that screen. */
export const screenLevels = {
  users: ADMIN,
  students: ADMIN,
  courses: ADMIN,
  subjects: ADMIN,
  account: ACCOUNT_MANAGER,
  scores: ADMIN,
  plants: ADMIN,
  health: ADMIN,
  content: ADMIN,
} as const;

/** Levels are compared only here: a lower number is a stronger level, so a comparison is easily wrong. */
export function hasAccess(secureLevel: number, requiredLevel: number): boolean {
  return secureLevel <= requiredLevel;
}
