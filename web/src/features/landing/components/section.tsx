import type { ReactNode } from 'react';
import type { Section as SectionId } from '../../../components/layout/visitor-menu.ts';

type Props = { id: SectionId; heading: string; children: ReactNode };

/** A section of the main page, with its heading in the margin where there is room. */
export function Section({ id, heading, children }: Props) {
  return (
    <section
      id={id}
      tabIndex={-1}
      aria-labelledby={`${id}-heading`}
      className="outline-none page-column pt-(--section-gap)"
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-8 border-t border-line pt-8 lg:grid-cols-[11rem_minmax(0,1fr)]">
        <h2 id={`${id}-heading`} className="text-heading leading-snug font-bold">
          {heading}
        </h2>
        <div className="min-w-0">{children}</div>
      </div>
    </section>
  );
}
