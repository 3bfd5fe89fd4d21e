import { ANY_LEVEL, hasAccess, screenLevels } from '#contract/access-levels';
import type { LoginState } from './login-state.ts';

/**
 * Pages that need a login, with the weakest level that may open them. Used by the guard, the menu and the
 * settings page.
 */
export const pageAccess = {
  '/settings': ANY_LEVEL,
  '/manage_user_info': ANY_LEVEL,
  '/manage_users': screenLevels.users,
  '/manage_students': screenLevels.students,
  '/manage_courses': screenLevels.courses,
  '/manage_subjects_list': screenLevels.subjects,
  '/manage_account': screenLevels.account,
  '/manage_scores': screenLevels.scores,
  '/manage_plants': screenLevels.plants,
  '/manage_health': screenLevels.health,
  '/manage_content': screenLevels.content,
} as const;

export type GuardedPage = keyof typeof pageAccess;

export function isGuardedPage(path: unknown): path is GuardedPage {
  return typeof path === 'string' && Object.hasOwn(pageAccess, path);
}

export function mayOpen(login: LoginState, page: GuardedPage): boolean {
  return login.isLoggedIn && hasAccess(login.secureLevel, pageAccess[page]);
}
