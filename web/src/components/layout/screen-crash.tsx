import { useLocale } from '../../lib/locale.ts';
import { m } from '../../paraglide/messages.js';

/** When a screen's code could not be loaded or failed: offline, or a new version was put up meanwhile. */
export function ScreenCrash() {
  useLocale();
  return (
    <div role="alert" className="page-column space-y-4 py-12">
      <h1 className="text-heading font-bold">{m.error_crashed()}</h1>
      {!navigator.onLine && <p>{m.error_offline()}</p>}
      <button
        type="button"
        onClick={() => location.reload()}
        className="min-h-11 rounded-md border border-line-strong bg-surface px-5 font-semibold hover:border-accent hover:text-accent"
      >
        {m.error_reload()}
      </button>
    </div>
  );
}
