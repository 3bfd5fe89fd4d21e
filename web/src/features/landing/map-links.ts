import type { LabContent } from '#content/lab.ko';

type Place = LabContent['place'];

/** A tiny picture that shows whether the map's provider can be reached. */
export const MAP_PROBE = 'https://www.openstreetmap.org/favicon.ico';

/** Half the height of the embedded map in degrees, about 350 m. */
const MARGIN = 0.003;

export function embeddedMapUrl({ latitude, longitude }: Place): string {
  const box = [longitude - 2 * MARGIN, latitude - MARGIN, longitude + 2 * MARGIN, latitude + MARGIN];
  const query = new URLSearchParams({
    bbox: box.map((degrees) => degrees.toFixed(5)).join(','),
    layer: 'mapnik',
    marker: `${latitude},${longitude}`,
  });
  return `https://www.openstreetmap.org/export/embed.html?${query}`;
}

export function mapLinks({ name, latitude, longitude }: Place) {
  const title = encodeURIComponent(name);
  return {
    naver: `https://map.naver.com/p?c=${longitude},${latitude},17,0,0,0,dh&lat=${latitude}&lng=${longitude}&title=${title}`,
    kakao: `https://map.kakao.com/link/map/${title},${latitude},${longitude}`,
    openStreetMap: `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`,
  };
}
