import { createFileRoute } from '@tanstack/react-router';
import { SettingsScreen } from '../features/settings/screen.tsx';
import { requireAccess } from '../guard.ts';

export const Route = createFileRoute('/settings')({
  beforeLoad: requireAccess('/settings'),
  component: SettingsScreen,
});
