import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { loadDrafts } from './lib/drafts.ts';
import { onUserDataCleared } from './lib/session-end.ts';
import { setShownLab } from './lib/lab-content.ts';
import './lib/live-session.ts';
import { loginState } from './lib/login-state.ts';
import { isGuardedPage, mayOpen } from './lib/page-access.ts';
import { loadPublishedContent } from './lib/published.ts';
import { checkLoginOnce } from './lib/session.ts';
import { untilIdle } from './lib/until-idle.ts';
import { reportRefusal } from './react-to-failure.ts';
import { invalidateAfterMutations } from './invalidate-after-mutations.ts';

type Visit = {
  context: { previousAddress: () => string | undefined; queryClient: QueryClient };
  location: { href: string };
  preload: boolean;
  matches: { fullPath: unknown }[];
};

// The content security policy forbids zod to compile functions, and browsers report attempts (`z.config`).
const zod: object = Object(Reflect.get(globalThis, '__zod_globalConfig'));
Object.assign(globalThis, { __zod_globalConfig: Object.assign(zod, { jitless: true }) });

let isPrepared = false;

/** Guards every page that needs a login: visitors go to /login; users without access stay where they are. */
export async function requireSignIn({ context, location, preload, matches }: Visit): Promise<void> {
  prepare(context.queryClient);
  const page = matches.at(-1)?.fullPath;
  const { isLoggedIn, id } = loginState();
  // The drafts are loaded during the check, because a user who was signed in usually still is.
  if (isLoggedIn) void loadDrafts(id);
  await checkLoginOnce();
  const login = loginState();
  if (!login.isLoggedIn) throw redirect({ to: '/login' });
  await loadDrafts(login.id);
  if (isGuardedPage(page) && mayOpen(login, page)) return;
  if (!preload) reportRefusal();
  const previous = context.previousAddress();
  const isElsewhere = previous !== undefined && previous !== location.href;
  throw redirect({ href: isElsewhere ? previous : '/', replace: true });
}

/**
 * The query client lives as long as the page. When the user changes, its data is dropped and pending calls
 * are cancelled.
 */
function prepare(queryClient: QueryClient): void {
  if (isPrepared) return;
  isPrepared = true;
  invalidateAfterMutations(queryClient);
  // Loads the published lab name for the top bar, after everything more urgent.
  void untilIdle()
    .then(loadPublishedContent)
    .then((news) => news && setShownLab(news.content.lab));
  onUserDataCleared(() => {
    void queryClient.cancelQueries();
    queryClient.clear();
  });
}
