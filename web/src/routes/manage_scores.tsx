import { createFileRoute } from '@tanstack/react-router';
import { ComingPage } from '../components/layout/coming-page.tsx';
import { requireAccess } from '../guard.ts';

export const Route = createFileRoute('/manage_scores')({
  beforeLoad: requireAccess('/manage_scores'),
  component: () => (
    <ComingPage title="성적 관리" text="점수를 붙여 넣어 학점을 매기는 화면을 준비하고 있습니다." />
  ),
});
