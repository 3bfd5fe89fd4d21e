import { createFileRoute } from '@tanstack/react-router';
import { readAddress } from '../../features/courses/address.ts';
import { staffCoursesQuery } from '../../features/courses/queries.ts';
import { CoursesScreen } from '../../features/courses/screen.tsx';

export const Route = createFileRoute('/_signed-in/manage_courses')({
  codeSplitGroupings: [['component', 'loader']],
  // Read by the screen: what stands here is in the first script of every page.
  validateSearch: (search: Record<string, unknown>) => search,
  loader: ({ context, preload }) => {
    // Who only hovers over the link must not be led away by an answer that forbids it.
    if (preload) return;
    void context.queryClient.prefetchQuery(staffCoursesQuery);
  },
  component: function Courses() {
    const address = readAddress(Route.useSearch());
    const navigate = Route.useNavigate();
    return (
      <CoursesScreen place={address} onMove={(next) => void navigate({ search: next, resetScroll: false })} />
    );
  },
});
