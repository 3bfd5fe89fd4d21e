import { redirect } from '@tanstack/react-router';
import { mayOpen, type GuardedPage } from './lib/page-access.ts';
import { checkLoginOnce } from './lib/session.ts';
import { showToast } from './lib/toast.ts';

type Visit = {
  context: { previousPath: () => string | undefined };
  location: { pathname: string };
  preload: boolean;
};

/** Guard of a page that needs a login: a visitor is sent to /login, a user who may not stays where they were. */
export function requireAccess(page: GuardedPage) {
  return async ({ context, location, preload }: Visit): Promise<void> => {
    const login = await checkLoginOnce();
    if (!login.isLoggedIn) throw redirect({ to: '/login' });
    if (mayOpen(login, page)) return;
    if (!preload) showToast(403);
    const previous = context.previousPath();
    const isElsewhere = previous !== undefined && previous !== location.pathname;
    throw redirect({ to: isElsewhere ? previous : '/', replace: true });
  };
}
