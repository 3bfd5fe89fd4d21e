import { createFileRoute } from '@tanstack/react-router';
import { LoginTestScreen } from '../features/login/test-screen.tsx';

export const Route = createFileRoute('/test')({ component: LoginTestScreen });
