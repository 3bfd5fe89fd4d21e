import { createFileRoute } from '@tanstack/react-router';
import { LandingScreen } from '../features/landing/screen.tsx';

export const Route = createFileRoute('/')({
  // The page that most visitors come for is in the first file, without another round trip.
  codeSplitGroupings: [],
  component: LandingScreen,
});
