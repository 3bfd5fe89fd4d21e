import { ADMIN, LEVELS, roleNames, type SecureLevel } from '#contract/access-levels';
import type { User } from '#contract/users';
import { useRef } from 'react';
import type { Column } from '../../../components/table-column.ts';
import { deleteColumn } from '../../../components/delete-column.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { displayName, type Question } from '../questions.ts';

/** Asks for confirmation. `from` gets the focus back. */
type Ask = (question: Question, from: HTMLElement | null) => void;

const roleOptions = LEVELS.map((level) => ({ value: level, label: roleNames[level] }));

export function userColumns(ask: Ask, isBusy: boolean): Column<User>[] {
  return [
    { key: 'id', header: 'ID', align: 'end', sortValue: (user) => user.id, cell: (user) => user.id },
    {
      key: 'name',
      header: '이름',
      isRowHeader: true,
      className: 'min-w-20 max-w-40 wrap-anywhere',
      sortValue: (user) => user.name || null,
      cell: (user) => <strong className="font-semibold">{user.name}</strong>,
    },
    {
      key: 'email',
      header: '이메일',
      className: 'whitespace-nowrap',
      sortValue: (user) => user.email,
      cell: (user) => user.email,
    },
    {
      key: 'role',
      header: '역할',
      className: 'whitespace-nowrap',
      sortValue: (user) => user.secure_level,
      cell: (user) => roleNames[user.secure_level],
    },
    {
      key: 'univ_id',
      header: '학번/직번',
      sortValue: (user) => user.univ_id,
      cell: (user) => <UnivId user={user} ask={ask} isBusy={isBusy} />,
    },
    {
      key: 'level',
      isControl: true,
      header: '역할 조정',
      className: 'w-48 min-w-44',
      cell: (user) =>
        user.secure_level === ADMIN ? (
          <span className="text-ink-soft">변경할 수 없음</span>
        ) : (
          <RoleSelect user={user} ask={ask} isBusy={isBusy} />
        ),
    },
    deleteColumn({
      label: (user) => `${displayName(user)} 삭제`,
      onDelete: (user, from) => ask({ kind: 'delete', user }, from),
      header: '작업',
      isBusy,
    }),
  ];
}

type CellProps = { user: User; ask: Ask; isBusy: boolean };

function RoleSelect({ user, ask, isBusy }: CellProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <SelectField<SecureLevel>
      isLabelHidden
      ref={trigger}
      label={`${displayName(user)}의 역할`}
      size="sm"
      options={roleOptions}
      value={user.secure_level}
      disabled={isBusy}
      onChange={(level) => ask({ kind: 'role', user, level }, trigger.current)}
    />
  );
}

function UnivId({ user, ask, isBusy }: CellProps) {
  const { univ_id: number, univ_id_verified: isVerified } = user;
  if (number === null) return <span className="text-ink-soft">없음</span>;
  return (
    <span className="flex items-center gap-1 whitespace-nowrap">
      <span className="mr-1 min-w-[9ch]">{number}</span>
      {!isVerified && (
        <span className="rounded-sm bg-notice-wash px-1.5 py-0.5 text-xs font-semibold text-notice">
          미확인
        </span>
      )}
      <span className="flex">
        {!isVerified && (
          <Button
            variant="ghost"
            size="sm"
            disabled={isBusy}
            aria-label={`${displayName(user)}의 학번/직번 확인`}
            onClick={(event) => ask({ kind: 'confirm-number', user, number }, event.currentTarget)}
          >
            확인
          </Button>
        )}
        <Button
          variant="ghost"
          size="sm"
          disabled={isBusy}
          aria-label={`${displayName(user)}의 학번/직번 해제`}
          onClick={(event) => ask({ kind: 'release-number', user, number }, event.currentTarget)}
        >
          해제
        </Button>
      </span>
    </span>
  );
}
