import { createFileRoute } from '@tanstack/react-router';
import { contentQuery } from '../../features/content/queries.ts';
import { ContentScreen } from '../../features/content/screen.tsx';

export const Route = createFileRoute('/_signed-in/manage_content')({
  codeSplitGroupings: [['component', 'loader']],
  loader: ({ context, preload }) => {
    // Hovering over the link preloads this route; a 403 must not redirect the user then.
    if (preload) return;
    void context.queryClient.prefetchQuery(contentQuery);
  },
  component: ContentScreen,
});
