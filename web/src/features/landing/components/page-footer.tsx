import type { LabContent } from '#content/lab.ko';
import { Link } from '@tanstack/react-router';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';

export function PageFooter({ lab }: { lab: LabContent }) {
  useLocale();
  return (
    <footer className="page-column mt-(--section-gap)">
      <div className="flex flex-wrap items-baseline justify-between gap-x-8 gap-y-2 border-t border-line py-8 text-sm text-ink-soft">
        <p>
          {lab.name}, {lab.affiliation}
        </p>
        <Link
          to="/docs/$name"
          params={{ name: 'privacy' }}
          className="inline-flex min-h-8 items-center underline-offset-4 hover:text-accent hover:underline"
        >
          {m.footer_privacy()}
        </Link>
      </div>
    </footer>
  );
}
