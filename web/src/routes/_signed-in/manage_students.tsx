import { createFileRoute } from '@tanstack/react-router';
import { StudentsScreen } from '../../features/students/screen.tsx';
import { readTab, type StudentTab } from '../../features/students/tab-name.ts';

// No loader: hovering over a link would read personal data, and the access log would tell of a visit that was none.
export const Route = createFileRoute('/_signed-in/manage_students')({
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: StudentTab } => {
    const name = readTab(tab);
    return name === undefined ? {} : { tab: name };
  },
  component: function Students() {
    const { tab = 'list' } = Route.useSearch();
    const navigate = Route.useNavigate();
    return (
      <StudentsScreen
        tab={tab}
        onTabChange={(next) =>
          void navigate({
            search: next === 'list' ? {} : { tab: next },
            replace: true,
            resetScroll: false,
          })
        }
      />
    );
  },
});
