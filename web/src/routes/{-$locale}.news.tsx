import { createFileRoute } from '@tanstack/react-router';
import { ErrorScreen } from '../features/errors/screen.tsx';
import { usePublicContent } from '../features/landing/content.ts';
import { loadSubPageContent, NewsScreen } from '../features/landing/sub-pages.tsx';

export const Route = createFileRoute('/{-$locale}/news')({
  codeSplitGroupings: [['component', 'loader']],
  loader: () => loadSubPageContent(),
  component: function News() {
    const { locale } = Route.useParams();
    const isPage = usePublicContent().news.length > 0 && (locale === undefined || locale === 'en');
    return isPage ? <NewsScreen /> : <ErrorScreen />;
  },
});
