import { SectionLink } from '../../../components/layout/section-link.tsx';
import { sectionItems } from '../../../components/layout/visitor-menu.ts';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';

/** The page's table of contents. */
export function Contents() {
  useLocale();
  return (
    <nav aria-label={m.contents()} className="pb-2 max-lg:order-3">
      <ul className="grid grid-cols-2 gap-x-6 border-t border-line sm:grid-cols-4">
        {sectionItems.slice(1).map(({ section, label }) => (
          <li key={section} className="border-b border-line">
            <SectionLink
              section={section}
              className="group flex min-h-12 items-center justify-between font-semibold hover:text-accent aria-[current]:text-accent"
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
            </SectionLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
