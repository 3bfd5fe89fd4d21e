import { createFileRoute } from '@tanstack/react-router';
import { UserInfoScreen } from '../../features/login/user-info-screen.tsx';

export const Route = createFileRoute('/_signed-in/manage_user_info')({
  component: UserInfoScreen,
});
