import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { loginState } from '../../lib/login-state.ts';
import { saveReturnPath, popReturnPath, useFinishSignIn } from './sign-in.ts';
import { showToast } from '../../lib/toast-queue.ts';
import { reauthenticateMutation } from './queries.ts';
import { SignInButton } from './sign-in-button.tsx';

/**
 * A sign-in dialog for a screen with unsaved changes whose session has ended. The same user continues on the
 * screen; another user goes to the main page.
 */
export function Reauthenticate({ userId }: { userId: number }) {
  const id = useId();
  const finish = useFinishSignIn();
  const address = useLocation({ select: ({ href }) => href });
  useEffect(() => saveReturnPath(userId, address), [userId, address]);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.focus(), []);
  // After a refusal the button is rendered again, with a new nonce.
  const [turn, setTurn] = useState(0);
  const { mutate } = useMutation({
    ...reauthenticateMutation,
    onSuccess: (outcome) => {
      if (outcome === 'refused') setTurn(turn + 1);
      if (outcome !== 'signed-in' || loginState().id !== userId) {
        finish(outcome);
        return;
      }
      popReturnPath(userId);
      showToast('로그인 성공');
    },
  });
  const onCredential = useCallback((credential: string) => mutate(credential), [mutate]);
  return (
    <div lang="ko" className="page-column flex min-h-[75dvh] flex-col justify-center py-12">
      {/* The page behind the dialog is empty, so the dialog does not have to keep the focus. */}
      <dialog
        open
        ref={dialog}
        tabIndex={-1}
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-text`}
        className="static mx-auto w-full max-w-md rounded-lg border border-line bg-surface p-6 text-ink outline-none sm:p-8"
      >
        <h1 id={`${id}-title`} className="text-xl font-bold">
          다시 로그인해 주세요
        </h1>
        <p id={`${id}-text`} className="mt-2 text-ink-soft">
          로그인이 만료되었습니다. 작성하던 내용은 암호화되어 이 브라우저에 7일 동안 남습니다. 같은 계정으로
          로그인하면 여기에서 이어서 쓸 수 있습니다.
        </p>
        <div className="mt-6">
          <SignInButton key={turn} canPrompt={false} onCredential={onCredential} />
        </div>
        <Button asChild variant="outline" size="sm" className="mt-4">
          <Link to="/" onClick={() => popReturnPath(userId)}>
            홈으로
          </Link>
        </Button>
      </dialog>
    </div>
  );
}
