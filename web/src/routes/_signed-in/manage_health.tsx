import { createFileRoute } from '@tanstack/react-router';
import { HealthScreen } from '../../features/health/screen.tsx';

export const Route = createFileRoute('/_signed-in/manage_health')({
  staticData: { onForbidden: 'back' },
  component: HealthScreen,
});
