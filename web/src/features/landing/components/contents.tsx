import { Link } from '@tanstack/react-router';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';

const sections = [
  { id: 'about', label: m.menu_about },
  { id: 'people', label: m.menu_people },
  { id: 'courses', label: m.menu_courses },
  { id: 'contact', label: m.menu_contact },
] as const;

/** The page's table of contents, which replaces the menu when JavaScript is off. */
export function Contents() {
  useLocale();
  return (
    <nav aria-label={m.contents()} className="pb-2">
      <ul className="grid grid-cols-2 gap-x-6 border-t border-line sm:grid-cols-4">
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
