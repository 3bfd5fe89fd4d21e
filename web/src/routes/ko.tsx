import { createFileRoute } from '@tanstack/react-router';
import { loadPartsAhead } from '../features/landing/components/drawn.tsx';
import { LandingScreen } from '../features/landing/screen.tsx';

export const Route = createFileRoute('/ko')({
  codeSplitGroupings: [],
  loader: loadPartsAhead,
  component: LandingScreen,
});
