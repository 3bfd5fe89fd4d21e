import type { PublicPlant } from '#contract/plants';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';
import { HEIGHT, isRecent, momentText, shapeOf, WIDTH } from '../week-shape.ts';

const moves = 'transition-[d] duration-1000 ease-in-out motion-reduce:transition-none';

/** A week of a plant's soil, and what it is now. Drawn at the edge too, so it asks for nothing. */
export function WeekLine({ plant }: { plant: PublicPlant }) {
  useLocale();
  const { line, now, midnights } = shapeOf(plant);
  const known = plant.hours.filter((percent) => percent !== null);
  const { last } = plant;
  return (
    <figure className="flex h-full flex-col">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm leading-6 text-ink-soft">
        <span>{m.plant_week({ plant: plant.plant })}</span>
        {known.length > 0 && (
          <span className="sr-only">
            {m.plant_range({ low: Math.min(...known), high: Math.max(...known) })}
          </span>
        )}
        {last && (
          <span className="tabular-nums">
            <strong className="font-bold text-accent">
              {isRecent(last.datetime, plant)
                ? m.plant_now({ percent: last.percent })
                : m.plant_last({ percent: last.percent })}
            </strong>{' '}
            <time dateTime={last.datetime}>{m.plant_time({ time: momentText(last.datetime, plant) })}</time>
          </span>
        )}
      </figcaption>
      <svg
        aria-hidden
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        fill="none"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="min-h-0 w-full flex-1 overflow-visible"
      >
        <path d="M-1400 179.5H2600" stroke="var(--line)" vectorEffect="non-scaling-stroke" />
        {midnights.map((x) => (
          <path
            key={x}
            d={`M${x} 172V180`}
            stroke="var(--line-strong)"
            strokeWidth="1.5"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        <path
          d={line}
          stroke="var(--accent)"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
          className={moves}
        />
        {now && (
          <path
            d={`M${now.x} ${now.y}h.1`}
            stroke="var(--accent)"
            strokeWidth="9"
            vectorEffect="non-scaling-stroke"
            className={moves}
          />
        )}
      </svg>
    </figure>
  );
}
