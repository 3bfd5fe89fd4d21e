import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { enterPath } from './lib/locale.ts';
import { onLoginEvent } from './lib/login-event.ts';
import { loginState } from './lib/login-state.ts';
import { checkLogin, checkLoginOnce } from './lib/session.ts';
import { createApp } from './router.tsx';
import './styles.css';

enterPath(location.pathname);
// Open pages ask the server only when somebody seems to be signed in; guarded ones always ask.
if (loginState().isLoggedIn) void checkLoginOnce();
onLoginEvent(checkLogin);

const { queryClient, router } = createApp();
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
