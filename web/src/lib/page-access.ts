import { ACCOUNT_MANAGER, ADMIN, ANY_LEVEL, hasAccess } from '#contract/access-levels';
import type { LoginState } from './login-state.ts';

/**
 * Pages that need a login, with the weakest level that may open them. Used by the guard, the menu and the settings
 * page.
 */
export const pageAccess = {
  '/settings': ANY_LEVEL,
  '/manage_user_info': ANY_LEVEL,
  '/manage_users': ADMIN,
  '/manage_students': ADMIN,
  '/manage_courses': ADMIN,
  '/manage_subjects_list': ADMIN,
  '/manage_account': ACCOUNT_MANAGER,
  '/manage_scores': ADMIN,
  '/manage_plants': ADMIN,
  '/manage_health': ADMIN,
  '/manage_content': ADMIN,
} as const;

export type GuardedPage = keyof typeof pageAccess;

export function isGuardedPage(path: unknown): path is GuardedPage {
  return typeof path === 'string' && Object.hasOwn(pageAccess, path);
}

export function mayOpen(login: LoginState, page: GuardedPage): boolean {
  return login.isLoggedIn && hasAccess(login.secureLevel, pageAccess[page]);
}
