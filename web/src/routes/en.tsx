import { createFileRoute } from '@tanstack/react-router';
import { LandingScreen } from '../features/landing/screen.tsx';

export const Route = createFileRoute('/en')({
  codeSplitGroupings: [],
  component: LandingScreen,
});
