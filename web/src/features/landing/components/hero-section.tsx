import type { LabContent } from '../../../lib/lab-content.ts';
import { Highlights, HardwareDrawing, OpenPositionsLink, loadPrerenderedParts } from './prerendered.tsx';
import { MenuList } from '../../../components/layout/menu-list.tsx';
import { publicPageItems } from '../../../components/layout/visitor-menu.ts';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';
import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { lazyPart } from '../../../components/layout/lazy-part.tsx';
import { publicPlantQuery } from '../queries.ts';

/** The first screen: the lab's topic, a drawing of the hardware on the plant's curve, and the results. */
export function HeroSection({ lab }: { lab: LabContent }) {
  return (
    <section
      id="title"
      tabIndex={-1}
      aria-labelledby="title-heading"
      className="outline-none relative overflow-hidden"
    >
      {/* The browser may paint before it has the whole page. To prevent layout shifts, content starts at the
          top, the curve comes before the drawing, and wide screens reserve the drawing's height. */}
      <div className="page-column max-lg:flex max-lg:flex-col max-lg:gap-y-5 max-lg:pt-4">
        <div className="max-lg:contents lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] lg:grid-rows-[minmax(22rem,auto)_auto] lg:items-end lg:gap-x-12 lg:pt-6">
          <div className="lg:self-start lg:pt-4">
            <p className="text-lead font-semibold text-accent">{lab.affiliation}</p>
            <h1 id="title-heading" className="mt-3 max-w-[16ch] text-title font-extrabold tracking-tight">
              {lab.name}
            </h1>
            <p className="mt-5 max-w-[34rem] text-lead text-ink-soft">{lab.lead}</p>
            <OpenPositionsLink />
          </div>
          <PlantLine />
          <HardwareDrawing />
        </div>
        <Highlights />
        <TableOfContents />
      </div>
    </section>
  );
}

export function TableOfContents() {
  useLocale();
  return (
    <nav aria-label={m.contents()} className="contents-strip">
      <MenuList items={publicPageItems()} />
    </nav>
  );
}

/** The first HTML contains both curves, so their code may load later. For `memo` see prerendered.tsx. */
const WeekLine = memo(
  lazyPart(async () => (await loadPrerenderedParts()).WeekLine, { crashClassName: 'hidden' }),
);
const MoistureLine = memo(
  lazyPart(async () => (await loadPrerenderedParts()).MoistureLine, { crashClassName: 'hidden' }),
);

/** Draws the last week of the public plant, or a decorative curve if there is no public plant. */
function PlantLine() {
  const { data } = useQuery(publicPlantQuery);
  return (
    <div data-edge="plant" className="h-32 sm:h-44 lg:col-span-2 lg:row-start-2">
      {data?.last ? <WeekLine plant={data} /> : <MoistureLine />}
    </div>
  );
}
