import { createFileRoute } from '@tanstack/react-router';
import { StudentsScreen } from '../../features/students/screen.tsx';

// No loader: hovering over a link would read personal data and log an access that no user made.
export const Route = createFileRoute('/_signed-in/manage_students')({
  component: StudentsScreen,
});
