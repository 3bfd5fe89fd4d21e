import { useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { copyToClipboard } from '../../lib/copy-text.ts';
import { useLocale } from '../../lib/locale.ts';
import { m } from '../../paraglide/messages.js';
import { inAppBrowser } from './in-app-browser.ts';

/** In an app's own browser, says that Google refuses it and how to leave it. Elsewhere renders nothing. */
export function InAppNote() {
  useLocale();
  const [isCopied, setIsCopied] = useState<boolean>();
  const { href } = location;
  const inApp = inAppBrowser(navigator.userAgent, new URL(href));
  if (!inApp) return null;
  return (
    <div className="mb-6 space-y-4 border-b border-line pb-6">
      <p>{m.login_in_app({ app: inApp.app })}</p>
      <div className="flex flex-wrap gap-3">
        <Button asChild>
          <a href={inApp.outside}>{m.login_open_outside()}</a>
        </Button>
        <Button variant="outline" onClick={() => void copyToClipboard(href).then(setIsCopied)}>
          {m.copy_address()}
        </Button>
      </div>
      <output className="block text-sm text-ink-soft">
        {isCopied !== undefined && (
          <span>{isCopied ? m.copied() : m.login_copy_by_hand({ address: href })}</span>
        )}
      </output>
    </div>
  );
}
