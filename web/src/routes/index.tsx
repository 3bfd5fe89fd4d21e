import { createFileRoute } from '@tanstack/react-router';
import { loadPartsAhead } from '../features/landing/components/drawn.tsx';
import { LandingScreen } from '../features/landing/screen.tsx';

export const Route = createFileRoute('/')({
  // In the first script, because most visitors come for this page.
  codeSplitGroupings: [],
  loader: loadPartsAhead,
  component: LandingScreen,
});
