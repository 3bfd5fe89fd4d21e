import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext } from '@tanstack/react-router';
import { PageFrame } from '../components/layout/page-frame.tsx';
import { ErrorScreen } from '../features/errors/screen.tsx';

type Context = { queryClient: QueryClient; previousAddress: () => string | undefined };

export const Route = createRootRouteWithContext<Context>()({
  component: PageFrame,
  notFoundComponent: () => <ErrorScreen />,
});
