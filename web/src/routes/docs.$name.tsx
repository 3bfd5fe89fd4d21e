import { createFileRoute } from '@tanstack/react-router';
import { DocScreen } from '../features/docs/screen.tsx';

export const Route = createFileRoute('/docs/$name')({
  component: function Doc() {
    return <DocScreen name={Route.useParams().name} />;
  },
});
