import { logReviewSchema } from '#contract/log-reviews';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { TextField } from '../../../components/text-field.tsx';
import { DraftNote } from '../../../components/draft-note.tsx';
import { useKeptText } from '../../../components/use-draft.ts';
import { Button } from '../../../components/ui/button.tsx';
import { signOffMutation } from '../queries.ts';
import { monthText } from '../labels.ts';

/** The end of a review: a remark, which stays as it is. */
export function SignOffForm({ month, onSubmit }: { month: string; onSubmit: () => void }) {
  const { text: remark, setText: setRemark, clear, restored } = useKeptText(`users/reviews/${month}`);
  const [error, setError] = useState<string>();
  const { mutate, isPending } = useMutation({ ...signOffMutation, onSuccess: clear });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = logReviewSchema.safeParse({ remark });
    if (!parsed.success) return setError(parsed.error.issues[0]?.message);
    onSubmit();
    mutate({ month, remark: parsed.data.remark });
  };
  return (
    <form onSubmit={submit} noValidate className="mt-8 flex flex-wrap items-start gap-3 print:hidden">
      <div className="w-full empty:hidden">
        <DraftNote {...restored} />
      </div>
      <TextField
        className="min-w-56 grow"
        label="점검 의견"
        value={remark}
        maxLength={1000}
        autoComplete="off"
        error={error}
        hint="저장한 뒤에는 고칠 수 없습니다. 사람의 이름, 번호, 이메일은 ○○○으로 가려집니다."
        onChange={(event) => {
          setRemark(event.target.value);
          setError(undefined);
        }}
      />
      <Button type="submit" disabled={isPending} className="mt-6">
        {monthText(month)} 점검 완료
      </Button>
    </form>
  );
}
