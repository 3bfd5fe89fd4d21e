import type { OwnSession } from '#contract/users';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { MissingPart } from '../../../components/part-state.tsx';
import { seoulDateTime } from '../../../lib/seoul-time.ts';
import { deviceName } from '../device-name.ts';
import { endSessionMutation, ownSessionsQuery } from '../queries.ts';

/** Where the user is signed in, with a button that ends each session. */
export function OwnSessions({ userId }: { userId: number }) {
  const sessions = useQuery(ownSessionsQuery(userId));
  const heading = useRef<HTMLHeadingElement>(null);
  const end = useMutation({
    ...endSessionMutation(userId),
    // The pressed button is about to disappear.
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
