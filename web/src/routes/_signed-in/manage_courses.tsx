import { createFileRoute } from '@tanstack/react-router';
import { staffCoursesQuery } from '../../features/courses/queries.ts';
import { CoursesScreen } from '../../features/courses/screen.tsx';

export const Route = createFileRoute('/_signed-in/manage_courses')({
  codeSplitGroupings: [['component', 'loader']],
  loader: ({ context, preload }) => {
    // Hovering over the link must not navigate when the response is a 403.
    if (preload) return;
    void context.queryClient.prefetchQuery(staffCoursesQuery);
  },
  component: CoursesScreen,
});
