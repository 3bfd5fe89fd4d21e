import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { FailedPart } from '../../components/part-state.tsx';
import { useLocale } from '../../lib/locale.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { showToast } from '../../lib/toast-queue.ts';
import { m } from '../../paraglide/messages.js';
import { signOutMutation } from './queries.ts';

/** Signs the user out on opening. If the server cannot be reached, the screen does not claim success. */
export function LogoutScreen() {
  useLocale();
  usePageTitle(m.menu_logout());
  const navigate = useNavigate();
  const hasStarted = useRef(false);
  const { mutate, isError } = useMutation({
    ...signOutMutation,
    // Signed-in pages show toasts. Their code is not loaded if this page was opened first.
    onSuccess: async () => {
      showToast({ ko: '로그아웃', en: 'Signed out' });
      await navigate({ to: '/', replace: true });
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
