import { createFileRoute } from '@tanstack/react-router';
import { serverNow } from '../../lib/server-time.ts';
import { validateChoice } from '../../features/subjects/choice-search.ts';
import { readChoice } from '../../features/subjects/choice.ts';
import { subjectsQuery } from '../../features/subjects/queries.ts';
import { SubjectsScreen } from '../../features/subjects/screen.tsx';
import { useChoice } from '../../features/subjects/use-choice.ts';

export const Route = createFileRoute('/_signed-in/manage_subjects_list')({
  codeSplitGroupings: [['component', 'loader']],
  // Read by the screen: what stands here is in the first script of every page.
  validateSearch: (search: Record<string, unknown>) => search,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps, preload }) => {
    // Who only hovers over the link must not be led away by an answer that forbids it.
    if (preload) return;
    const { departments, year, semester } = readChoice(validateChoice(deps, serverNow()), serverNow());
    for (const department of departments) {
      void context.queryClient.prefetchQuery(subjectsQuery({ department, year, semester }));
    }
  },
  component: function Subjects() {
    const navigate = Route.useNavigate();
    const [choice, choose] = useChoice(validateChoice(Route.useSearch(), serverNow()), (search) => {
      void navigate({ search, replace: true, resetScroll: false });
    });
    return <SubjectsScreen choice={choice} onChoose={choose} />;
  },
});
