import { type EntryWithBalance, balanceOn, isPlanned } from '#contract/ledger';
import { useIsMutating, useQuery } from '@tanstack/react-query';
import { useDeferredValue, type ReactNode, useMemo } from 'react';
import { termOfDay, termText } from '#contract/terms';
import { MINUTE_MS, seoulDay } from '#contract/time';
import { LeaveGuard } from '../../components/confirm-dialog.tsx';
import { TabbedPage } from '../../components/layout/management-page.tsx';
import { FailedPart, LoadingPart } from '../../components/part-state.tsx';
import { BookTab } from './book/book-tab.tsx';
import { DuesTab } from './dues/dues-tab.tsx';
import { ImportTab } from './import/import-tab.tsx';
import { ReportTab } from './report/report-tab.tsx';
import { entriesQuery, receiptUploadKey } from './queries.ts';
import { useNow } from '../../lib/server-time.ts';
import { signedWonText, wonText } from './labels.ts';
import { termStatement } from './totals.ts';

type Panel = (props: { entries: EntryWithBalance[] }) => ReactNode;

/** Loads the account's entries, which every tab needs. */
function withEntries(Tab: Panel) {
  return function TabWithEntries() {
    const entries = useQuery(entriesQuery);
    // The entries are deferred, so that the page stays responsive while thousands of entries render.
    const drawn = useDeferredValue(entries.data);
    if (drawn) return <Tab entries={drawn} />;
    if (entries.isPending || entries.data) return <LoadingPart rows={8} className="h-9" />;
    return <FailedPart text="내역을 불러오지 못했습니다." onRetry={() => void entries.refetch()} />;
  };
}

const tabs = [
  { name: 'book', label: '내역', Panel: withEntries(BookTab) },
  { name: 'import', label: '가져오기', Panel: withEntries(ImportTab), keeps: true },
  { name: 'report', label: '통계·결산', Panel: withEntries(ReportTab) },
  { name: 'dues', label: '회비', Panel: withEntries(DuesTab) },
] as const;

export function LedgerScreen() {
  const uploads = useIsMutating({ mutationKey: receiptUploadKey });
  return (
    <>
      <TabbedPage title="랩비 관리" beside={<BalanceSummary />} tabs={tabs} />
      <LeaveGuard isBusy={uploads > 0} title="영수증을 올리는 중입니다. 나갈까요?">
        <p>나가면 영수증이 저장되지 않을 수 있습니다.</p>
      </LeaveGuard>
    </>
  );
}

const NONE: EntryWithBalance[] = [];

/**
 * Today's balance, the balance after planned entries, and this semester's change. The height is reserved
 * before the data has loaded, so that the page does not jump.
 */
function BalanceSummary() {
  const { data: entries = NONE, isSuccess } = useQuery(entriesQuery);
  const today = seoulDay(useNow(MINUTE_MS));
  const { year, semester } = termOfDay(today);
  const statement = useMemo(
    () => termStatement(entries, today, { year, semester }),
    [entries, today, year, semester],
  );
  const balance = balanceOn(entries, today);
  const planned = entries.filter((entry) => isPlanned(entry, today)).length;
  return (
    <section
      aria-label="잔액"
      className={`ml-auto text-right text-xs leading-5 text-ink-soft tabular-nums max-sm:min-h-12 max-sm:w-full ${isSuccess ? '' : 'invisible'}`}
    >
      <p className="inline">
        현재 잔액{' '}
        <output
          aria-label="현재 잔액"
          className={`ml-1 text-xl font-bold ${balance < 0n ? 'text-danger' : 'text-ink'}`}
        >
          {wonText(balance)}
        </output>
      </p>
      {planned > 0 && (
        <p className="ml-3 inline">
          예정 {planned}건까지 {wonText(entries[0]?.balance ?? 0n)}
        </p>
      )}
      <p>
        {termText(statement.term)}
        {statement.planned > 0 && ` (예정 ${statement.planned}건 포함)`} 입금{' '}
        {signedWonText(statement.income)} · 출금 {signedWonText(-statement.expense)}
      </p>
    </section>
  );
}
