import type { LabContent } from '#content/lab.ko';
import drawnMap from '../../../assets/drawn-map.svg';
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
      <img src={drawnMap} alt="" loading="lazy" className="absolute inset-0 size-full object-cover" />
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
