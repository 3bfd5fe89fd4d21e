import type { RosterRow } from '#contract/students';
import { termText, type Term } from '#contract/terms';
import type { CheckedRow } from '../../../components/import/import-kind.ts';
import type { Column } from '../../../components/table-column.ts';
import type { RosterField } from './roster-kind.ts';
import type { PreservedValue, PreviewedRows, PreviewRow } from './roster-preview.ts';

type RosterColumn = Column<CheckedRow<RosterField, RosterRow>>;

const kindNames = { new: '신규', changed: '변경', unchanged: '동일' } as const;
const kindOrder = { new: 0, changed: 1, unchanged: 2 } as const;
const kindLooks = {
  new: 'bg-accent-wash text-accent',
  changed: 'bg-notice-wash text-notice',
  unchanged: 'bg-sunken text-ink-soft',
} as const;

/** Whether a row is new, changed or the same. */
export function rowKindColumn(preview: PreviewedRows): RosterColumn {
  const kindOf = (row: RosterRow | undefined) => (row ? preview.get(row.id)?.kind : undefined);
  return {
    key: 'kind',
    header: '상태',
    width: '6%',
    sortValue: ({ row }) => {
      const kind = kindOf(row);
      return kind === undefined ? -1 : kindOrder[kind];
    },
    cell: ({ row, doubts }) => {
      const kind = kindOf(row);
      const isBad = row === undefined;
      // A row that is probably a known student is not shown as new.
      const isAsked =
        kind === 'new' && doubts.some(({ field, repair }) => field === 'id' && repair !== undefined);
      const look = isAsked
        ? kindLooks.changed
        : isBad
          ? 'bg-danger-wash text-danger'
          : kind
            ? kindLooks[kind]
            : '';
      return (
        <span className={`rounded-sm px-1.5 py-0.5 text-xs font-semibold whitespace-nowrap ${look}`}>
          {isAsked ? '확인' : isBad ? '오류' : kind && kindNames[kind]}
        </span>
      );
    },
  };
}

/** Shows what would change in the stored data. */
export function changesColumn(preview: PreviewedRows): RosterColumn {
  return {
    key: 'changes',
    header: '바뀌는 내용',
    width: '18%',
    className: 'min-w-60 wrap-anywhere',
    cell: ({ row }) => {
      const outcome = row && preview.get(row.id);
      return outcome && <Changes {...outcome} />;
    },
  };
}

function Changes({ changes, kept, newer }: PreviewRow) {
  return (
    <>
      {changes.map(changeText).join(', ')}
      {kept.length > 0 && (
        <span className="block text-ink-soft">{kept.map((each) => keptText(each, newer)).join(', ')}</span>
      )}
    </>
  );
}

function changeText({ field, from, to, isTyped }: PreviewRow['changes'][number]): string {
  return `${field} ${from === '' ? '' : `${from}${isTyped ? ' (직접 수정한 값)' : ''} → `}${to}`;
}

/** The reason why a pasted value is ignored. */
function keptText({ field, pasted, stored }: PreservedValue, newer: Term | null): string {
  if (pasted === '' || !newer) return `${field} 빈 칸: ${stored} 유지`;
  return `${field} ${pasted} 반영 안 함: ${termText(newer)}의 ${stored} 유지`;
}
