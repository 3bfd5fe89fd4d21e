import { CatchBoundary } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState, type ComponentType, type ReactNode } from 'react';
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
  let known = begin();
  return function LazyPart(props: Props) {
    const [Part, setPart] = useState(() => known);
    const retry = useCallback(() => {
      known = begin();
      setPart(() => known);
    }, []);
    return (
      <CatchBoundary
        getResetKey={() => Part}
        errorComponent={() => <PartCrash onRetry={retry} className={crashClassName} />}
      >
        <Suspense fallback={pending}>
          <Part {...props} />
        </Suspense>
      </CatchBoundary>
    );
  };
}
