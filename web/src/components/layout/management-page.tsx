import type { ReactNode } from 'react';
import { labContent } from '../../lib/lab-content.ts';
import { usePageTitle } from '../../lib/page-title.ts';

type Props = {
  title: string;
  lead?: string;
  narrow?: boolean;
  /** Rendered at the end of the heading's row. */
  beside?: ReactNode;
  /** On wide screens the heading's row stays visible while the page scrolls. */
  isSticky?: boolean;
  children: ReactNode;
};

/** Frame of a management screen. Always in Korean, whatever the menu's language. */
export function ManagementPage({ title, lead, narrow = false, beside, isSticky = false, children }: Props) {
  usePageTitle(title, labContent('ko').name);
  return (
    <div lang="ko" className="page-column pt-6 pb-16">
      <div className={narrow ? 'max-w-md' : undefined}>
        <div
          className={`flex flex-wrap items-end justify-between gap-x-6 gap-y-2 ${isSticky ? 'top-(--bar-height) z-20 bg-paper py-2 lg:sticky' : ''}`}
        >
          <h1 className="text-heading font-bold">{title}</h1>
          {beside}
        </div>
        {lead !== undefined && <p className="mt-1 text-ink-soft">{lead}</p>}
        <div className="mt-5">{children}</div>
      </div>
    </div>
  );
}
