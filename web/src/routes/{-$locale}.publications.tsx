import { createFileRoute } from '@tanstack/react-router';
import { publications } from 'virtual:publications';
import { ErrorScreen } from '../features/errors/screen.tsx';
import { PublicationsScreen } from '../features/publications/screen.tsx';

/** `/publications` and `/en/publications`. Without publications neither is a page. */
export const Route = createFileRoute('/{-$locale}/publications')({
  component: function Publications() {
    const { locale } = Route.useParams();
    const isPage = publications.length > 0 && (locale === undefined || locale === 'en');
    return isPage ? <PublicationsScreen /> : <ErrorScreen />;
  },
});
