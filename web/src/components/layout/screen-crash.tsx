import { useLocale } from '../../lib/locale.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../ui/button.tsx';

/** When a screen's code could not be loaded or failed: usually a new version was put up meanwhile. */
export function ScreenCrash() {
  useLocale();
  return (
    <div role="alert" className="page-column py-24">
      <h1 className="text-heading font-bold">{m.error_crashed()}</h1>
      <Button className="mt-6" onClick={() => location.reload()}>
        {m.error_reload()}
      </Button>
    </div>
  );
}
