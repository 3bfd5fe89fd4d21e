import { createFileRoute } from '@tanstack/react-router';
import { staffCoursesQuery } from '../../features/courses/queries.ts';
import { CoursesScreen } from '../../features/courses/screen.tsx';

export const Route = createFileRoute('/_signed-in/manage_courses')({
  codeSplitGroupings: [['component', 'loader']],
  loader: ({ context, preload }) => {
    // Who only hovers over the link must not be led away by an answer that forbids it.
    if (preload) return;
    void context.queryClient.prefetchQuery(staffCoursesQuery);
  },
  component: CoursesScreen,
});
