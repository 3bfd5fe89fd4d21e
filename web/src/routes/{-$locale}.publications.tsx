import { createFileRoute } from '@tanstack/react-router';
import { ErrorScreen } from '../features/errors/screen.tsx';
import { shownPublications } from '../features/publications/queries.ts';
import { PublicationsScreen } from '../features/publications/screen.tsx';

/** `/publications` and `/en/publications`. Without publications, both are answered with 404. */
export const Route = createFileRoute('/{-$locale}/publications')({
  // The first script has no room for the publications.
  loader: async () => await (await import('../features/publications/queries.ts')).loadPublications(),
  component: function Publications() {
    const { locale } = Route.useParams();
    const isPage = shownPublications().length > 0 && (locale === undefined || locale === 'en');
    return isPage ? <PublicationsScreen /> : <ErrorScreen />;
  },
});
