import type { EntryWithBalance, StoredLedgerImport } from '#contract/ledger';
import { useMutation, useQuery } from '@tanstack/react-query';
import { DraftNote } from '../../../components/draft-note.tsx';
import { useKeepFocus } from '../../../components/keep-focus.ts';
import { TableInput } from '../../../components/import/table-input.tsx';
import { ImportList } from '../../../components/import/import-list.tsx';
import { useTableInput } from '../../../components/import/use-table-input.ts';
import { Button } from '../../../components/ui/button.tsx';
import { useAutosavedText } from '../../../components/use-draft.ts';
import { dayText, descriptionText, signedWonText } from '../labels.ts';
import { ledgerImportsQuery, undoLedgerImportMutation } from '../queries.ts';
import { CheckStep } from './check-step.tsx';
import { useImportRun } from './import-flow.ts';
import type { ImportRun } from './import-plan.ts';

export function ImportTab({ entries }: { entries: EntryWithBalance[] }) {
  const part = useKeepFocus<HTMLElement>();
  const kept = useAutosavedText('account/import');
  const year = useAutosavedText('account/import/year');
  const given = useTableInput('account/import', kept);
  const { run, ...sending } = useImportRun(() => {
    kept.clear();
    year.clear();
    given.finish();
  });
  if (run) {
    return (
      <section aria-label="가져오기" tabIndex={-1} {...part}>
        <ImportProgress run={run} {...sending} />
      </section>
    );
  }
  return (
    <section aria-label="가져오기" tabIndex={-1} className="space-y-6" {...part}>
      <DraftNote
        {...given.restored}
        onDiscard={() => {
          given.restored.onDiscard();
          year.clear();
        }}
      />
      <TableInput
        given={given}
        label="거래 내역"
        hint="은행에서 내려받은 거래 내역은 그대로 넣으세요. 직접 만든 표는 날짜, 내용, 금액 순서이고, 부호가 없는 금액은 입금, -12,000 · (12,000) · △12,000은 출금입니다."
      />
      {given.table && (
        <CheckStep
          key={given.table.id}
          table={given.table}
          entries={entries}
          yearText={year.text}
          onYear={year.setText}
          isBusy={sending.isSending}
          onStart={sending.start}
        />
      )}
      <LedgerImports />
    </section>
  );
}

type Props = ReturnType<typeof useImportRun> & { run: ImportRun };

/** Shows an import's progress, or after an interruption how many entries are stored and how to continue. */
function ImportProgress({ run, isSending, isElsewhere, hasFailed, stop, goOn, forget }: Props) {
  const { items, done } = run;
  const last = items[done - 1]?.entry;
  return (
    <section aria-label="가져오기 진행" className="max-w-2xl space-y-4">
      <div className="flex items-center gap-3">
        <progress
          aria-label="가져오기"
          max={items.length}
          value={done}
          className="h-2 grow overflow-hidden rounded-sm"
        />
        <output className="text-sm tabular-nums">
          {done} / {items.length}
        </output>
      </div>
      {isElsewhere ? (
        <p>다른 탭에서 한 건씩 저장하고 있습니다.</p>
      ) : isSending ? (
        <>
          <p>한 건씩 저장하고 있습니다.</p>
          <Button variant="outline" onClick={stop}>
            중지
          </Button>
        </>
      ) : (
        <>
          <div
            role="alert"
            className={`space-y-1 rounded-md px-4 py-3 ${hasFailed ? 'bg-danger-wash text-danger' : 'bg-notice-wash text-notice'}`}
          >
            <p className="tabular-nums">
              {items.length}건 중 {done}건을 저장했습니다. 남은 {items.length - done}건은 보내지 않았거나 답을
              받지 못했습니다.
            </p>
            {last && (
              <p className="tabular-nums wrap-anywhere">
                마지막으로 저장된 내역: {dayText(last.datetime)} {descriptionText(last.description)}{' '}
                {signedWonText(last.amount)}
              </p>
            )}
            <p>이어서 저장해도 같은 내역이 두 번 저장되지 않습니다.</p>
          </div>
          <div className="flex gap-2">
            <Button onClick={goOn}>이어서 저장</Button>
            <Button variant="outline" onClick={forget}>
              중단
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

/** The recent imports, each with a button to undo it. */
function LedgerImports() {
  const imports = useQuery(ledgerImportsQuery);
  const { mutate, isPending } = useMutation(undoLedgerImportMutation);
  return (
    <ImportList
      imports={imports}
      what={({ first, last }) => (first === last ? dayText(first) : `${dayText(first)} – ${dayText(last)}`)}
      counts={({ entries, added, sum }) =>
        `${added === entries ? '' : `${added}건 중 `}${entries}건 · 합계 ${signedWonText(sum)}`
      }
      consequences={(item) => consequences(item, imports.data?.some(({ id }) => id > item.id) === true)}
      onUndo={mutate}
      isUndoing={isPending}
    />
  );
}

function consequences(
  { entries, added, corrected, receipts, dues }: StoredLedgerImport,
  hasLater: boolean,
): string[] {
  const isPart = added > entries;
  return [
    `남아 있는 내역 ${entries}건을 모두 삭제합니다.`,
    ...(isPart ? [`나머지 ${added - entries}건은 이미 삭제되었습니다.`] : []),
    ...(corrected > 0
      ? [`그 가운데 ${corrected}건은 가져온 뒤에 고친 내역입니다. 고친 내용도 함께 삭제됩니다.`]
      : []),
    // A later import left out the rows that this import had stored, so the undo removes these rows too.
    ...(hasLater ? ['이 뒤에 가져온 파일에 같은 내역이 있었다면 그 파일을 다시 가져와야 채워집니다.'] : []),
    ...(receipts > 0 ? [`내역에 올린 영수증 ${receipts}개도 삭제됩니다.`] : []),
    ...(dues > 0 ? [`이 입금으로 납부한 회비 ${dues}건이 미납으로 돌아갑니다.`] : []),
  ];
}
