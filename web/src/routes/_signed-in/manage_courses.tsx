import { createFileRoute } from '@tanstack/react-router';
import { staffCoursesQuery } from '../../features/courses/queries.ts';
import { CoursesScreen, type CoursesPlace } from '../../features/courses/screen.tsx';

export const Route = createFileRoute('/_signed-in/manage_courses')({
  codeSplitGroupings: [['component', 'loader']],
  validateSearch: ({ tab, id }: Record<string, unknown>): CoursesPlace => {
    if (tab !== 'form') return {};
    return typeof id === 'number' && Number.isInteger(id) && id > 0 ? { tab, id } : { tab };
  },
  loader: ({ context, preload }) => {
    // Who only hovers over the link must not be led away by an answer that forbids it.
    if (preload) return;
    void context.queryClient.prefetchQuery(staffCoursesQuery);
  },
  component: function Courses() {
    const place = Route.useSearch();
    const navigate = Route.useNavigate();
    return (
      <CoursesScreen place={place} onMove={(next) => void navigate({ search: next, resetScroll: false })} />
    );
  },
});
