import { univIdSchema, type OwnSession } from '#contract/users';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, Link } from '@tanstack/react-router';
import { type FormEvent, useRef } from 'react';
import { ManagementPage } from '../../components/layout/management-page.tsx';
import { DraftNote } from '../../components/draft-note.tsx';
import { Button } from '../../components/ui/button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useAutosaved } from '../../components/use-draft.ts';
import { ApiError } from '../../lib/api-error.ts';
import { useLoginState } from '../../lib/login-state.ts';
import { showToast } from '../../lib/toast-queue.ts';
import { saveProfileMutation, endSessionMutation, ownSessionsQuery } from './queries.ts';
import { MissingPart } from '../../components/part-state.tsx';
import { seoulDateTime } from '../../lib/seoul-time.ts';
import { deviceName } from './user-agent.ts';

export function UserInfoScreen() {
  const login = useLoginState();
  const navigate = useNavigate();
  const { value: univId, change, saved, restored } = useAutosaved('user-info', () => login.univId ?? '');
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

/** The user's sessions, each with a button that ends the session. */
function OwnSessions({ userId }: { userId: number }) {
  const sessions = useQuery(ownSessionsQuery(userId));
  const heading = useRef<HTMLHeadingElement>(null);
  const end = useMutation({
    ...endSessionMutation(userId),
    // Moves the focus, because the pressed button is about to disappear.
    onSuccess: () => heading.current?.focus(),
  });
  return (
    <section aria-labelledby="sessions-title" className="mt-12 border-t border-line pt-8">
      <h2 id="sessions-title" ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
        로그인한 기기
      </h2>
      <div className="mt-3">
        {!sessions.data && (
          <MissingPart of={sessions} text="로그인한 기기를 불러오지 못했습니다." rows={2} className="h-14" />
        )}
        <ul className="divide-y divide-line">
          {sessions.data?.map((session) => (
            <SessionItem
              key={session.id}
              session={session}
              isBusy={end.isPending}
              onEnd={() => end.mutate(session.id)}
            />
          ))}
        </ul>
      </div>
    </section>
  );
}

type ItemProps = { session: OwnSession; isBusy: boolean; onEnd: () => void };

function SessionItem({ session, isBusy, onEnd }: ItemProps) {
  const device = deviceName(session.user_agent);
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 font-semibold">
          {device}
          {session.current && (
            <span className="rounded-sm bg-accent-wash px-1.5 py-0.5 text-xs text-accent">이 기기</span>
          )}
        </p>
        <p className="text-sm text-ink-soft tabular-nums">
          마지막 사용 <Instant of={session.last_used_at} />
          <br />
          로그인 <Instant of={session.created_at} />
        </p>
      </div>
      {session.current ? (
        // The logout page also stops Google from signing in again automatically.
        <Button asChild variant="outline" size="sm">
          <Link to="/logout" aria-label={`이 기기(${device})에서 로그아웃`}>
            로그아웃
          </Link>
        </Button>
      ) : (
        <Button
          variant="outline"
          size="sm"
          disabled={isBusy}
          aria-label={`${device}에서 로그아웃, 마지막 사용 ${seoulDateTime(Date.parse(session.last_used_at))}`}
          onClick={onEnd}
        >
          로그아웃
        </Button>
      )}
    </li>
  );
}

function Instant({ of }: { of: string }) {
  return <time dateTime={of}>{seoulDateTime(Date.parse(of))}</time>;
}
