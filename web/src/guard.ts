import { redirect } from '@tanstack/react-router';
import { mayOpen, type GuardedPage } from './lib/page-access.ts';
import { checkLoginOnce } from './lib/session.ts';
import { showToast } from './lib/toast.ts';

type Visit = {
  context: { previousAddress: () => string | undefined };
  location: { href: string };
  preload: boolean;
};

/** Guard of a page that needs a login: a visitor is sent to /login, a user who may not stays where they were. */
export function requireAccess(page: GuardedPage) {
  return async ({ context, location, preload }: Visit): Promise<void> => {
    const login = await checkLoginOnce();
    if (!login.isLoggedIn) throw redirect({ to: '/login' });
    if (mayOpen(login, page)) return;
    if (!preload) showToast(403);
    const previous = context.previousAddress();
    const isElsewhere = previous !== undefined && previous !== location.href;
    throw redirect({ href: isElsewhere ? previous : '/', replace: true });
  };
}
