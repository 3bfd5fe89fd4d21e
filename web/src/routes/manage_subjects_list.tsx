import { createFileRoute } from '@tanstack/react-router';
import { ComingPage } from '../components/layout/coming-page.tsx';
import { requireAccess } from '../guard.ts';

export const Route = createFileRoute('/manage_subjects_list')({
  beforeLoad: requireAccess('/manage_subjects_list'),
  component: () => (
    <ComingPage title="과목 목록" text="학과별로 개설 과목을 찾아보는 화면을 준비하고 있습니다." />
  ),
});
