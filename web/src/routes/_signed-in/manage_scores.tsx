import { createFileRoute } from '@tanstack/react-router';
import { ScoresScreen } from '../../features/scores/screen.tsx';

export const Route = createFileRoute('/_signed-in/manage_scores')({
  component: ScoresScreen,
});
