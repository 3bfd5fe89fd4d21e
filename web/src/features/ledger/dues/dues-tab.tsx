import type { BookedEntry } from '#contract/ledger';
import { currentTerm, type Term, termText } from '#contract/terms';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { sortRowsByColumn, type SortOrder } from '../../../components/table-column.ts';
import { ReasonDialog } from '../../../components/reason-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { MissingPart } from '../../../components/part-state.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { saveFile } from '../../../lib/save-file.ts';
import { serverNow } from '../../../lib/server-time.ts';
import { showToast } from '../../../lib/toast-queue.ts';
import { duesCsv, duesPaymentFormOf, shownDues, termsBefore, type ShownDue } from './dues-list.ts';
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
import { MatchDialog } from './match-dialog.tsx';
import { PayDialog } from './pay-dialog.tsx';

/** Number of selectable semesters: four years. */
const TERMS = 8;

type Asked = { from: HTMLElement } & (
  { kind: 'pay' | 'takeBack' | 'join' | 'delete'; due: ShownDue } | { kind: 'export' | 'print' | 'match' }
);

export function DuesTab({ entries }: { entries: BookedEntry[] }) {
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

function TermDues({ term, entries }: { term: Term; entries: BookedEntry[] }) {
  const dues = useQuery(duesQuery(term));
  const [asked, setAsked] = useState<Asked>();
  const [order, setOrder] = useState<SortOrder>();
  const { mutate: change, isPending } = useMutation(changeDueMutation(term));
  const { mutate: payAll, isPending: isPaying } = useMutation(payDuesMutation(term));
  const shown = useMemo(() => dues.data && shownDues(dues.data, entries), [dues.data, entries]);
  const { mutate: remove } = useMutation(deleteDueNameMutation);
  const columns = useMemo(
    () =>
      dueColumns({
        onPay: (due, from) => setAsked({ kind: 'pay', due, from }),
        onTakeBack: (due, from) => setAsked({ kind: 'takeBack', due, from }),
        onJoin: (due, from) => setAsked({ kind: 'join', due, from }),
        onDelete: (due, from) => setAsked({ kind: 'delete', due, from }),
      }),
    [],
  );
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
  return (
    <>
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
          {paid < shown.length && (
            <Button
              size="sm"
              onClick={({ currentTarget }) => setAsked({ kind: 'match', from: currentTarget })}
            >
              입금 내역 대조
            </Button>
          )}
          <Button
            variant="outline"
            size="sm"
            disabled={shown.length === 0}
            onClick={(event) => setAsked({ kind: 'export', from: event.currentTarget })}
          >
            CSV 저장
          </Button>
          <Button
            variant="outline"
            size="sm"
            disabled={shown.length === 0}
            onClick={(event) => setAsked({ kind: 'print', from: event.currentTarget })}
          >
            인쇄
          </Button>
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
      {asked?.kind === 'match' && (
        <MatchDialog
          dues={shown}
          entries={entries}
          payments={dues.data.payments}
          term={term}
          returnFocusTo={asked.from}
          onClose={close}
          onSubmit={(payments) => {
            payAll(payments);
            close();
          }}
        />
      )}
      {asked?.kind === 'takeBack' && (
        <ConfirmDialog
          title={`${asked.due.name} 님의 납부 처리를 취소할까요?`}
          submitLabel="납부 취소"
          isDestructive
          returnFocusTo={asked.from}
          onClose={close}
          onSubmit={() => change(duesPaymentFormOf(asked.due, null))}
        >
          <p>미납으로 바뀝니다. 랩비 내역은 그대로 남습니다.</p>
        </ConfirmDialog>
      )}
      {asked?.kind === 'join' && (
        <ConfirmDialog
          title={`${asked.due.name} 님의 두 행을 하나로 합칠까요?`}
          submitLabel="합치기"
          returnFocusTo={asked.from}
          onClose={close}
          onSubmit={() => {
            const { id, joinsUser } = asked.due;
            if (id !== null && joinsUser !== undefined) change({ id, user_id: joinsUser });
          }}
        >
          <p>이름만 있는 행을 이름이 같은 사용자의 행과 합칩니다. 납부 내역은 사용자에게 남습니다.</p>
        </ConfirmDialog>
      )}
      {asked?.kind === 'delete' && (
        <ConfirmDialog
          title={`${asked.due.name} 님을 이 학기 명단에서 삭제할까요?`}
          submitLabel="삭제"
          isDestructive
          returnFocusTo={asked.from}
          onClose={close}
          onSubmit={() => {
            if (asked.due.id !== null) remove(asked.due.id);
          }}
        >
          <p>랩비 내역은 그대로 남습니다.</p>
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
    </>
  );
}

const dueKey = ({ id, user_id }: ShownDue) => (user_id === null ? `name-${id}` : `user-${user_id}`);
