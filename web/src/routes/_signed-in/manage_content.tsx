import { createFileRoute } from '@tanstack/react-router';
import { contentQuery } from '../../features/content/queries.ts';
import { ContentScreen } from '../../features/content/screen.tsx';

export const Route = createFileRoute('/_signed-in/manage_content')({
  codeSplitGroupings: [['component', 'loader']],
  loader: ({ context, preload }) => {
    // Hovering over the link must not navigate when the response is a 403.
    if (preload) return;
    void context.queryClient.prefetchQuery(contentQuery);
  },
  component: ContentScreen,
});
