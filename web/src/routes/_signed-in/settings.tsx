import { createFileRoute } from '@tanstack/react-router';
import { SettingsScreen } from '../../features/settings/screen.tsx';

export const Route = createFileRoute('/_signed-in/settings')({
  component: SettingsScreen,
});
