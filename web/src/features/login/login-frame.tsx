import type { ReactNode } from 'react';
import { DocumentLink } from '../../components/document-link.tsx';
import { MoistureIllustration } from '../../components/moisture-illustration.tsx';
import { useLab } from '../../lib/lab-content.ts';
import { m } from '../../paraglide/messages.js';

/** The layout of the sign-in page: the lab's name beside a card. Also prerendered (prerender.tsx). */
export function LoginFrame({ children }: { children: ReactNode }) {
  const lab = useLab();
  return (
    <section className="page-column grid grid-cols-[minmax(0,1fr)] min-h-[calc(100dvh-9rem)] content-center items-center gap-x-16 gap-y-10 py-8 lg:grid-cols-[1fr_26rem]">
      <div>
        <p className="font-semibold text-accent">{lab.affiliation}</p>
        <p className="mt-2 text-title font-bold tracking-tight text-balance">{lab.name}</p>
        <p className="mt-4 max-w-[28rem] text-lead text-ink-soft max-lg:hidden">{lab.lead}</p>
        <div className="mt-6">
          <MoistureIllustration />
        </div>
      </div>
      <div className="mx-auto w-full max-w-[26rem]">
        <div className="rounded-lg border border-line bg-surface p-6 sm:p-9">
          <h1 className="text-heading font-bold">Login</h1>
          <p className="mt-2 text-ink-soft">{m.login_lead()}</p>
          <div className="mt-7 min-h-20 border-t border-line pt-7">{children}</div>
        </div>
        <p className="mt-5 px-1 text-sm text-ink-soft">
          {m.login_privacy()}{' '}
          <DocumentLink name="privacy" className="text-link">
            {m.footer_privacy()}
          </DocumentLink>
        </p>
      </div>
    </section>
  );
}
