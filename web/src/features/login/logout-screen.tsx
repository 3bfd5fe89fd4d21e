import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { FailedPart } from '../../components/part-state.tsx';
import { useLocale } from '../../lib/locale.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { showToast } from '../../lib/toast.ts';
import { m } from '../../paraglide/messages.js';
import { identityScript } from './google-identity.ts';
import { signOut } from './sign-in.ts';

const SCRIPT_PATIENCE_MS = 1500;

/** Signs out on opening. Where the server cannot be told, the user is not told that it worked. */
export function LogoutScreen() {
  useLocale();
  usePageTitle(m.menu_logout());
  const navigate = useNavigate();
  const hasStarted = useRef(false);
  const { mutate, isError } = useMutation({
    mutationFn: async () => {
      // Before the other tabs hear of it: their login page would sign the user in again.
      await forgetAccountChoice();
      await signOut();
    },
    onSuccess: () => {
      showToast('로그아웃');
      void navigate({ to: '/', replace: true });
    },
  });
  useEffect(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    mutate();
  }, [mutate]);
  return (
    <section className="page-column min-h-[60dvh] py-12">
      <h1 className="mb-6 text-heading font-bold">{m.menu_logout()}</h1>
      {isError ? (
        <FailedPart text={m.logout_failed()} onRetry={mutate} />
      ) : (
        <output>{m.logout_running()}</output>
      )}
    </section>
  );
}

/** Without this Google would sign the user in again at the next visit. A blocked script must not hold it up. */
async function forgetAccountChoice(): Promise<void> {
  const forgotten = identityScript().then(
    (identity) => identity.disableAutoSelect(),
    (error: unknown) => console.warn('auto-select could not be disabled', error),
  );
  const outOfPatience = new Promise<void>((resolve) => {
    setTimeout(resolve, SCRIPT_PATIENCE_MS);
  });
  await Promise.race([forgotten, outOfPatience]);
}
