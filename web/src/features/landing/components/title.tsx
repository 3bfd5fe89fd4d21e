import type { LabContent } from '#content/lab.ko';
import { Link } from '@tanstack/react-router';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';
import { MoistureLine } from './moisture-line.tsx';

export function Title({ lab }: { lab: LabContent }) {
  return (
    <section
      id="title"
      tabIndex={-1}
      aria-labelledby="title-heading"
      className="outline-none relative overflow-hidden"
    >
      <div className="page-column flex min-h-[min(46rem,calc(100svh-var(--bar-height)-1rem))] flex-col">
        <div className="my-auto grid items-end gap-x-16 gap-y-10 py-12 lg:grid-cols-[minmax(0,1fr)_15rem]">
          <div>
            <p className="text-lead font-semibold text-accent">{lab.affiliation}</p>
            <h1 id="title-heading" className="mt-3 max-w-[16ch] text-title font-extrabold tracking-tight">
              {lab.name}
            </h1>
            <p className="mt-6 max-w-[36rem] text-lead text-ink-soft">{lab.lead}</p>
          </div>
          <Contents />
        </div>
        <MoistureLine />
      </div>
    </section>
  );
}

const sections = [
  { id: 'about', label: m.menu_about },
  { id: 'people', label: m.menu_people },
  { id: 'courses', label: m.menu_courses },
  { id: 'contact', label: m.menu_contact },
] as const;

/** The page's table of contents, which replaces the menu when JavaScript is off. */
function Contents() {
  useLocale();
  return (
    <nav aria-label={m.contents()} className="lg:pb-2">
      <ul className="grid grid-cols-2 gap-x-6 border-t border-line sm:grid-cols-4 lg:grid-cols-1">
        {sections.map(({ id, label }) => (
          <li key={id} className="border-b border-line">
            <Link
              to="."
              hash={id}
              className="group flex min-h-12 items-center justify-between font-semibold hover:text-accent"
            >
              {label()}
              <svg
                width="14"
                height="14"
                viewBox="0 0 14 14"
                aria-hidden
                fill="none"
                stroke="currentColor"
                className="text-line-strong transition-transform group-hover:translate-y-0.5 group-hover:text-accent"
              >
                <path d="M7 1.5v11M2.5 8L7 12.5 11.5 8" strokeWidth="1.4" strokeLinecap="round" />
              </svg>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
