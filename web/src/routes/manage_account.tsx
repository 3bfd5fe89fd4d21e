import { createFileRoute } from '@tanstack/react-router';
import { ComingPage } from '../components/layout/coming-page.tsx';
import { requireAccess } from '../guard.ts';

export const Route = createFileRoute('/manage_account')({
  beforeLoad: requireAccess('/manage_account'),
  component: () => (
    <ComingPage title="랩비 관리" text="랩비의 입금과 출금을 기록하는 화면을 준비하고 있습니다." />
  ),
});
