import { createFileRoute } from '@tanstack/react-router';
import { LoginScreen } from '../features/login/screen.tsx';

/** Result of the redirect flow: signed in, or refused with a status. */
type LoginSearch = { redirected?: 1; failed?: 401 | 429 | 503 };

export const Route = createFileRoute('/login')({
  validateSearch: ({ redirected, failed }: Record<string, unknown>): LoginSearch => ({
    ...(redirected === 1 && { redirected }),
    ...((failed === 401 || failed === 429 || failed === 503) && { failed }),
  }),
  component: function Login() {
    return <LoginScreen {...Route.useSearch()} />;
  },
});
