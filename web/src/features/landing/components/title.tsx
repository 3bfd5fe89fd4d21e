import type { LabContent } from '#content/lab.ko';
import { Contents } from './contents.tsx';
import { Glance, Hardware, JoinMark } from './drawn.tsx';
import { MoistureLine } from './moisture-line.tsx';

/** The first screen: what the lab does, its hardware standing on the plant's line, and what came of it. */
export function Title({ lab }: { lab: LabContent }) {
  return (
    <section
      id="title"
      tabIndex={-1}
      aria-labelledby="title-heading"
      className="outline-none relative overflow-hidden"
    >
      <div className="page-column flex min-h-[min(48rem,calc(100svh-var(--bar-height)-1rem))] flex-col justify-end">
        <div className="my-auto grid gap-x-12 gap-y-5 pt-3 lg:mt-auto lg:mb-0 lg:pt-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] lg:items-end">
          <div className="lg:self-center">
            <p className="text-lead font-semibold text-accent">{lab.affiliation}</p>
            <h1 id="title-heading" className="mt-3 max-w-[16ch] text-title font-extrabold tracking-tight">
              {lab.name}
            </h1>
            <p className="mt-5 max-w-[34rem] text-lead text-ink-soft">{lab.lead}</p>
            <JoinMark />
          </div>
          <Hardware hardware={lab.hardware} />
        </div>
        <MoistureLine />
        <Glance result={lab.result} />
        <Contents />
      </div>
    </section>
  );
}
