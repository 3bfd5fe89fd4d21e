import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { MoistureIllustration } from '../../components/moisture-illustration.tsx';
import { Button } from '../../components/ui/button.tsx';
import { useHome, useLocale } from '../../lib/locale.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { m } from '../../paraglide/messages.js';

const COUNTDOWN_SECONDS = 5;

/** The error screen, also shown for unknown addresses. Redirects to the main page after a countdown. */
export function ErrorScreen({ status }: { status?: string | undefined }) {
  useLocale();
  const isRefused = status === '401';
  const message = isRefused ? m.error_401() : m.error_404();
  usePageTitle(message);
  return (
    <section className="page-column grid min-h-[calc(100dvh-9rem)] content-center gap-x-16 py-10 lg:grid-cols-[1fr_30rem]">
      <div>
        <p aria-hidden className="text-title font-bold tracking-tight text-accent tabular-nums">
          {isRefused ? '401' : '404'}
        </p>
        <h1 className="mt-1 text-heading font-bold">{message}</h1>
        <p className="mt-3 text-ink-soft">{isRefused ? m.error_401_why() : m.error_404_why()}</p>
      </div>
      <div className="mt-8 self-center lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:mt-0">
        <MoistureIllustration hasGap />
      </div>
      <div>
        <Countdown />
      </div>
    </section>
  );
}

const never = () => () => undefined;

/** A countdown with a button that stops it. Without JavaScript it is not rendered. */
function Countdown() {
  useLocale();
  const home = useHome();
  const navigate = useNavigate();
  const [seconds, setSeconds] = useState(COUNTDOWN_SECONDS);
  const isAppThere = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const [isStopped, setStopped] = useState(false);
  useEffect(() => {
    if (isStopped) return undefined;
    if (seconds === 0) {
      // Without `replace`, the Back button would return here and start another countdown.
      void navigate({ to: '/', replace: true });
      return undefined;
    }
    const timer = setTimeout(() => setSeconds(seconds - 1), 1000);
    return () => clearTimeout(timer);
  }, [seconds, isStopped, navigate]);
  return (
    <>
      <p className="mt-6 min-h-6 text-ink-soft tabular-nums">
        {isStopped ? m.error_stays() : isAppThere && m.error_countdown({ seconds })}
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button asChild>
          <Link to={home}>{m.error_home()}</Link>
        </Button>
        <Button
          variant="outline"
          className={isAppThere ? '' : 'invisible'}
          aria-pressed={isStopped}
          onClick={() => setStopped(!isStopped)}
        >
          {m.error_stay()}
        </Button>
      </div>
    </>
  );
}
