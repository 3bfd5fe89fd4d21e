import type { Due } from '#contract/dues';
import { previousTerm, type Term, termText } from '#contract/terms';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState, type FormEvent } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { DraftNote } from '../../../components/draft-note.tsx';
import { useAutosavedText } from '../../../components/use-draft.ts';
import { Label } from '../../../components/ui/label.tsx';
import { showToast } from '../../../lib/toast-queue.ts';
import { checkNames, parseNames, type CheckedName } from './pasted-names.ts';
import { addDueNamesMutation, duesQuery } from '../queries.ts';
import { termKey } from '../totals.ts';

const NAME_MAX = 50;

function problemOf(names: string[] | undefined): string | undefined {
  if (names === undefined) return '표에서 이름이 있는 열을 알 수 없습니다. 이름 열만 붙여넣으세요.';
  if (names.length === 0) return '이름을 입력하세요.';
  const isLong = names.some((name) => name.length > NAME_MAX);
  return isLong ? `이름은 ${NAME_MAX}자까지 쓸 수 있습니다.` : undefined;
}

const focusOn = (element: HTMLElement | null) => element?.focus();

/** Adds people who are not users. Their names are typed, or copied from the previous semester. */
export function AddNames({ term, dues }: { term: Term; dues: readonly Due[] }) {
  const queryClient = useQueryClient();
  const { text, setText, clear, restored } = useAutosavedText(`dues/${termKey(term)}`);
  const [error, setError] = useState<string>();
  const [asked, setAsked] = useState<readonly CheckedName[]>();
  const id = useId();
  // A single-line field would join a pasted column into one name.
  const field = useRef<HTMLTextAreaElement>(null);
  const done = () => {
    clear();
    setAsked(undefined);
    field.current?.focus();
  };
  const { mutateAsync, isPending } = useMutation(addDueNamesMutation(term));
  const store = async (names: string[]) => {
    if (isPending) return;
    try {
      if (names.length > 0) await mutateAsync(names);
    } catch {
      // The global error handler reports the failure.
      return;
    }
    done();
  };
  const add = (names: string[]) => {
    const checked = checkNames(names, dues);
    if (checked.some(({ reason }) => reason !== undefined)) setAsked(checked);
    else void store(names);
  };
  const before = previousTerm(term);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const names = parseNames(text);
    const problem = problemOf(names);
    if (names === undefined || problem !== undefined) {
      setError(problem);
      return;
    }
    add(names);
  };
  const bring = async () => {
    // `always` makes the request fail when offline; by default it would wait for a connection.
    const now = { staleTime: 0, networkMode: 'always' } as const;
    const list = await queryClient.fetchQuery({ ...duesQuery(before), ...now }).catch(() => undefined);
    if (!list) return;
    const names = list.dues.filter(({ user_id }) => user_id === null).map(({ name }) => name);
    if (names.length === 0) showToast('데이터 없음');
    else add(names);
  };
  return (
    <form noValidate onSubmit={submit} className="mt-6 flex flex-wrap items-start gap-3">
      <div className="w-full empty:hidden">
        <DraftNote {...restored} />
      </div>
      <div className="w-full sm:w-96">
        <Label htmlFor={`${id}-names`}>이름 추가</Label>
        <textarea
          id={`${id}-names`}
          ref={field}
          rows={1}
          aria-describedby={`${id}-note`}
          aria-invalid={error === undefined ? undefined : true}
          autoComplete="off"
          value={text}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
          onChange={(event) => {
            setText(event.target.value);
            setError(undefined);
            setAsked(undefined);
          }}
          className="mt-1.5 block field-sizing-content max-h-72 min-h-11 w-full resize-none rounded-md border border-line-strong bg-surface px-3 py-2 text-base text-ink aria-invalid:border-danger"
        />
        <p
          id={`${id}-note`}
          aria-live="polite"
          className={`mt-1.5 min-h-6 text-sm ${error === undefined ? 'text-ink-soft' : 'text-danger'}`}
        >
          {error ?? '사용자가 아닌 사람의 이름입니다. 여러 명이면 쉼표나 줄로 구분하세요.'}
        </p>
      </div>
      <div className="flex flex-wrap gap-2 sm:pt-6.5">
        <Button type="submit" aria-disabled={isPending}>
          추가
        </Button>
        <Button variant="outline" aria-disabled={isPending} onClick={() => void bring()}>
          {termText(before)} 이름 가져오기
        </Button>
      </div>
      {asked && <Question names={asked} isPending={isPending} onStore={(names) => void store(names)} />}
    </form>
  );
}

function lineOf({ given, name, reason }: CheckedName): string {
  const outcome = name === '' ? ' 추가하지 않습니다.' : name === given ? '' : ` ‘${name}’만 추가합니다.`;
  return `${given}: ${reason}.${outcome}`;
}

type QuestionProps = {
  names: readonly CheckedName[];
  isPending: boolean;
  onStore: (names: string[]) => void;
};

/** Lists doubtful names and the people who would be added. */
function Question({ names, isPending, onStore }: QuestionProps) {
  const mended = [...new Set(names.flatMap(({ name }) => (name === '' ? [] : [name])))];
  const given = [...new Set(names.map((each) => each.given))];
  const lines = new Set(names.flatMap((each) => (each.reason === undefined ? [] : [lineOf(each)])));
  return (
    <div role="alert" className="w-full space-y-3 rounded-md bg-notice-wash px-4 py-3 text-notice">
      <ul className="max-h-72 list-disc overflow-y-auto pl-5 wrap-anywhere">
        {[...lines].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {mended.length > 0 && <p className="wrap-anywhere">추가할 이름: {mended.join(', ')}</p>}
      <div className="flex flex-wrap gap-2">
        <Button ref={focusOn} aria-disabled={isPending} onClick={() => onStore(mended)}>
          {mended.length === 0 ? '추가하지 않음' : `${mended.length}명 추가`}
        </Button>
        <Button variant="outline" aria-disabled={isPending} onClick={() => onStore(given)}>
          적은 그대로 {given.length}명 추가
        </Button>
      </div>
    </div>
  );
}
