import { TabbedPage } from '../../components/layout/tabbed-page.tsx';
import { LogTab } from './components/log-tab.tsx';
import { UsersTab } from './components/users-tab.tsx';

const tabs = [
  { name: 'users', label: '사용자', Panel: UsersTab },
  { name: 'log', label: '접속 기록', Panel: LogTab },
] as const;

export function UsersScreen() {
  return <TabbedPage title="사용자 관리" tabs={tabs} />;
}
