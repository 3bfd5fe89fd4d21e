import type { RosterImport, RosterRow } from '#contract/students';
import { hasBegun, runningTerm, type Term, termText } from '#contract/terms';
import { useId, useMemo, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import type { Column } from '../../../components/table-column.ts';
import { serverNow } from '../../../lib/server-time.ts';
import { Button } from '../../../components/ui/button.tsx';
import { doubtsOf, type Corrections } from './doubtful-contacts.ts';
import type { Analysis } from './import-flow.ts';
import type { Kept, Preview, PreviewRow } from './import-preview.ts';
import { courseName } from '../term.ts';
import { BadRows } from './unreadable-rows.tsx';
import { DoubtList } from './doubtful-contacts-list.tsx';

const kindNames = { new: '신규', changed: '변경', unchanged: '동일' } as const;
const kindOrder = { new: 0, changed: 1, unchanged: 2 } as const;
const kindLooks = {
  new: 'bg-accent-wash text-accent',
  changed: 'bg-notice-wash text-notice',
  unchanged: 'bg-sunken text-ink-soft',
} as const;

const columns: Column<PreviewRow>[] = [
  {
    key: 'kind',
    header: '상태',
    width: '8%',
    sortValue: ({ kind }) => kindOrder[kind],
    cell: ({ kind }) => (
      <span className={`rounded-sm px-1.5 py-0.5 text-xs font-semibold whitespace-nowrap ${kindLooks[kind]}`}>
        {kindNames[kind]}
      </span>
    ),
  },
  {
    key: 'no',
    header: '순번',
    align: 'end',
    width: '5%',
    sortValue: ({ row }) => row.no,
    cell: ({ row }) => row.no,
  },
  { key: 'id', header: '학번', width: '10%', sortValue: ({ row }) => row.id, cell: ({ row }) => row.id },
  {
    key: 'name',
    header: '이름',
    isRowHeader: true,
    width: '9%',
    sortValue: ({ row }) => row.name,
    cell: ({ row }) => row.name,
  },
  { key: 'department', header: '학과', width: '11%', cell: ({ row }) => row.department },
  { key: 'year', header: '학년', align: 'end', width: '5%', cell: ({ row }) => row.year },
  { key: 'type', header: '학적상태', width: '7%', cell: ({ row }) => row.type },
  {
    key: 'tel',
    header: '연락처',
    width: '11%',
    className: 'whitespace-nowrap',
    cell: ({ row }) => contact(row, 'tel'),
  },
  { key: 'email', header: '이메일', width: '14%', cell: ({ row }) => contact(row, 'email') },
  {
    key: 'changes',
    header: '바뀌는 내용',
    width: '20%',
    className: 'min-w-72 wrap-anywhere',
    cell: ({ changes, kept, newer }) => (
      <>
        {changes.map(({ field, from, to }) => `${field} ${from === '' ? '' : `${from} → `}${to}`).join(', ')}
        {kept.length > 0 && (
          <span className="block text-ink-soft">{kept.map((each) => keptText(each, newer)).join(', ')}</span>
        )}
      </>
    ),
  },
];

/** Marked if it looks wrong. */
function contact(row: RosterRow, field: 'tel' | 'email') {
  const doubt = doubtsOf(row).find((each) => each.field === field);
  if (!doubt) return row[field];
  return (
    <>
      {row[field]} <span className="block text-xs font-semibold text-notice">{doubt.reason}</span>
    </>
  );
}

/** Why a pasted value is ignored. */
function keptText({ field, pasted, stored }: Kept, newer: Term | null): string {
  if (pasted === '' || !newer) return `${field} 빈 칸: ${stored} 유지`;
  return `${field} ${pasted} 반영 안 함: ${termText(newer)}의 ${stored} 유지`;
}

const previewId = ({ row }: PreviewRow) => row.id;

type Props = {
  analysis: Analysis;
  /** The row that the server rejected. */
  refused: string | undefined;
  isStoring: boolean;
  /** While corrections are being compared. */
  isComparing: boolean;
  onCorrect: (corrections: Corrections) => void;
  onSubmit: (roster: RosterImport) => void;
  onCancel: () => void;
};

/** What an import would do, before anything is sent. */
export function ImportPreview(props: Props) {
  const { analysis, refused, isStoring, isComparing, onCorrect, onSubmit, onCancel } = props;
  const { course, preview, bad } = analysis;
  const id = useId();
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const { new: added, changed, unchanged } = preview.counts;
  const isNothing = added + changed + removed.size === 0;
  const [asked, setAsked] = useState<{ running: Term; from: HTMLElement }>();
  const store = () => onSubmit({ ...course, data: preview.rows.map(({ row }) => row), remove: [...removed] });
  const doubts = useMemo(
    () => preview.rows.flatMap(({ row }) => doubtsOf(row).map((doubt) => ({ doubt, row }))),
    [preview.rows],
  );
  const older = preview.rows.filter(({ kept }) => kept.some(({ pasted }) => pasted !== '')).length;
  const empty = preview.rows.filter(({ kept }) => kept.some(({ pasted }) => pasted === '')).length;
  const toggle = (student: string) => {
    const next = new Set(removed);
    if (!next.delete(student)) next.add(student);
    setRemoved(next);
  };
  return (
    <section aria-labelledby={`${id}-title`} className="mt-10">
      <h2 id={`${id}-title`} className="text-lg font-bold">
        {courseName(course)} 미리보기
      </h2>
      <p aria-live="polite" className="mt-1 mb-3 text-sm text-ink-soft tabular-nums">
        신규 {added} · 변경 {changed} · 동일 {unchanged} · 명단에 없음 {preview.missing.length} · 오류{' '}
        {bad.length}
        {doubts.length > 0 && ` · 확인 ${doubts.length}`}
      </p>
      {older + empty > 0 && (
        <p className="mb-3 rounded-md bg-notice-wash px-4 py-3 text-sm text-notice">
          {older > 0 && `${older}명은 더 늦은 학기의 명단이 저장되어 있어 그 값을 그대로 둡니다. `}
          {empty > 0 && `${empty}명은 빈 칸이 있어 저장된 값을 그대로 둡니다.`}
        </p>
      )}
      {doubts.length > 0 && (
        <DoubtList doubts={doubts} isBusy={isComparing || isStoring} onCorrect={onCorrect} />
      )}
      <DataTable
        caption="미리보기"
        columns={columns}
        rows={preview.rows}
        rowKey={previewId}
        emptyText=""
        isStale={isStoring}
        pageKey="preview"
      />
      {preview.missing.length > 0 && (
        <fieldset className="mt-6 rounded-md border border-line px-4 pb-4">
          <legend className="px-1 font-semibold">
            붙여넣은 명단에 없는 수강생 {preview.missing.length}명
          </legend>
          <p className="mb-2 text-sm text-ink-soft">체크한 학생만 이 과목의 수강 기록이 삭제됩니다.</p>
          <ul className="max-h-72 columns-[16rem] overflow-y-auto">
            {preview.missing.map((row) => (
              <li key={row.id}>
                <label className="flex min-h-9 items-center gap-2 tabular-nums">
                  <input
                    type="checkbox"
                    checked={removed.has(row.id)}
                    onChange={() => toggle(row.id)}
                    className="size-4 accent-(--accent)"
                  />
                  {row.name} {row.id}
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
      )}
      {bad.length > 0 && <BadRows rows={bad} />}
      {refused !== undefined && (
        <p role="alert" className="mt-4 rounded-md bg-danger-wash px-4 py-3 text-danger">
          {refused}
        </p>
      )}
      <div className="mt-6 flex flex-wrap items-center gap-2">
        <Button
          disabled={isNothing}
          aria-disabled={isStoring || isComparing}
          onClick={(event) => {
            if (isStoring || isComparing) return;
            const now = serverNow();
            if (hasBegun(course, now)) store();
            else setAsked({ running: runningTerm(now), from: event.currentTarget });
          }}
        >
          {isStoring ? '저장하는 중' : submitLabel(preview.counts, removed.size)}
        </Button>
        <Button variant="outline" disabled={isStoring} onClick={onCancel}>
          취소
        </Button>
        {isNothing && <p className="text-ink-soft">바뀌는 내용이 없습니다.</p>}
      </div>
      {asked && (
        <ConfirmDialog
          title={`${termText(course)}는 아직 시작하지 않았습니다. 저장할까요?`}
          submitLabel="저장"
          returnFocusTo={asked.from}
          onCancel={() => setAsked(undefined)}
          onSubmit={() => {
            setAsked(undefined);
            store();
          }}
        >
          <p>
            지금은 {termText(asked.running)}입니다. 저장한 뒤에는 {termText(course)} 전의 명단으로 이 학생들의
            연락처를 바꿀 수 없습니다.
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}

/** Only rows that change something. */
function submitLabel(counts: Preview['counts'], removed: number): string {
  const stored = counts.new + counts.changed;
  const parts = [
    stored > 0 && `${stored}명 ${counts.changed === 0 ? '추가' : '반영'}`,
    removed > 0 && `${removed}명 수강 삭제`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? '반영' : parts.join(', ');
}
