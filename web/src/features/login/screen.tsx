import { useMutation } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { goBack } from '../../lib/navigation.ts';
import { useLocale } from '../../lib/locale.ts';
import { loginState } from '../../lib/login-state.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { checkLogin } from '../../lib/session.ts';
import { showToast } from '../../lib/toast-queue.ts';
import { LoginFrame } from './login-frame.tsx';
import { SignInButton } from './sign-in-button.tsx';
import { signInFailureTexts, useFinishSignIn } from './sign-in.ts';
import { signInMutation } from './queries.ts';

type Props = { redirected?: 1 | undefined; failed?: keyof typeof failedTexts | undefined };

/** Error texts by the HTTP status that the redirect flow puts into the address. */
const failedTexts = {
  401: signInFailureTexts.refused,
  429: '요청이 너무 많습니다. 잠시 후 다시 시도하세요',
  503: signInFailureTexts.unavailable,
} as const;

export function LoginScreen({ redirected, failed }: Props) {
  useLocale();
  usePageTitle('Login');
  const mayPrompt = useArrival({ redirected, failed });
  const finish = useFinishSignIn();
  // After a refusal the button is rendered again, with a new nonce if this browser has lost its nonce.
  const [turn, setTurn] = useState(0);
  const { mutate } = useMutation({
    ...signInMutation,
    onSuccess: (outcome) => {
      if (outcome === 'refused') setTurn(turn + 1);
      finish(outcome);
    },
  });
  const onCredential = useCallback((credential: string) => mutate(credential), [mutate]);
  return (
    <LoginFrame>
      <SignInButton key={turn} canPrompt={mayPrompt && turn === 0} onCredential={onCredential} />
    </LoginFrame>
  );
}

/**
 * When the page opens, completes the redirect flow. Users who are already signed in return to their page.
 * @returns whether One Tap may be shown
 */
function useArrival({ redirected, failed }: Props): boolean {
  const [mayPrompt, setMayPrompt] = useState(false);
  const router = useRouter();
  const sessionEnded = useLocation({ select: ({ state }) => state.sessionEnded === true });
  const finish = useFinishSignIn();
  useEffect(() => {
    let isCurrent = true;
    const arrive = async () => {
      const login = sessionEnded ? loginState() : await checkLogin();
      if (!isCurrent) return;
      if (login.isLoggedIn) {
        // The redirect address fails if the user opens it a second time, although the user is signed in.
        if (redirected || failed) finish('signed-in');
        else goBack(router);
        return;
      }
      // After the session has ended, the user may be away: One Tap would sign in without the user.
      setMayPrompt(!sessionEnded);
      if (failed === undefined) return;
      showToast(failedTexts[failed]);
      await router.navigate({ to: '/login', search: {}, replace: true });
    };
    void arrive();
    return () => {
      isCurrent = false;
    };
  }, [redirected, failed, sessionEnded, finish, router]);
  return mayPrompt;
}
