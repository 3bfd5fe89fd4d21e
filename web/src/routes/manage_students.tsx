import { createFileRoute } from '@tanstack/react-router';
import { ComingPage } from '../components/layout/coming-page.tsx';
import { requireAccess } from '../guard.ts';

export const Route = createFileRoute('/manage_students')({
  beforeLoad: requireAccess('/manage_students'),
  component: () => (
    <ComingPage title="학생 관리" text="수강생 명단과 사진을 관리하는 화면을 준비하고 있습니다." />
  ),
});
