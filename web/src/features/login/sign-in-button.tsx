import { useEffect, useRef, useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { useLocale } from '../../lib/locale.ts';
import { m } from '../../paraglide/messages.js';
import { callGoogleSafely, loadGoogleIdentity, setCredentialReceiver } from './google-identity.ts';
import { copyToClipboard } from '../../lib/copy-text.ts';
import { inAppBrowser } from './user-agent.ts';

const BUTTON_PATIENCE_MS = 3000;

type Props = { canPrompt: boolean; onCredential: (credential: string) => void };

/** The provider's button, or a link to the redirect flow while no button is visible. */
export function SignInButton({ canPrompt, onCredential }: Props) {
  const locale = useLocale();
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'waiting' | 'shown' | 'blocked'>('waiting');

  useEffect(() => setCredentialReceiver(onCredential), [onCredential]);

  useEffect(() => {
    let isCurrent = true;
    const show = async () => {
      try {
        const identity = await loadGoogleIdentity();
        if (!isCurrent || !place.current) return;
        place.current.replaceChildren();
        identity.renderButton(place.current, {
          type: 'standard',
          theme: 'outline',
          size: 'large',
          text: 'signin_with',
          width: 280,
          locale,
        });
        setState('shown');
      } catch (error) {
        console.warn('signing in by redirect instead', error);
        if (isCurrent) setState('blocked');
      }
    };
    void show();
    return () => {
      isCurrent = false;
    };
  }, [locale]);

  useEffect(() => {
    if (!canPrompt || state !== 'shown') return undefined;
    const identity = window.google?.accounts?.id;
    callGoogleSafely(() => identity?.prompt());
    return () => callGoogleSafely(() => identity?.cancel?.());
  }, [canPrompt, state]);

  // Google's button may appear late or not at all.
  const [isMissing, setIsMissing] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => setIsMissing(!hasSize(place.current)), BUTTON_PATIENCE_MS);
    return () => clearInterval(timer);
  }, []);
  const needsLink = state === 'blocked' || isMissing;

  return (
    <div className="min-h-12">
      <InAppNote />
      {state === 'waiting' && !needsLink && <p className="text-ink-soft">{m.login_button_waiting()}</p>}
      <div ref={place} hidden={state === 'blocked'} className="[color-scheme:light]" />
      {needsLink && (
        <>
          <p className="mb-4 text-ink-soft">{m.login_button_blocked()}</p>
          <Button asChild lines="more">
            <a href="/api/login/redirect">{m.login_button_redirect()}</a>
          </Button>
        </>
      )}
    </div>
  );
}

/** Whether any element in the container is visible. */
function hasSize(place: HTMLElement | null): boolean {
  return Array.from(place?.querySelectorAll('*') ?? []).some((element) => {
    const { width, height } = element.getBoundingClientRect();
    return element.childElementCount === 0 && width > 8 && height > 8;
  });
}

/** Tells users of an in-app browser that Google refuses the browser, and how to open another browser. */
function InAppNote() {
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
