import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { loginState } from '../../lib/login-state.ts';
import { takePlace } from '../../lib/return-place.ts';
import { showToast } from '../../lib/toast.ts';
import type { SignInOutcome } from './sign-in.ts';

export const failureTexts = {
  refused: { ko: '로그인 실패', en: 'Sign-in failed' },
  unavailable: { ko: '로그인 서버 연결 실패', en: 'The sign-in server cannot be reached' },
} as const;

/** Navigates after a completed sign-in. */
export function useFinish(): (outcome: SignInOutcome) => void {
  const navigate = useNavigate();
  return useCallback(
    (outcome: SignInOutcome) => {
      if (outcome === 'no-email') {
        void navigate({ to: '/error/{-$status}', params: { status: '401' }, replace: true });
      } else if (outcome !== 'signed-in') {
        showToast(failureTexts[outcome]);
      } else if (loginState().univId === null) {
        void navigate({ to: '/manage_user_info', replace: true });
      } else {
        showToast({ ko: '로그인 성공', en: 'Signed in' });
        // Where something is unsaved, or the main page.
        void navigate({ href: takePlace(loginState().id) ?? '/', replace: true });
      }
    },
    [navigate],
  );
}
