import type { LabContent } from '#content/lab.ko';
import { Contents } from './contents.tsx';
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
