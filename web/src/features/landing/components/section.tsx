import type { ReactNode } from 'react';
import type { MainPageSection as SectionId } from '../../../components/layout/visitor-menu.ts';

type Props = { id: SectionId; heading: string; children: ReactNode };

export function Section({ id, heading, children }: Props) {
  return (
    <section
      id={id}
      tabIndex={-1}
      aria-labelledby={`${id}-heading`}
      className="outline-none page-column pt-(--section-gap)"
      style={id === 'join' ? { scrollMarginTop: 'calc(-1 * var(--section-gap))' } : undefined}
    >
      <div className="border-t border-line pt-8">
        <h2 id={`${id}-heading`} className="mb-8 text-heading leading-snug font-bold">
          {heading}
        </h2>
        {children}
      </div>
    </section>
  );
}
