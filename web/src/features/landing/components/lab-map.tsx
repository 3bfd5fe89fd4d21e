import type { LabContent } from '#content/lab.ko';
import drawnMap from '../../../assets/drawn-map.svg';
import { useEffect, useRef, useState } from 'react';
import { lazyPart } from '../../../components/layout/lazy-part.tsx';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';

/** Where it cannot be loaded, the drawing is there. */
const MapFrame = lazyPart(async () => (await import('./map-frame.tsx')).MapFrame, {
  crashClassName: 'hidden',
});

/** Loads nothing from the map's provider until the visitor has nearly scrolled to it. */
export function LabMap({ place }: { place: LabContent['place'] }) {
  useLocale();
  const box = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(false);
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
      {isNear && <MapFrame place={place} />}
    </div>
  );
}
