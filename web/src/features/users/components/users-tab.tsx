import { LEVELS, roleNames, type SecureLevel, ADMIN } from '#contract/access-levels';
import type { User } from '#contract/users';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState, useTransition, useRef } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { MissingPart } from '../../../components/part-state.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { useLoginState } from '../../../lib/login-state.ts';
import { filterByEveryWord, toSearchItem, type SearchItem } from '../../../lib/search-text.ts';
import { applyUserChangeMutation, usersQuery } from '../queries.ts';
import { userQuestionTexts, type UserQuestion, displayName } from '../questions.ts';
import { fieldColumn, type Column } from '../../../components/table-column.ts';
import { menuColumn, type RowAction } from '../../../components/row-menu.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Input } from '../../../components/ui/input.tsx';

type Asked = { question: UserQuestion; from: HTMLElement | null };

const ALL = 0;
const roleOptions = LEVELS.map((level) => ({ value: level, label: roleNames[level] }));
const shownRoleOptions = [{ value: ALL, label: '모든 역할' }, ...roleOptions];

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
  const { mutate, isPending } = useMutation(applyUserChangeMutation);
  const columns = useMemo(
    () => userColumns((question, from) => setAsked({ question, from }), isPending),
    [isPending],
  );
  const entries = useMemo(() => userEntries(users.data ?? none), [users.data]);
  const shown = useMemo(
    () =>
      filterByEveryWord(entries, words).filter((user) => level === undefined || user.secure_level === level),
    [entries, words, level],
  );
  if (!users.data)
    return <MissingPart of={users} text="사용자를 불러오지 못했습니다." rows={6} className="h-9" />;
  const unverified = users.data.filter((user) => user.univ_id !== null && !user.univ_id_verified).length;
  const question = asked && userQuestionTexts(asked.question, asked.question.user.id === login.id);
  return (
    <>
      <search className="mb-3 flex flex-wrap items-center gap-2">
        <Input
          size="sm"
          className="sm:w-80"
          aria-label="검색"
          type="search"
          defaultValue={words}
          placeholder="이름, 초성, 이메일, 역할, 학번/직번"
          autoComplete="off"
          onChange={({ target }) => startSearch(() => setWords(target.value))}
        />
        <SelectField
          className="w-40"
          isLabelHidden
          label="표시할 역할"
          size="sm"
          options={shownRoleOptions}
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
        <p aria-live="polite" className="px-1 text-sm text-ink-soft tabular-nums">
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
        printed={{ title: printedTitle(words, level), unit: '명' }}
      />
      {asked && question && (
        <ConfirmDialog
          title={question.title}
          submitLabel={question.submit}
          isDestructive={question.isDestructive}
          returnFocusTo={asked.from}
          onClose={() => setAsked(undefined)}
          onSubmit={() => mutate(asked.question)}
        >
          {question.lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </ConfirmDialog>
      )}
    </>
  );
}

function printedTitle(words: string, level: SecureLevel | undefined): string {
  const narrowed = [level && roleNames[level], words.trim() && `검색: ${words.trim()}`].filter(Boolean);
  return narrowed.length === 0 ? '사용자' : `사용자 (${narrowed.join(', ')})`;
}

/** Asks for confirmation; `from` gets the focus back. */
type Ask = (question: UserQuestion, from: HTMLElement | null) => void;

function userColumns(ask: Ask, isBusy: boolean): Column<User>[] {
  return [
    {
      key: 'name',
      header: '이름',
      isRowHeader: true,
      className: 'min-w-20 max-sm:w-full sm:max-w-40 wrap-anywhere',
      sortValue: (user) => user.name || null,
      cell: (user) => (
        <>
          <strong className="font-semibold">{user.name}</strong>
          <span data-aside className="block text-xs text-ink-soft sm:hidden">
            <MailLink address={user.email} />
            <span className="block">
              {[roleNames[user.secure_level], user.univ_id].filter(Boolean).join(' · ')}
              {user.univ_id !== null && !user.univ_id_verified && ' · 미확인'}
            </span>
          </span>
        </>
      ),
    },
    {
      ...fieldColumn<User, 'email'>('email', '이메일', { className: 'whitespace-nowrap', isOnWide: true }),
      cell: ({ email }) => <MailLink address={email} />,
    },
    {
      key: 'role',
      header: '역할',
      isOnWide: true,
      className: 'whitespace-nowrap',
      sortValue: (user) => user.secure_level,
      cell: (user) => roleNames[user.secure_level],
    },
    {
      key: 'univ_id',
      header: '학번/직번',
      isOnWide: true,
      sortValue: (user) => user.univ_id,
      cell: (user) => <UnivId user={user} ask={ask} isBusy={isBusy} />,
    },
    {
      key: 'level',
      isControl: true,
      header: '역할 조정',
      className: 'whitespace-nowrap',
      cell: (user) =>
        user.secure_level === ADMIN ? (
          <span className="text-ink-soft">변경 불가</span>
        ) : (
          <RoleSelect user={user} ask={ask} isBusy={isBusy} />
        ),
    },
    fieldColumn('id', 'ID', { align: 'end', isOnWide: true, className: 'text-ink-soft' }),
    menuColumn({
      name: displayName,
      actions: (user) => [
        ...numberActions(user, ask),
        { label: '삭제', isDestructive: true, onChoose: (from) => ask({ kind: 'delete', user }, from) },
      ],
      isBusy,
    }),
  ];
}

type CellProps = { user: User; ask: Ask; isBusy: boolean };

function RoleSelect({ user, ask, isBusy }: CellProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <SelectField<SecureLevel>
      className="-my-1 w-20"
      isLabelHidden
      ref={trigger}
      label={`${displayName(user)}의 역할 변경`}
      shown="변경"
      size="sm"
      options={roleOptions}
      value={user.secure_level}
      disabled={isBusy}
      onChange={(level) => ask({ kind: 'role', user, level }, trigger.current)}
    />
  );
}

function numberActions(user: User, ask: Ask): RowAction[] {
  const { univ_id: number, univ_id_verified: isVerified } = user;
  if (number === null) return [];
  const confirm: RowAction = {
    label: '학번/직번 확인',
    onChoose: (from) => ask({ kind: 'confirm-number', user, number }, from),
  };
  const release: RowAction = {
    label: '번호 연결 해제',
    isDestructive: true,
    onChoose: (from) => ask({ kind: 'release-number', user, number }, from),
  };
  return isVerified ? [release] : [confirm, release];
}

function UnivId({ user, ask, isBusy }: CellProps) {
  const { univ_id: number, univ_id_verified: isVerified } = user;
  if (number === null) return <span className="text-ink-soft">없음</span>;
  return (
    <span className="flex items-center gap-1 whitespace-nowrap">
      {number}
      {!isVerified && (
        <>
          <span className="rounded-sm bg-notice-wash px-1.5 py-0.5 text-xs font-semibold text-notice">
            미확인
          </span>
          <Button
            variant="ghost"
            size="sm"
            className="-my-1"
            disabled={isBusy}
            aria-label={`${displayName(user)}의 학번/직번 확인`}
            onClick={(event) => ask({ kind: 'confirm-number', user, number }, event.currentTarget)}
          >
            확인
          </Button>
        </>
      )}
    </span>
  );
}

const MailLink = ({ address }: { address: string }) => (
  <a href={`mailto:${address}`} className="wrap-anywhere underline-offset-4 hover:underline">
    <MailText address={address} />
  </a>
);

/** An email address that breaks only before the @ in a narrow cell. */
export function MailText({ address }: { address: string }) {
  const at = address.lastIndexOf('@');
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  );
}

export const userEntries = (users: readonly User[]): SearchItem<User>[] =>
  users.map((user) =>
    toSearchItem(user, user.name, [user.email, roleNames[user.secure_level], user.univ_id ?? '']),
  );

/** Reads the role from the address. The address does not contain the search text, because it is a name. */
export const readLevel = ({ level }: Record<string, unknown>): SecureLevel | undefined =>
  LEVELS.find((each) => each === level);
