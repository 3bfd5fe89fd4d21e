import type { PublicPlant } from '#contract/plants';
import { SEOUL_OFFSET_MS } from '#contract/time';
import { useLocale, type Locale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';
import { HEIGHT, isRecent, momentText, weekShape, wateredDaysAgo, WIDTH } from '../week-shape.ts';

const moves = 'transition-[d] duration-1000 ease-in-out motion-reduce:transition-none';

/** CSS position of a point in the drawing, for elements that must not be stretched with the drawing. */
const placeOf = ({ x, y }: { x: number; y: number }) => ({
  left: `${(x / WIDTH) * 100}%`,
  top: `${(y / HEIGHT) * 100}%`,
});

/** A week of soil moisture and the current value. The edge renders this part too, so it requests no data. */
export function WeekLine({ plant }: { plant: PublicPlant }) {
  const locale = useLocale();
  // Data in the edge's cache may come from an older version and lack `watered`.
  if (!('watered' in plant)) return null;
  const { line, now, midnights, days, limit, drops } = weekShape(plant);
  const known = plant.hours.filter((percent) => percent !== null);
  const { last, last_watered: watered } = plant;
  const value = last && (
    <>
      <strong className="font-bold text-accent">
        {isRecent(last.datetime, plant)
          ? m.plant_now({ percent: last.percent })
          : m.plant_last({ percent: last.percent })}
      </strong>{' '}
      <time dateTime={last.datetime}>{m.plant_time({ time: momentText(last.datetime, plant) })}</time>
    </>
  );
  return (
    <figure className="flex h-full flex-col text-ink-soft tabular-nums">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm leading-6">
        <span className="min-w-0 wrap-anywhere">
          {m.plant_week({ plant: locale === 'en' ? plant.plant_en : plant.plant })}
        </span>
        {known.length > 0 && (
          <span className="sr-only">
            {m.plant_range({ low: Math.min(...known), high: Math.max(...known) })}
          </span>
        )}
        <span>
          {value}
          {watered !== null && (
            <time dateTime={watered}>{`, ${wateredText(wateredDaysAgo(watered, plant))}`}</time>
          )}
        </span>
      </figcaption>
      <div className="relative mb-4 min-h-0 flex-1">
        {drops.map((drop) => (
          <svg
            key={drop.x}
            aria-hidden
            viewBox="0 0 8 12"
            className="absolute h-3 w-2 -translate-x-[130%] -translate-y-[120%] fill-accent"
            style={placeOf(drop)}
          >
            <path d="M4 0c2 4 4 5 4 8a4 4 0 0 1-8 0c0-3 2-4 4-8z" />
          </svg>
        ))}
        <svg
          aria-hidden
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          fill="none"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="absolute inset-0 size-full overflow-visible"
        >
          <path d="M-1400 179.5H2600" stroke="var(--line)" vectorEffect="non-scaling-stroke" />
          <path
            d={midnights.map((x) => `M${x} 172V180`).join('')}
            stroke="var(--line-strong)"
            strokeWidth="1.5"
            vectorEffect="non-scaling-stroke"
          />
          <path
            d={`M0 ${limit}H${WIDTH}`}
            stroke="var(--line-strong)"
            strokeOpacity="0.7"
            strokeDasharray="1 5"
            vectorEffect="non-scaling-stroke"
          />
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
        <span
          className="absolute -translate-y-full text-xs max-sm:sr-only"
          style={placeOf({ x: 0, y: limit })}
        >
          {m.plant_limit({ percent: plant.limit_percent })}
        </span>
        {days.map(({ x, time }) => (
          <span
            key={x}
            aria-hidden
            className="absolute -translate-x-1/2 text-xs leading-4"
            style={placeOf({ x, y: HEIGHT })}
          >
            {dayText(time, locale)}
          </span>
        ))}
      </div>
    </figure>
  );
}

function wateredText(days: number): string {
  if (days <= 0) return m.plant_watered_today();
  return days === 1 ? m.plant_watered_yesterday() : m.plant_watered({ days });
}

/** The weekday in Seoul: `금` or `Fri`. */
const dayText = (time: number, locale: Locale) =>
  new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }).format(time + SEOUL_OFFSET_MS);

/**
 * A decorative moisture curve: the soil dries slowly, is watered and dries again. Inline SVG needs no
 * request.
 */
export function MoistureLine() {
  return (
    <svg
      aria-hidden
      viewBox="0 0 1200 180"
      preserveAspectRatio="none"
      fill="none"
      className="size-full overflow-visible"
    >
      <path
        d="M-1400 96c150 12 270 36 390 54l7-106c123 12 243 68 363 96l7-100c203 16 503 72 633 96l6-106c114 10 204 74 312 98l7-80c75 10 145 40 215 56l7-82c113 14 243 90 358 120l7-102c98 14 188 52 288 72c130 26 270 38 400 44l7-120c153 16 353 76 553 102l7-94c133 16 253 56 433 86"
        stroke="var(--accent)"
        strokeWidth="2"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
      <path d="M-1400 179.5H2600" stroke="var(--line)" vectorEffect="non-scaling-stroke" />
      {[-1003, -633, 6, 325, 547, 912, 1607, 2167].map((x) => (
        <path
          key={x}
          d={`M${x} 172V180`}
          stroke="var(--accent)"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  );
}
