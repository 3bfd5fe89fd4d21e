import { createFileRoute } from '@tanstack/react-router';
import { LogoutScreen } from '../features/login/logout-screen.tsx';

export const Route = createFileRoute('/logout')({ component: LogoutScreen });
