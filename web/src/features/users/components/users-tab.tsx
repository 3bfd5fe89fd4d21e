import { LEVELS, roleNames, type SecureLevel } from '#contract/access-levels';
import type { User } from '#contract/users';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState, useTransition } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { FailedPart, LoadingPart } from '../../../components/part-state.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { useLoginState } from '../../../lib/login-state.ts';
import { withEveryWord } from '../../../lib/word-search.ts';
import { carryOutMutation, usersQuery } from '../queries.ts';
import { wordsOf, type Question } from '../questions.ts';
import { readLevel, userEntries } from '../user-search.ts';
import { userColumns } from './user-columns.tsx';

type Asked = { question: Question; from: HTMLElement | null };

const ALL = 0;
const roleOptions = [
  { value: ALL, label: '모든 역할' },
  ...LEVELS.map((level) => ({ value: level, label: roleNames[level] })),
];

const none: User[] = [];
const userId = ({ id }: { id: number }) => id;

export function UsersTab() {
  const users = useQuery(usersQuery);
  const login = useLoginState();
  const level = readLevel(useSearch({ from: '/_signed-in' }));
  const navigate = useNavigate();
  const [words, setWords] = useState('');
  const [, startSearch] = useTransition();
  const [asked, setAsked] = useState<Asked>();
  const { mutate, isPending } = useMutation(carryOutMutation);
  const columns = useMemo(
    () => userColumns((question, from) => setAsked({ question, from }), isPending),
    [isPending],
  );
  const entries = useMemo(() => userEntries(users.data ?? none), [users.data]);
  const shown = useMemo(
    () => withEveryWord(entries, words).filter((user) => level === undefined || user.secure_level === level),
    [entries, words, level],
  );
  if (users.isPending) return <LoadingPart rows={6} className="h-9" />;
  if (!users.data) {
    return <FailedPart text="사용자를 불러오지 못했습니다." onRetry={() => void users.refetch()} />;
  }
  const unverified = users.data.filter((user) => user.univ_id !== null && !user.univ_id_verified).length;
  const question = asked && wordsOf(asked.question, asked.question.user.id === login.id);
  return (
    <>
      <search className="mb-3 flex flex-wrap items-end gap-3">
        <TextField
          className="w-full sm:w-80"
          label="검색"
          type="search"
          defaultValue={words}
          placeholder="이름, 초성, 이메일, 역할, 학번/직번"
          autoComplete="off"
          onChange={({ target }) => startSearch(() => setWords(target.value))}
        />
        <SelectField
          className="w-44"
          label="역할"
          name="표시할 역할"
          options={roleOptions}
          value={level ?? ALL}
          onChange={(next) =>
            void navigate({
              to: '.',
              search: next === ALL ? {} : { level: next },
              replace: true,
              resetScroll: false,
            })
          }
        />
        <p aria-live="polite" className="pb-2 text-sm text-ink-soft tabular-nums">
          {shown.length === users.data.length
            ? `${shown.length}명`
            : `${users.data.length}명 중 ${shown.length}명`}
          {unverified > 0 && ` · 학번/직번 미확인 ${unverified}명`}
        </p>
      </search>
      <DataTable
        caption="사용자"
        columns={columns}
        rows={shown}
        rowKey={userId}
        emptyText={users.data.length > 0 ? '검색 결과가 없습니다.' : '등록된 사용자가 없습니다.'}
        isStale={isPending}
        paper={{ title: paperTitle(words, level), unit: '명' }}
      />
      {asked && question && (
        <ConfirmDialog
          title={question.title}
          submitLabel={question.submit}
          isDestructive={question.isDestructive}
          returnFocusTo={asked.from}
          onCancel={() => setAsked(undefined)}
          onSubmit={() => {
            mutate(asked.question);
            setAsked(undefined);
          }}
        >
          {question.lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </ConfirmDialog>
      )}
    </>
  );
}

function paperTitle(words: string, level: SecureLevel | undefined): string {
  const narrowed = [
    ...(level === undefined ? [] : [roleNames[level]]),
    ...(words.trim() === '' ? [] : [`검색: ${words.trim()}`]),
  ];
  return narrowed.length === 0 ? '사용자' : `사용자 (${narrowed.join(', ')})`;
}
