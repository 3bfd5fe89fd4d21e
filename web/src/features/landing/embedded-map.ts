import type { LabContent } from '#content/lab.ko';

/** A tiny picture that shows whether the map's provider can be reached. */
export const MAP_PROBE = 'https://www.openstreetmap.org/favicon.ico';

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
