import type { EntryWithBalance } from '#contract/ledger';
import { currentTerm, type Term, termText } from '#contract/terms';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { useKeepFocus } from '../../../components/keep-focus.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { sortRowsByColumn, type SortOrder } from '../../../components/table-column.ts';
import { ReasonDialog } from '../../../components/reason-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { MissingPart } from '../../../components/part-state.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { saveFile } from '../../../lib/save-file.ts';
import { serverNow } from '../../../lib/server-time.ts';
import { showToast } from '../../../lib/toast-queue.ts';
import { dueKey, duesCsv, duesPaymentFormOf, shownDues, termsBefore, type ShownDue } from './dues-list.ts';
import {
  changeDueMutation,
  deleteDueNameMutation,
  duesQuery,
  exportDuesMutation,
  payDuesMutation,
} from '../queries.ts';
import { termKey } from '../totals.ts';
import { AddNames } from './add-names.tsx';
import { dueColumns } from './due-columns.tsx';
import { MatchedDeposits } from './matched-deposits.tsx';
import { PayDialog } from './pay-dialog.tsx';

/** Number of selectable semesters: four years. */
const TERMS = 8;

const questions = {
  takeBack: {
    title: '님의 납부 처리를 취소할까요?',
    submitLabel: '납부 취소',
    text: '미납으로 바뀝니다. 랩비 내역은 그대로 남습니다.',
  },
  join: {
    title: '님의 두 행을 하나로 합칠까요?',
    submitLabel: '합치기',
    text: '이름만 있는 행을 이름이 같은 사용자의 행과 합칩니다. 납부 내역은 사용자에게 남습니다.',
  },
  delete: {
    title: '님을 이 학기 명단에서 삭제할까요?',
    submitLabel: '삭제',
    text: '랩비 내역은 그대로 남습니다.',
  },
};

type Asked = { from: HTMLElement } & (
  | { kind: 'pay'; due: ShownDue }
  | { kind: keyof typeof questions; due: ShownDue }
  | { kind: 'export' | 'print' }
);

export function DuesTab({ entries }: { entries: EntryWithBalance[] }) {
  const [terms] = useState(() => termsBefore(currentTerm(serverNow()), TERMS));
  const [key, setKey] = useState<string>();
  const term = terms.find((each) => termKey(each) === key) ?? terms[0];
  if (!term) return null;
  return (
    <>
      <SelectField
        className="mb-6 w-44"
        label="학기"
        name="회비를 볼 학기"
        options={terms.map((each) => ({ value: termKey(each), label: termText(each) }))}
        value={termKey(term)}
        onChange={setKey}
      />
      <TermDues key={termKey(term)} term={term} entries={entries} />
    </>
  );
}

function TermDues({ term, entries }: { term: Term; entries: EntryWithBalance[] }) {
  const dues = useQuery(duesQuery(term));
  const [asked, setAsked] = useState<Asked>();
  const [order, setOrder] = useState<SortOrder>();
  const { mutate: change, isPending } = useMutation(changeDueMutation(term));
  const { mutate: payAll, isPending: isPaying } = useMutation(payDuesMutation(term));
  const shown = useMemo(() => dues.data && shownDues(dues.data, entries), [dues.data, entries]);
  const { mutate: remove } = useMutation(deleteDueNameMutation);
  const columns = useMemo(() => dueColumns((kind, due, from) => setAsked({ kind, due, from })), []);
  const part = useKeepFocus<HTMLElement>();
  const { mutate: exportList } = useMutation({
    ...exportDuesMutation(term),
    onSuccess: (_answer, { printed }) => {
      if (printed) return print();
      saveFile(
        `회비 ${termText(term)}.csv`,
        'text/csv;charset=utf-8',
        duesCsv(sortRowsByColumn(shown ?? [], columns, order), term),
      );
      showToast('내보내기 완료');
    },
  });
  if (!dues.data || !shown)
    return <MissingPart of={dues} text="회비 명단을 불러오지 못했습니다." rows={6} className="h-9" />;
  const paid = shown.filter(({ entry_id }) => entry_id !== null).length;
  const double = shown.filter(({ state }) => state === '이중 사용').length;
  const close = () => setAsked(undefined);
  const answer = (kind: keyof typeof questions, due: ShownDue) => {
    const { id, joinsUser } = due;
    if (kind === 'takeBack') change(duesPaymentFormOf(due, null));
    else if (id === null) return;
    else if (kind === 'delete') remove(id);
    else if (joinsUser !== undefined) change({ id, user_id: joinsUser });
  };
  return (
    <section aria-label={`${termText(term)} 회비`} tabIndex={-1} {...part}>
      <MatchedDeposits
        dues={shown}
        entries={entries}
        payments={dues.data.payments}
        term={term}
        isPending={isPaying}
        onSubmit={payAll}
      />
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <p aria-live="polite" className="text-sm text-ink-soft tabular-nums">
          <span key={`${paid}/${shown.length}`}>{`${shown.length}명 중 ${paid}명 납부`}</span>
          {double > 0 && (
            <span className="ml-2 rounded-sm bg-danger-wash px-1.5 py-0.5 font-semibold text-danger">
              이중 사용 {double}명
            </span>
          )}
        </p>
        <div className="flex flex-wrap gap-2">
          {(['export', 'print'] as const).map((kind) => (
            <Button
              key={kind}
              variant="outline"
              size="sm"
              disabled={shown.length === 0}
              onClick={({ currentTarget }) => setAsked({ kind, from: currentTarget })}
            >
              {kind === 'print' ? '인쇄' : 'CSV 저장'}
            </Button>
          ))}
        </div>
      </div>
      <DataTable
        caption="회비 명단"
        columns={columns}
        rows={shown}
        rowKey={dueKey}
        emptyText="회비를 낼 사람이 없습니다."
        isStale={isPending || isPaying}
        order={order}
        onOrder={setOrder}
        printed={{ title: `${termText(term)} 회비 명단`, unit: '명' }}
      />
      <AddNames term={term} dues={dues.data.dues} />
      {asked?.kind === 'pay' && (
        <PayDialog
          due={asked.due}
          dues={shown}
          entries={entries}
          payments={dues.data.payments}
          term={term}
          returnFocusTo={asked.from}
          onClose={close}
          onChoose={(entryId, share) => {
            change(duesPaymentFormOf(asked.due, entryId, share));
            close();
          }}
        />
      )}
      {asked && 'due' in asked && asked.kind !== 'pay' && (
        <ConfirmDialog
          title={`${asked.due.name} ${questions[asked.kind].title}`}
          submitLabel={questions[asked.kind].submitLabel}
          isDestructive={asked.kind !== 'join'}
          returnFocusTo={asked.from}
          onClose={close}
          onSubmit={() => answer(asked.kind, asked.due)}
        >
          <p>{questions[asked.kind].text}</p>
        </ConfirmDialog>
      )}
      {(asked?.kind === 'export' || asked?.kind === 'print') && (
        <ReasonDialog
          title={`${termText(term)} 회비 명단을 ${asked.kind === 'print' ? '인쇄합니다' : '내보냅니다'}`}
          submitLabel={asked.kind === 'print' ? '인쇄' : '저장'}
          returnFocusTo={asked.from}
          onClose={close}
          onSubmit={(reason) => exportList({ reason, printed: asked.kind === 'print' })}
        />
      )}
    </section>
  );
}
