import type { LabContent } from '#content/lab.ko';
import { Contents } from './contents.tsx';
import { Glance, Hardware, JoinMark } from './drawn.tsx';
import { PlantLine } from './plant-line.tsx';

/** The first screen: what the lab does, its hardware standing on the plant's line, and what came of it. */
export function Title({ lab }: { lab: LabContent }) {
  return (
    <section
      id="title"
      tabIndex={-1}
      aria-labelledby="title-heading"
      className="outline-none relative overflow-hidden"
    >
      {/* From the top, not centred: nothing moves when the browser paints before it has read to the end. */}
      {/* On a phone the line comes before the drawing, within the first screen. */}
      <div className="page-column max-lg:flex max-lg:flex-col max-lg:gap-y-5 max-lg:pt-4">
        <div className="max-lg:contents lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] lg:items-end lg:gap-x-12 lg:pt-6">
          <div className="lg:self-start lg:pt-4">
            <p className="text-lead font-semibold text-accent">{lab.affiliation}</p>
            <h1 id="title-heading" className="mt-3 max-w-[16ch] text-title font-extrabold tracking-tight">
              {lab.name}
            </h1>
            <p className="mt-5 max-w-[34rem] text-lead text-ink-soft">{lab.lead}</p>
            <JoinMark />
          </div>
          <Hardware />
        </div>
        <PlantLine />
        <Glance />
        <Contents />
      </div>
    </section>
  );
}
