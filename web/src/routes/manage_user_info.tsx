import { createFileRoute } from '@tanstack/react-router';
import { UserInfoScreen } from '../features/login/user-info-screen.tsx';
import { requireAccess } from '../guard.ts';

export const Route = createFileRoute('/manage_user_info')({
  beforeLoad: requireAccess('/manage_user_info'),
  component: UserInfoScreen,
});
