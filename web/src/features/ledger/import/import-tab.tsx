import type { BookedEntry } from '#contract/ledger';
import { GiveTable } from '../../../components/import/give-table.tsx';
import { useGivenTable } from '../../../components/import/use-given-table.ts';
import { DraftNote } from '../../../components/draft-note.tsx';
import { useHeldFocus } from '../../../components/held-focus.ts';
import { useKeptText } from '../../../components/use-draft.ts';
import { CheckStep } from './check-step.tsx';
import { useImportRun } from './import-flow.ts';
import { ImportProgress } from './import-progress.tsx';
import { LedgerImports } from './ledger-imports.tsx';

export function ImportTab({ entries }: { entries: BookedEntry[] }) {
  const part = useHeldFocus<HTMLElement>();
  const kept = useKeptText('account/import');
  const year = useKeptText('account/import/year');
  const given = useGivenTable('account/import', kept);
  const { run, isSending, isElsewhere, hasFailed, start, goOn, stop, forget } = useImportRun(() => {
    kept.clear();
    year.clear();
    given.finish();
  });
  if (run) {
    return (
      <section aria-label="가져오기" tabIndex={-1} {...part}>
        <ImportProgress
          run={run}
          isSending={isSending}
          isElsewhere={isElsewhere}
          hasFailed={hasFailed}
          onStop={stop}
          onGoOn={goOn}
          onForget={forget}
        />
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
      <GiveTable
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
          isBusy={isSending}
          onStart={start}
        />
      )}
      <LedgerImports />
    </section>
  );
}
