import { createFileRoute } from '@tanstack/react-router';
import { loadDoc } from '../features/docs/queries.ts';
import { DocScreen } from '../features/docs/screen.tsx';

export const Route = createFileRoute('/en_/docs/$name')({
  codeSplitGroupings: [['component', 'loader']],
  loader: ({ params, context }) => loadDoc(params.name, context.queryClient),
  component: function Doc() {
    return <DocScreen name={Route.useParams().name} built={Route.useLoaderData()} />;
  },
});
