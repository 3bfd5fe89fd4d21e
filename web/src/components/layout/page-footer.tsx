import { labContent } from '../../lib/lab-content.ts';
import { useLocale } from '../../lib/locale.ts';
import { m } from '../../paraglide/messages.js';
import { DocumentLink } from '../document-link.tsx';

const linkClass = 'inline-flex min-h-8 items-center underline-offset-4 hover:text-accent hover:underline';

/** Below every public page. */
export function PageFooter() {
  const lab = labContent(useLocale());
  return (
    <footer className="page-column mt-(--section-gap)">
      <div className="flex flex-wrap items-baseline justify-between gap-x-8 gap-y-2 border-t border-line py-8 text-sm text-ink-soft">
        <p>
          {lab.name}, {lab.affiliation}
        </p>
        <p className="flex flex-wrap gap-x-6">
          <DocumentLink name="accessibility" className={linkClass}>
            {m.footer_accessibility()}
          </DocumentLink>
          <DocumentLink name="privacy" className={linkClass}>
            {m.footer_privacy()}
          </DocumentLink>
        </p>
      </div>
    </footer>
  );
}
