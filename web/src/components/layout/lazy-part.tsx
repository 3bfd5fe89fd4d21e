import { CatchBoundary } from '@tanstack/react-router';
import { lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';
import { PartCrash } from './part-crash.tsx';

type Places = {
  /** While the code is on its way. */
  pending?: ReactNode;
  /** Of the note that it did not come. */
  crashClassName?: string;
};

/** A part of a page whose code comes when it is needed. Where it does not come, its place says so and the page stays. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { pending, crashClassName }: Places = {},
) {
  // React keeps a failure for good: another try is another part.
  const begin = () => lazy(async () => ({ default: await load() }));
  let Known = begin();
  const Part = (props: Props) => <Known {...props} />;
  const Crash = ({ reset }: { reset: () => void }) => {
    const [retry] = useState(() => () => {
      Known = begin();
      reset();
    });
    return <PartCrash onRetry={retry} className={crashClassName} />;
  };
  return (props: Props) => (
    <CatchBoundary getResetKey={() => load} errorComponent={Crash}>
      <Suspense fallback={pending}>
        <Part {...props} />
      </Suspense>
    </CatchBoundary>
  );
}
