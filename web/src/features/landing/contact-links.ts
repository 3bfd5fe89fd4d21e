import type { LabContent } from '../../lib/lab-content.ts';

type Place = LabContent['place'];

export function mapLinks({ name, latitude, longitude }: Place) {
  const title = encodeURIComponent(name);
  return {
    naver: `https://map.naver.com/p?c=${longitude},${latitude},17,0,0,0,dh&lat=${latitude}&lng=${longitude}&title=${title}`,
    kakao: `https://map.kakao.com/link/map/${title},${latitude},${longitude}`,
    openStreetMap: `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`,
  };
}

/** A `tel:` link that works from abroad too: `02-555-0142` is `tel:+82-2-555-0142`. */
export function telephoneAddress(phone: string): string {
  return `tel:${phone
    .trim()
    .replace(/^0/, '+82-')
    .replaceAll(/[^\d+]+/g, '-')}`;
}
