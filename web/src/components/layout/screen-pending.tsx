import { useLocale } from '../../lib/locale.ts';
import { m } from '../../paraglide/messages.js';

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
