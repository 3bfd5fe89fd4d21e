import { useMutation } from '@tanstack/react-query';
import { ManagementPage } from '../../components/layout/management-page.tsx';
import { Button } from '../../components/ui/button.tsx';
import { useLoginState, type LoginState } from '../../lib/login-state.ts';
import { seoulDateTime } from '../../lib/seoul-time.ts';
import { checkLoginMutation } from './queries.ts';

/** Emits the login event, to test that the login state is checked again. */
export function LoginTestScreen() {
  const login = useLoginState();
  const { mutate, data, isPending } = useMutation(checkLoginMutation);
  return (
    <ManagementPage title="로그인 확인" lead="서버에 지금 로그인한 사용자를 다시 묻습니다." narrow>
      <Button onClick={() => mutate()} disabled={isPending}>
        로그인 이벤트 보내기
      </Button>
      <output className="mt-6 block min-h-14">
        {isPending && '확인하고 있습니다.'}
        {data !== undefined && (
          <>
            <span className="block font-semibold">{stateText(login)}</span>
            <span className="text-sm text-ink-soft tabular-nums">{seoulDateTime(data)}에 확인했습니다.</span>
          </>
        )}
      </output>
    </ManagementPage>
  );
}

function stateText({ isLoggedIn, name, email, secureLevel }: LoginState): string {
  return isLoggedIn ? `${name} (${email}), 권한 ${secureLevel}` : '로그인되어 있지 않습니다.';
}
