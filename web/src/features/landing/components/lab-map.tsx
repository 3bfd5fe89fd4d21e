import type { LabContent } from '#content/lab.ko';
import drawnMap from '../../../assets/drawn-map.svg';
import { useEffect, useRef, useState } from 'react';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';
import { embeddedMapUrl, MAP_PROBE } from '../map-links.ts';

/**
 * Loads nothing from the map's provider until the visitor has nearly scrolled to it. A frame from another origin does
 * not reveal whether it shows a map or an error, so it is placed beside the drawing, never over it, and only once a
 * small picture from the same provider has loaded.
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
      className="mt-8 flex h-96 flex-col overflow-hidden rounded-lg border border-line bg-sunken sm:h-80 sm:flex-row"
    >
      <figure className="relative flex-1">
        <img src={drawnMap} alt="" loading="lazy" className="absolute inset-0 size-full object-cover" />
        <figcaption className="absolute inset-x-0 top-[calc(50%+0.75rem)] px-6 text-center text-sm font-semibold">
          <span className="rounded-sm bg-surface px-2 py-1">
            {place.name} · {m.contact_sketch()}
          </span>
        </figcaption>
      </figure>
      {isNear &&
        (isReachable ? (
          <iframe
            title={m.contact_map()}
            src={embeddedMapUrl(place)}
            // Without allow-same-origin the frame has no origin, sends no referrer and gets no tiles. It is another
            // site's, so it comes no nearer to ours.
            // oxlint-disable-next-line react/iframe-missing-sandbox
            sandbox="allow-scripts allow-popups allow-same-origin"
            className="flex-1"
          />
        ) : (
          <img src={MAP_PROBE} alt="" hidden onLoad={() => setIsReachable(true)} />
        ))}
    </div>
  );
}
