import { createFileRoute } from '@tanstack/react-router';
import { serverNow } from '../../lib/server-time.ts';
import { readSubjectsSearch } from '../../features/subjects/search-params.ts';
import { subjectsQuery } from '../../features/subjects/queries.ts';
import { SubjectsScreen } from '../../features/subjects/screen.tsx';

export const Route = createFileRoute('/_signed-in/manage_subjects_list')({
  codeSplitGroupings: [['component', 'loader']],
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps, preload }) => {
    // Hovering over the link preloads this route; a 403 must not redirect the user then.
    if (preload) return;
    const { departments, year, semester } = readSubjectsSearch(deps, serverNow());
    for (const department of departments) {
      void context.queryClient.prefetchQuery(subjectsQuery({ department, year, semester }));
    }
  },
  component: SubjectsScreen,
});
