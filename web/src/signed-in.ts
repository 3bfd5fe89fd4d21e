import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { onForget } from './lib/forget.ts';
import './lib/live-session.ts';
import { loginState } from './lib/login-state.ts';
import { isGuardedPage, mayOpen } from './lib/page-access.ts';
import { checkLoginOnce } from './lib/session.ts';
import { tellRefusal } from './lib/tell-refusal.ts';
import './react-to-failure.ts';
import { settleChanges } from './settle-changes.ts';

type Visit = {
  context: { previousAddress: () => string | undefined; queryClient: QueryClient };
  location: { href: string };
  preload: boolean;
  matches: { fullPath: unknown }[];
};

let isPrepared = false;

/** Guard of every page that needs a login: a visitor is sent to /login, a user who may not stays where they were. */
export async function admit({ context, location, preload, matches }: Visit): Promise<void> {
  prepare(context.queryClient);
  const page = matches.at(-1)?.fullPath;
  await checkLoginOnce();
  const login = loginState();
  if (!login.isLoggedIn) throw redirect({ to: '/login' });
  if (isGuardedPage(page) && mayOpen(login, page)) return;
  if (!preload) tellRefusal();
  const previous = context.previousAddress();
  const isElsewhere = previous !== undefined && previous !== location.href;
  throw redirect({ href: isElsewhere ? previous : '/', replace: true });
}

/** A page has one client. For another user all that it holds goes, and what is on its way comes to nothing. */
function prepare(queryClient: QueryClient): void {
  if (isPrepared) return;
  isPrepared = true;
  settleChanges(queryClient);
  onForget(() => {
    void queryClient.cancelQueries();
    queryClient.clear();
  });
}
