import { useQuery } from '@tanstack/react-query';
import { TabbedPage } from '../../components/layout/management-page.tsx';
import { awaitingQuery } from '../../lib/awaiting.ts';
import { LogTab } from './components/log-tab.tsx';
import { ReviewsTab } from './components/reviews-tab.tsx';
import { UsersTab } from './components/users-tab.tsx';

export function UsersScreen() {
  const due = useQuery(awaitingQuery).data?.users?.due_reviews ?? 0;
  return (
    <TabbedPage
      title="사용자 관리"
      tabs={[
        { name: 'users', label: '사용자', Panel: UsersTab },
        { name: 'log', label: '접속 기록', Panel: LogTab },
        { name: 'reviews', label: due > 0 ? `월별 점검 (${due})` : '월별 점검', Panel: ReviewsTab },
      ]}
    />
  );
}
