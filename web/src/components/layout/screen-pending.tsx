import { LoadingPart } from '../ui/part-state.tsx';

export function ScreenPending() {
  return (
    <div className="page-column py-12">
      <LoadingPart rows={3} className="h-8" />
    </div>
  );
}
