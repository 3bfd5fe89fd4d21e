import { CatchBoundary, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState, type ComponentType, type ReactNode, useEffect } from 'react';
import { useLocale } from '../../lib/locale.ts';
import { m } from '../../paraglide/messages.js';

/** Prefix by which main.tsx marks the errors of files that could not be loaded. */
export const NOT_LOADED_PREFIX = 'not loaded:';

type Places = {
  pending?: ReactNode;
  /** Class names of the message shown when loading failed. */
  crashClassName?: string;
};

/**
 * A part of a page whose code is loaded when the part is first rendered. If loading fails, a message takes
 * the part's place and the rest of the page stays.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { pending, crashClassName }: Places = {},
) {
  // React caches a failed lazy component, so a retry needs a new component.
  const begin = () => lazy(async () => ({ default: await load() }));
  let Known = begin();
  const Part = (props: Props) => <Known {...props} />;
  const Crash = ({ error, reset }: { error: unknown; reset: () => void }) => {
    const [retry] = useState(() => () => {
      Known = begin();
      reset();
    });
    return <PartCrash error={error} onRetry={retry} className={crashClassName} />;
  };
  return (props: Props) => (
    <CatchBoundary getResetKey={() => load} errorComponent={Crash}>
      <Suspense fallback={pending}>
        <Part {...props} />
      </Suspense>
    </CatchBoundary>
  );
}

type Props = { error: unknown; onRetry: () => void; className?: string | undefined };

let retriedAt = Number.NEGATIVE_INFINITY;

/**
 * Firefox and Safari cache a failed module: if a retry fails immediately although the file is reachable, only
 * a reload of the page helps. Safari does not say which module failed.
 */
async function loadAnewIfStuck(error: unknown): Promise<void> {
  if (!(error instanceof Error) || !error.message.startsWith(NOT_LOADED_PREFIX)) return;
  if (performance.now() - retriedAt > 3000) return;
  const [address = '/'] = /https?:\S+\.js/.exec(error.message) ?? [];
  const { ok } = await fetch(address, { method: 'HEAD', cache: 'no-store' });
  if (ok) location.reload();
}

const buttonClass =
  'min-h-11 rounded-md border border-line-strong bg-surface px-5 font-semibold hover:border-accent hover:text-accent';

/**
 * Replaces a part whose code could not be loaded or threw an error; the rest of the page stays. Some browsers
 * cache a missing file for as long as the page lives, so there is always a button that reloads the page.
 */
function PartCrash({ error, onRetry, className = 'page-column py-12' }: Props) {
  useLocale();
  const retry = useCallback(() => {
    retriedAt = performance.now();
    onRetry();
  }, [onRetry]);
  const [isOutdated, setIsOutdated] = useState(false);
  useEffect(() => {
    isNewVersionOut().then(setIsOutdated, () => undefined);
    loadAnewIfStuck(error).catch(() => undefined);
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [error, retry]);
  return (
    <div role="alert" className={`flex flex-wrap items-center gap-4 ${className}`}>
      <p>{isOutdated ? m.error_outdated() : navigator.onLine ? m.error_crashed() : m.error_offline()}</p>
      {!isOutdated && (
        <button type="button" onClick={retry} className={buttonClass}>
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
export function ScreenCrash({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter();
  const [retry] = useState(() => () => void router.invalidate().then(reset));
  return <PartCrash error={error} onRetry={retry} />;
}

/** Whether the deployed site has a newer entry script than this page. */
async function isNewVersionOut(): Promise<boolean> {
  const src = document.querySelector('script[type=module]')?.getAttribute('src') ?? '';
  const page = await fetch('/', { cache: 'no-store' });
  return page.ok && !(await page.text()).includes(src);
}

/** Grey bars in place of a heading and rows, shown while a screen's code is loading. */
export function ScreenPending() {
  useLocale();
  return (
    <div className="page-column pt-6">
      <output className="sr-only">{m.loading()}</output>
      <div aria-hidden className="animate-pulse space-y-3 noscript:hidden">
        <div className="mb-9 h-10 max-w-56 rounded-md bg-sunken" />
        {Array.from({ length: 8 }, (_, row) => (
          <div key={row} className="h-9 rounded-md bg-sunken" />
        ))}
      </div>
    </div>
  );
}
