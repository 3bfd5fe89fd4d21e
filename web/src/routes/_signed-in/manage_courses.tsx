import { createFileRoute } from '@tanstack/react-router';
import { staffCoursesQuery } from '../../features/courses/queries.ts';
import { CoursesScreen } from '../../features/courses/screen.tsx';

export const Route = createFileRoute('/_signed-in/manage_courses')({
  codeSplitGroupings: [['component', 'loader']],
  loader: ({ context, preload }) => {
    // Hovering over the link preloads this route; a 403 must not redirect the user then.
    if (preload) return;
    void context.queryClient.prefetchQuery(staffCoursesQuery);
  },
  component: CoursesScreen,
});
