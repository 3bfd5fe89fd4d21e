import { createFileRoute } from '@tanstack/react-router';
import { UsersScreen, type UsersTab } from '../features/users/screen.tsx';
import { requireAccess } from '../guard.ts';

// No loader: hovering over a link would read personal data, and the access log would tell of a visit that was none.
export const Route = createFileRoute('/manage_users')({
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: UsersTab } => (tab === 'log' ? { tab } : {}),
  beforeLoad: requireAccess('/manage_users'),
  component: function Users() {
    const { tab = 'users' } = Route.useSearch();
    const navigate = Route.useNavigate();
    return (
      <UsersScreen
        tab={tab}
        onTabChange={(next) =>
          void navigate({
            search: next === 'users' ? {} : { tab: next },
            replace: true,
            resetScroll: false,
          })
        }
      />
    );
  },
});
