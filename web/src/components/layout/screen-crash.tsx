import { useLocale } from '../../lib/locale.ts';
import { m } from '../../paraglide/messages.js';

/** When a screen's code could not be loaded or failed: usually a new version was put up meanwhile. */
export function ScreenCrash() {
  useLocale();
  return (
    <div role="alert" className="page-column py-24">
      <h1 className="text-heading font-bold">{m.error_crashed()}</h1>
      <button
        type="button"
        onClick={() => location.reload()}
        className="mt-6 min-h-11 rounded-md bg-accent px-5 font-semibold text-on-accent hover:bg-accent-strong"
      >
        {m.error_reload()}
      </button>
    </div>
  );
}
