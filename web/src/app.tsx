import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import type { createApp } from './router.tsx';

/** The whole page, the same in the browser and in the prerenderer. */
export function App({ queryClient, router }: ReturnType<typeof createApp>) {
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>
  );
}
