import { createFileRoute } from '@tanstack/react-router';
import { preloadUnlessPrerendered } from '../features/landing/components/prerendered.tsx';
import { LandingScreen } from '../features/landing/screen.tsx';

export const Route = createFileRoute('/')({
  // This screen is in the first script, because most visitors come for this page.
  codeSplitGroupings: [],
  loader: preloadUnlessPrerendered,
  component: LandingScreen,
});
