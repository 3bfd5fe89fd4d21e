import { CatchBoundary, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useState, type ComponentType, type ReactNode, useEffect } from 'react';
import { useLocale } from '../../lib/locale.ts';
import { m } from '../../paraglide/messages.js';

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

type Props = { onRetry: () => void; className?: string | undefined };

const buttonClass =
  'min-h-11 rounded-md border border-line-strong bg-surface px-5 font-semibold hover:border-accent hover:text-accent';

/**
 * Replaces a part whose code could not be loaded or threw; the rest of the page stays. Some browsers cache a missing
 * file for as long as the page lives, so there is always a button that reloads the page.
 */
function PartCrash({ onRetry, className = 'page-column py-12' }: Props) {
  useLocale();
  const [isOutdated, setIsOutdated] = useState(false);
  useEffect(() => {
    isNewVersionOut().then(setIsOutdated, () => undefined);
    addEventListener('online', onRetry);
    return () => removeEventListener('online', onRetry);
  }, [onRetry]);
  return (
    <div role="alert" className={`flex flex-wrap items-center gap-4 ${className}`}>
      <p>{isOutdated ? m.error_outdated() : navigator.onLine ? m.error_crashed() : m.error_offline()}</p>
      {!isOutdated && (
        <button type="button" onClick={onRetry} className={buttonClass}>
          {m.retry()}
        </button>
      )}
      <button type="button" onClick={() => location.reload()} className={buttonClass}>
        {m.error_reload()}
      </button>
    </div>
  );
}

/** Replaces a whole screen. The router loads its code, guard and data again. */
export function ScreenCrash({ reset }: { reset: () => void }) {
  const router = useRouter();
  const [retry] = useState(() => () => void router.invalidate().then(reset));
  return <PartCrash onRetry={retry} />;
}

/** Whether the deployed site has a newer entry script than this page. */
async function isNewVersionOut(): Promise<boolean> {
  const src = document.querySelector('script[type=module]')?.getAttribute('src') ?? '';
  const page = await fetch('/', { cache: 'no-store' });
  return page.ok && !(await page.text()).includes(src);
}

/** Shown while a screen's code is loading. */
export function ScreenPending() {
  useLocale();
  return (
    <div className="page-column space-y-4 py-12">
      <output className="sr-only">{m.loading()}</output>
      <div aria-hidden className="h-8 max-w-md animate-pulse rounded-md bg-sunken" />
      <div aria-hidden className="h-8 animate-pulse rounded-md bg-sunken" />
    </div>
  );
}
