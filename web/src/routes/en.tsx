import { createFileRoute } from '@tanstack/react-router';
import { preloadUnlessPrerendered } from '../features/landing/components/prerendered.tsx';
import { LandingScreen } from '../features/landing/screen.tsx';

export const Route = createFileRoute('/en')({
  codeSplitGroupings: [],
  loader: preloadUnlessPrerendered,
  component: LandingScreen,
});
