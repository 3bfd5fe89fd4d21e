import { useEffect, useRef, useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { useLocale } from '../../lib/locale.ts';
import { m } from '../../paraglide/messages.js';
import { identityForSignIn, receiveCredential } from './google-identity.ts';

type Props = { canPrompt: boolean; onCredential: (credential: string) => void };

/** The provider's button, or a link to the redirect flow if its script is blocked. */
export function SignInButton({ canPrompt, onCredential }: Props) {
  const locale = useLocale();
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'waiting' | 'shown' | 'blocked'>('waiting');

  useEffect(() => receiveCredential(onCredential), [onCredential]);

  useEffect(() => {
    let isCurrent = true;
    const show = async () => {
      try {
        const identity = await identityForSignIn();
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
    identity?.prompt();
    return () => identity?.cancel?.();
  }, [canPrompt, state]);

  return (
    <div className="min-h-12">
      {state === 'waiting' && <p className="text-ink-soft">{m.login_button_waiting()}</p>}
      <div ref={place} hidden={state === 'blocked'} className="[color-scheme:light]" />
      {state === 'blocked' && (
        <>
          <p className="mb-4 text-ink-soft">{m.login_button_blocked()}</p>
          <Button asChild>
            <a href="/api/login/redirect">{m.login_button_redirect()}</a>
          </Button>
        </>
      )}
    </div>
  );
}
