import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { FailedPart, LoadingPart } from '../../../components/part-state.tsx';
import { useLoginState } from '../../../lib/login-state.ts';
import { carryOutMutation, usersQuery } from '../queries.ts';
import { wordsOf, type Question } from '../questions.ts';
import { userColumns } from './user-columns.tsx';

type Asked = { question: Question; from: HTMLElement | null };

const userId = ({ id }: { id: number }) => id;

export function UsersTab() {
  const users = useQuery(usersQuery);
  const login = useLoginState();
  const [asked, setAsked] = useState<Asked>();
  const { mutate, isPending } = useMutation(carryOutMutation);
  const columns = useMemo(
    () => userColumns((question, from) => setAsked({ question, from }), isPending),
    [isPending],
  );
  if (users.isPending) return <LoadingPart rows={6} className="h-9" />;
  if (!users.data) {
    return <FailedPart text="사용자를 불러오지 못했습니다." onRetry={() => void users.refetch()} />;
  }
  const unverified = users.data.filter((user) => user.univ_id !== null && !user.univ_id_verified).length;
  const words = asked && wordsOf(asked.question, asked.question.user.id === login.id);
  return (
    <>
      <p className="mb-3 text-sm text-ink-soft tabular-nums">
        {users.data.length}명{unverified > 0 && ` · 학번/직번 미확인 ${unverified}명`}
      </p>
      <DataTable
        caption="사용자"
        columns={columns}
        rows={users.data}
        rowKey={userId}
        emptyText="등록된 사용자가 없습니다."
        isStale={isPending}
      />
      {asked && words && (
        <ConfirmDialog
          title={words.title}
          submitLabel={words.submit}
          isDestructive={words.isDestructive}
          returnFocusTo={asked.from}
          onCancel={() => setAsked(undefined)}
          onSubmit={() => {
            mutate(asked.question);
            setAsked(undefined);
          }}
        >
          {words.lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </ConfirmDialog>
      )}
    </>
  );
}
