import type { LabContent } from '#content/lab.ko';

type Place = LabContent['place'];

export function mapLinks({ name, latitude, longitude }: Place) {
  const title = encodeURIComponent(name);
  return {
    naver: `https://map.naver.com/p?c=${longitude},${latitude},17,0,0,0,dh&lat=${latitude}&lng=${longitude}&title=${title}`,
    kakao: `https://map.kakao.com/link/map/${title},${latitude},${longitude}`,
    openStreetMap: `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`,
  };
}
