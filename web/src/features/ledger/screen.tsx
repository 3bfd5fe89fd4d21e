import type { BookedEntry } from '#contract/ledger';
import { useIsMutating, useQuery } from '@tanstack/react-query';
import { useDeferredValue, type ReactNode } from 'react';
import { LeaveGuard } from '../../components/leave-guard.tsx';
import { TabbedPage } from '../../components/layout/tabbed-page.tsx';
import { FailedPart, LoadingPart } from '../../components/part-state.tsx';
import { BalanceSummary } from './book/balance.tsx';
import { BookTab } from './book/book-tab.tsx';
import { DuesTab } from './dues/dues-tab.tsx';
import { ImportTab } from './import/import-tab.tsx';
import { ReportTab } from './report/report-tab.tsx';
import { entriesQuery, receiptUploadKey } from './queries.ts';

type Panel = (props: { entries: BookedEntry[] }) => ReactNode;

/** Loads the account's entries, which every tab needs. */
function withEntries(Tab: Panel) {
  return function TabWithEntries() {
    const entries = useQuery(entriesQuery);
    // Deferred: thousands of entries render in slices, so that the page stays responsive.
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
