import type { Bilingual } from './bilingual.ts';

export type Photograph = {
  /** A file of content/photographs. */
  file: string;
  /** What it shows, for those who cannot see it. */
  alt: Bilingual;
  caption: Bilingual;
};

/** Of the hardware and where it works, in About. Without any, nothing is drawn. */
export const photographs: Photograph[] = [
  {
    file: 'sensor-node.jpg',
    alt: {
      ko: '흰 책상 위의 초록색 센서 보드와 그 아래에 놓인 쇠자',
      en: 'A green sensor board on a white desk with a steel ruler below it',
    },
    caption: { ko: 'HB-4의 앞면, 너비 38 mm', en: 'The front of HB-4, 38 mm wide' },
  },
  {
    file: 'city-garden.jpg',
    alt: {
      ko: '옥상 텃밭의 나무 상자 세 개에 하나씩 꽂힌 센서 노드',
      en: 'Three wooden planters on a roof, a sensor node in each',
    },
    caption: { ko: '도시 텃밭 센서망의 첫 설치 장소', en: 'The first site of City Garden Network' },
  },
];
