import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { FailedPart, LoadingPart } from '../../../components/ui/part-state.tsx';
import { ApiError } from '../../../lib/api-error.ts';
import { useLoginState } from '../../../lib/login-state.ts';
import { showToast } from '../../../lib/toast.ts';
import { usersQuery } from '../queries.ts';
import { carryOut, wordsOf, type Question } from '../questions.ts';
import { userColumns } from './user-columns.tsx';

type Asked = { question: Question; from: HTMLElement | null };

const userId = ({ id }: { id: number }) => id;

export function UsersTab() {
  const users = useQuery(usersQuery);
  const login = useLoginState();
  const [asked, setAsked] = useState<Asked>();
  const { mutate, isPending } = useCarryOut();
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

/** Does what was asked for, then reads the list again: also where it turned out to be out of date. */
function useCarryOut() {
  const queryClient = useQueryClient();
  const reload = () => queryClient.invalidateQueries(usersQuery);
  return useMutation({
    mutationFn: carryOut,
    onSuccess: async (_answer, { kind }) => {
      showToast(kind === 'delete' ? '삭제 완료' : '변경 완료');
      await reload();
    },
    onError: async (error) => {
      if (error instanceof ApiError && (error.status === 404 || error.status === 409)) await reload();
    },
  });
}
