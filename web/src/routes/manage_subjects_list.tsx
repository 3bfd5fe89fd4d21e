import { createFileRoute } from '@tanstack/react-router';
import { validateChoice } from '../features/subjects/choice-search.ts';
import { readChoice, searchOf, type ChoiceSearch } from '../features/subjects/choice.ts';
import { subjectsQuery } from '../features/subjects/queries.ts';
import { SubjectsScreen } from '../features/subjects/screen.tsx';
import { requireAccess } from '../guard.ts';

export const Route = createFileRoute('/manage_subjects_list')({
  codeSplitGroupings: [['component', 'loader']],
  validateSearch: (search: Record<string, unknown>): ChoiceSearch => validateChoice(search, Date.now()),
  beforeLoad: requireAccess('/manage_subjects_list'),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    const { departments, year, semester } = readChoice(deps, Date.now());
    for (const department of departments) {
      void context.queryClient.prefetchQuery(subjectsQuery({ department, year, semester }));
    }
  },
  component: function Subjects() {
    const search = Route.useSearch();
    const navigate = Route.useNavigate();
    return (
      <SubjectsScreen
        choice={readChoice(search, Date.now())}
        onChoose={(choice) =>
          void navigate({ search: searchOf(choice, Date.now()), replace: true, resetScroll: false })
        }
      />
    );
  },
});
