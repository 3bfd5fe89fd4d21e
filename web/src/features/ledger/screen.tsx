import type { BookedEntry } from '#contract/ledger';
import { useQuery } from '@tanstack/react-query';
import { ManagementPage } from '../../components/layout/management-page.tsx';
import { FailedPart, LoadingPart } from '../../components/ui/part-state.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import { BookTab } from './components/book-tab.tsx';
import { DuesTab } from './components/dues-tab.tsx';
import { ImportTab } from './components/import-tab.tsx';
import { ReportTab } from './components/report-tab.tsx';
import { entriesQuery } from './queries.ts';
import type { LedgerTab } from './tab-name.ts';

const tabs: readonly { name: LedgerTab; label: string }[] = [
  { name: 'book', label: '내역' },
  { name: 'import', label: '가져오기' },
  { name: 'report', label: '통계·결산' },
  { name: 'dues', label: '회비' },
];

type Props = { tab: LedgerTab; onTabChange: (tab: LedgerTab) => void };

export function LedgerScreen({ tab, onTabChange }: Props) {
  return (
    <ManagementPage title="랩비 관리">
      <Tabs<LedgerTab> label="랩비 관리" tabs={tabs} current={tab} onChange={onTabChange}>
        <Panel tab={tab} />
      </Tabs>
    </ManagementPage>
  );
}

function Panel({ tab }: { tab: LedgerTab }) {
  const entries = useQuery(entriesQuery);
  if (entries.isPending) return <LoadingPart rows={8} className="h-9" />;
  if (!entries.data) {
    return <FailedPart text="내역을 불러오지 못했습니다." onRetry={() => void entries.refetch()} />;
  }
  const Tab = panels[tab];
  return <Tab entries={entries.data} />;
}

const panels: Record<LedgerTab, (props: { entries: BookedEntry[] }) => React.ReactNode> = {
  book: BookTab,
  import: ImportTab,
  report: ReportTab,
  dues: DuesTab,
};
