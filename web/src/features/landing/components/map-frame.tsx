import type { LabContent } from '../../../lib/lab-content.ts';
import { useState } from 'react';
import { useLocale } from '../../../lib/locale.ts';
import { m } from '../../../paraglide/messages.js';

/**
 * A frame from another origin does not reveal whether it shows a map or an error, so the map replaces the
 * address only after a small picture from the same provider has loaded.
 */
export function MapFrame({ place }: { place: LabContent['place'] }) {
  useLocale();
  const [isReachable, setIsReachable] = useState(false);
  if (!isReachable) return <img src={MAP_PROBE} alt="" hidden onLoad={() => setIsReachable(true)} />;
  return (
    <iframe
      title={m.contact_map()}
      src={embeddedMapUrl(place)}
      // Without allow-same-origin the frame has no origin, sends no referrer and gets no tiles. The frame
      // belongs to another site, so it gets no access to ours.
      // oxlint-disable-next-line react/iframe-missing-sandbox
      sandbox="allow-scripts allow-popups allow-same-origin"
      className="h-80 w-full sm:h-96"
    />
  );
}

/** A tiny picture that shows whether the map's provider can be reached. */
const MAP_PROBE = 'https://www.openstreetmap.org/favicon.ico';

/** Half the height of the embedded map in degrees, about 350 m. */
const MARGIN = 0.003;

export function embeddedMapUrl({ latitude, longitude }: LabContent['place']): string {
  const box = [longitude - 2 * MARGIN, latitude - MARGIN, longitude + 2 * MARGIN, latitude + MARGIN];
  const query = new URLSearchParams({
    bbox: box.map((degrees) => degrees.toFixed(5)).join(','),
    layer: 'mapnik',
    marker: `${latitude},${longitude}`,
  });
  return `https://www.openstreetmap.org/export/embed.html?${query}`;
}
