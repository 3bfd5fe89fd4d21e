import { CatchBoundary } from '@tanstack/react-router';
import { lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';
import { PartCrash } from './part-crash.tsx';

type Places = {
  /** Shown while the code is loading. */
  pending?: ReactNode;
  /** Class names of the message shown when loading failed. */
  crashClassName?: string;
};

/**
 * A part of a page whose code is loaded when it is first rendered. If that fails, a message takes its place and the
 * rest of the page stays.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { pending, crashClassName }: Places = {},
) {
  // React caches a failed lazy component, so a retry needs a new one.
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
