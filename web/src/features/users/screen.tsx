import { ManagementPage } from '../../components/layout/management-page.tsx';
import { Tabs } from '../../components/ui/tabs.tsx';
import { LogTab } from './components/log-tab.tsx';
import { UsersTab as UsersPanel } from './components/users-tab.tsx';

export type UsersTab = 'users' | 'log';

const tabs = [
  { name: 'users', label: '사용자' },
  { name: 'log', label: '접속 기록' },
] as const;

type Props = { tab: UsersTab; onTabChange: (tab: UsersTab) => void };

export function UsersScreen({ tab, onTabChange }: Props) {
  return (
    <ManagementPage title="사용자 관리">
      <Tabs<UsersTab> label="사용자 관리" tabs={tabs} current={tab} onChange={onTabChange}>
        {tab === 'users' ? <UsersPanel /> : <LogTab />}
      </Tabs>
    </ManagementPage>
  );
}
