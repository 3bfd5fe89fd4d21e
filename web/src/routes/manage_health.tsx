import { createFileRoute } from '@tanstack/react-router';
import { HealthScreen } from '../features/health/screen.tsx';
import { requireAccess } from '../guard.ts';

export const Route = createFileRoute('/manage_health')({
  beforeLoad: requireAccess('/manage_health'),
  component: HealthScreen,
});
