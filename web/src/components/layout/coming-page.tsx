import type { ReactNode } from 'react';
import { ManagementPage } from './management-page.tsx';

type Props = { title: string; text: string; children?: ReactNode };

/** In place of a management screen that is not built yet. */
export function ComingPage({ title, text, children }: Props) {
  return (
    <ManagementPage title={title}>
      <div className="flex max-w-2xl flex-wrap items-center gap-x-8 gap-y-5 rounded-lg border border-line bg-surface px-6 py-8 sm:px-8">
        <svg
          width="72"
          height="56"
          viewBox="0 0 72 56"
          aria-hidden
          fill="none"
          stroke="var(--accent)"
          strokeWidth="1.6"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="shrink-0"
        >
          <path d="M6 50h60" />
          <path d="M13 50V16l11-8h24l11 8v34" />
          <path d="M13 24h46" strokeDasharray="0.1 6" />
          <path d="M24 50V35h10v15M43 35h8v7h-8z" />
        </svg>
        <div className="min-w-0 grow basis-64">
          <p className="text-lg">{text}</p>
          {children !== undefined && <div className="mt-4">{children}</div>}
        </div>
      </div>
    </ManagementPage>
  );
}
