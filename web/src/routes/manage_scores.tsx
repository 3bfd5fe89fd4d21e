import { createFileRoute } from '@tanstack/react-router';
import { ScoresScreen } from '../features/scores/screen.tsx';
import { requireAccess } from '../guard.ts';

export const Route = createFileRoute('/manage_scores')({
  beforeLoad: requireAccess('/manage_scores'),
  component: ScoresScreen,
});
