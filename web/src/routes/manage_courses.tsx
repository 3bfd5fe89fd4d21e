import { createFileRoute, Link } from '@tanstack/react-router';
import { ComingPage } from '../components/layout/coming-page.tsx';
import { Button } from '../components/ui/button.tsx';
import { requireAccess } from '../guard.ts';

export const Route = createFileRoute('/manage_courses')({
  beforeLoad: requireAccess('/manage_courses'),
  component: () => (
    <ComingPage title="강의 관리" text="연구실 강의를 등록하고 고치는 화면을 준비하고 있습니다.">
      <Button asChild look="outline">
        <Link to="/manage_subjects_list">과목 목록</Link>
      </Button>
    </ComingPage>
  ),
});
