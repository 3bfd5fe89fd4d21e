import { createFileRoute } from '@tanstack/react-router';
import { validateChoice } from '../features/subjects/choice-search.ts';
import { readChoice, type ChoiceSearch } from '../features/subjects/choice.ts';
import { subjectsQuery } from '../features/subjects/queries.ts';
import { SubjectsScreen } from '../features/subjects/screen.tsx';
import { useChoice } from '../features/subjects/use-choice.ts';
import { requireAccess } from '../guard.ts';

export const Route = createFileRoute('/manage_subjects_list')({
  codeSplitGroupings: [['component', 'loader']],
  validateSearch: (search: Record<string, unknown>): ChoiceSearch => validateChoice(search, Date.now()),
  beforeLoad: requireAccess('/manage_subjects_list'),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps, preload }) => {
    // Who only hovers over the link must not be led away by an answer that forbids it.
    if (preload) return;
    const { departments, year, semester } = readChoice(deps, Date.now());
    for (const department of departments) {
      void context.queryClient.prefetchQuery(subjectsQuery({ department, year, semester }));
    }
  },
  component: function Subjects() {
    const navigate = Route.useNavigate();
    const [choice, choose] = useChoice(Route.useSearch(), (search) => {
      void navigate({ search, replace: true, resetScroll: false });
    });
    return <SubjectsScreen choice={choice} onChoose={choose} />;
  },
});
