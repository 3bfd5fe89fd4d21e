import { previousTerm, type Term } from '#contract/terms';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { showToast } from '../../../lib/toast.ts';
import { readNames } from '../dues-list.ts';
import { useAddDueNames } from '../mutations.ts';
import { duesQuery } from '../queries.ts';
import { termText } from '../totals.ts';

const NAME_MAX = 50;

/** Puts people on the list who are no users, typed or as they were in the semester before. */
export function AddNames({ term }: { term: Term }) {
  const queryClient = useQueryClient();
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const { mutate, isPending } = useAddDueNames(term);
  const before = previousTerm(term);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const names = readNames(text);
    if (names.length === 0 || names.some((name) => name.length > NAME_MAX)) {
      setError(names.length === 0 ? '이름을 입력하세요.' : `이름은 ${NAME_MAX}자까지 쓸 수 있습니다.`);
      return;
    }
    if (!isPending) mutate(names, { onSuccess: () => setText('') });
  };
  const bring = async () => {
    // Offline it fails instead of waiting.
    const now = { staleTime: 0, networkMode: 'always' } as const;
    const list = await queryClient.fetchQuery({ ...duesQuery(before), ...now }).catch(() => undefined);
    if (!list) return;
    const names = list.dues.filter(({ user_id }) => user_id === null).map(({ name }) => name);
    if (names.length === 0) showToast('데이터 없음');
    else mutate(names);
  };
  return (
    <form noValidate onSubmit={submit} className="mt-6 flex flex-wrap items-start gap-3">
      <TextField
        className="w-full sm:w-96"
        label="이름 추가"
        hint="사용자가 아닌 사람의 이름입니다. 여럿이면 쉼표로 나눕니다."
        autoComplete="off"
        value={text}
        error={error}
        onChange={(event) => {
          setText(event.target.value);
          setError(undefined);
        }}
      />
      <div className="flex flex-wrap gap-2 sm:pt-6.5">
        <Button type="submit" aria-disabled={isPending}>
          추가
        </Button>
        <Button look="outline" aria-disabled={isPending} onClick={() => void bring()}>
          {termText(before)} 이름 가져오기
        </Button>
      </div>
    </form>
  );
}
