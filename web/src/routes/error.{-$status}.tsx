import { createFileRoute } from '@tanstack/react-router';
import { ErrorScreen } from '../features/errors/screen.tsx';

export const Route = createFileRoute('/error/{-$status}')({
  component: function ErrorPage() {
    return <ErrorScreen status={Route.useParams().status} />;
  },
});
