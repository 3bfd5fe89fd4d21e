import { createFileRoute } from '@tanstack/react-router';
import { ErrorScreen } from '../features/errors/screen.tsx';
import { loadSubPageContent, ProjectScreen, useProject } from '../features/landing/sub-pages.tsx';
import { loadPublications, shownPublications } from '../features/publications/queries.ts';

/** `/projects/city-garden-network` and `/en/projects/…`. */
export const Route = createFileRoute('/{-$locale}/projects/$name')({
  codeSplitGroupings: [['component', 'loader']],
  loader: () => Promise.all([loadSubPageContent(), loadPublications()]),
  component: function Project() {
    const { locale, name } = Route.useParams();
    const project = useProject(name);
    const isPage = project !== undefined && (locale === undefined || locale === 'en');
    return isPage ? <ProjectScreen project={project} all={shownPublications()} /> : <ErrorScreen />;
  },
});
