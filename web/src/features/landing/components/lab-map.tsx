import type { LabContent } from '#content/lab.ko';
import { useEffect, useRef, useState } from 'react';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';
import { embeddedMapUrl, MAP_PROBE } from '../map-links.ts';

/**
 * Nothing of the map's maker is loaded until the visitor has nearly scrolled to it. A frame does not tell whether it
 * loaded, so a small picture of the same maker is asked for beside it; without that the drawing stays.
 */
export function LabMap({ place }: { place: LabContent['place'] }) {
  useLocale();
  const box = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(false);
  const [isReachable, setIsReachable] = useState(false);
  useEffect(() => {
    if (!box.current) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        setIsNear(true);
        observer.disconnect();
      },
      { rootMargin: '200px' },
    );
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={box}
      className="relative mt-8 aspect-[4/3] overflow-hidden rounded-lg border border-line bg-sunken sm:aspect-[21/9]"
    >
      <DrawnMap />
      <p className="absolute inset-x-0 top-[calc(50%+0.75rem)] px-6 text-center text-sm font-semibold">
        <span className="rounded-sm bg-surface px-2 py-1">{place.name}</span>
      </p>
      {isNear && (
        <>
          {!isReachable && <img src={MAP_PROBE} alt="" hidden onLoad={() => setIsReachable(true)} />}
          <iframe
            title={m.contact_map()}
            src={embeddedMapUrl(place)}
            inert={!isReachable}
            referrerPolicy="strict-origin-when-cross-origin"
            sandbox="allow-scripts allow-popups"
            className={`absolute inset-0 size-full transition-opacity duration-300 ${isReachable ? '' : 'opacity-0'}`}
          />
        </>
      )}
    </div>
  );
}

/** Some streets and a pin: of no place in particular. */
function DrawnMap() {
  return (
    <svg
      aria-hidden
      viewBox="0 0 840 360"
      preserveAspectRatio="xMidYMid slice"
      fill="none"
      className="absolute inset-0 size-full"
    >
      <path d="M0 250C120 236 210 262 330 300S560 352 620 360H0Z" fill="var(--accent-wash)" />
      <path d="M560 0H700L672 92 548 74Z" fill="var(--accent-wash)" />
      <g stroke="var(--line)" strokeWidth="7">
        <path d="M-10 96L850 170M120-10L70 370M300-10L262 370M470-10L452 370M640-10L690 370M800-10L770 370" />
        <path d="M-10 210L455 240 850 262" />
      </g>
      <g stroke="var(--line)" strokeWidth="3">
        <path d="M-10 34L850 92M200-10L166 370M385-10L360 370M560-10L570 370M262 318L850 330" />
      </g>
      <path d="M-10 300C200 280 380 330 850 300" stroke="var(--paper)" strokeWidth="14" />
      <path
        d="M420 190C420 190 398 160 398 144A22 22 0 0 1 442 144C442 160 420 190 420 190Z"
        fill="var(--accent)"
      />
      <circle cx="420" cy="144" r="8" fill="var(--surface)" />
    </svg>
  );
}
