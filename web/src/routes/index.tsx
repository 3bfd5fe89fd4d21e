import { createFileRoute } from '@tanstack/react-router';
import { loadPartsAhead } from '../features/landing/components/drawn.tsx';
import { LandingScreen } from '../features/landing/screen.tsx';

export const Route = createFileRoute('/')({
  // Most visitors come for this page, so it is in the first script.
  codeSplitGroupings: [],
  loader: loadPartsAhead,
  component: LandingScreen,
});
