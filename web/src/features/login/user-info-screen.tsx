import { univIdSchema } from '#contract/users';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { ManagementPage } from '../../components/layout/management-page.tsx';
import { DraftNote } from '../../components/draft-note.tsx';
import { Button } from '../../components/ui/button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useKept } from '../../components/use-draft.ts';
import { ApiError } from '../../lib/api-error.ts';
import { useLoginState } from '../../lib/login-state.ts';
import { showToast } from '../../lib/toast.ts';
import { OwnSessions } from './components/own-sessions.tsx';
import { saveProfileMutation } from './queries.ts';

export function UserInfoScreen() {
  const login = useLoginState();
  const navigate = useNavigate();
  const { value: univId, change, saved, restored } = useKept('user-info', () => login.univId ?? '');
  const save = useMutation({
    ...saveProfileMutation(login.id),
    onSuccess: (_saved, profile) => {
      saved(profile.univId);
      return navigate({ to: '/' });
    },
  });

  const checked = univIdSchema.safeParse(univId);
  const problem = univId === '' || checked.success ? refusal(save.error) : checked.error.issues[0]?.message;

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const { name, email } = login;
    if (form.get('name') !== name || form.get('email') !== email) {
      showToast('로그인 정보가 일치하지 않습니다');
      return;
    }
    save.mutate({ name, email, univId });
  };

  return (
    <ManagementPage title="사용자 정보 수정" lead="학번 또는 직번을 입력해 주세요." narrow>
      <form onSubmit={submit} noValidate className="space-y-5">
        <DraftNote {...restored} />
        <TextField label="이름" name="name" defaultValue={login.name} readOnly required />
        <TextField label="이메일" name="email" type="email" defaultValue={login.email} readOnly required />
        <TextField
          label="학번/직번"
          name="univId"
          value={univId}
          onChange={(event) => {
            const { value } = event.target;
            change(() => value);
            save.reset();
          }}
          inputMode="numeric"
          autoComplete="off"
          required
          hint="20으로 시작하는 8자리 또는 9자리 숫자입니다. 명단의 이메일과 다르면 관리자가 확인합니다."
          error={problem}
        />
        <Button type="submit" disabled={!checked.success || save.isPending} className="w-full">
          확인
        </Button>
      </form>
      <OwnSessions userId={login.id} />
    </ManagementPage>
  );
}

function refusal(error: Error | null): string | undefined {
  return error instanceof ApiError && error.details?.field === 'univId' ? error.details.message : undefined;
}
