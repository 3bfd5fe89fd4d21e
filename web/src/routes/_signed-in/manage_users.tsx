import { createFileRoute } from '@tanstack/react-router';
import { UsersScreen, type UsersTab } from '../../features/users/screen.tsx';

// No loader: hovering over a link would read personal data, and the access log would tell of a visit that was none.
export const Route = createFileRoute('/_signed-in/manage_users')({
  staticData: { onForbidden: 'back' },
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: UsersTab } => (tab === 'log' ? { tab } : {}),
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
