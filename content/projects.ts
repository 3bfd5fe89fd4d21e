import type { Bilingual } from './bilingual.ts';

export type Project = {
  /** The English name of its research topic, as in about.en.ts. */
  topic: string;
  name: Bilingual;
  years: string;
  funder: Bilingual;
  text: Bilingual;
  link?: string;
};

/** Each stands with its research topic, in this order. */
export const projects: Project[] = [
  {
    topic: 'Wireless sensor network',
    name: { ko: '도시 텃밭 센서망', en: 'City Garden Network' },
    years: '2026–2028',
    funder: { ko: '가온녹지재단', en: 'Gaon Green Foundation' },
    text: {
      ko: '텃밭 열 곳의 흙을 한 해 내내 재고, 물이 필요한 날을 알려 줍니다.',
      en: 'Ten gardens, their soil measured through the year, and a word when they need water.',
    },
    link: 'https://garden.hanbit.example',
  },
  {
    topic: 'Energy harvesting',
    name: { ko: '배터리 없는 10년', en: 'Ten Years Without a Battery' },
    years: '2024–2027',
    funder: { ko: '한빛과학재단', en: 'Hanbit Science Foundation' },
    text: {
      ko: '실내의 빛만으로 10년을 버티는 센서 노드를 만듭니다.',
      en: 'A sensor node that lives for ten years on indoor light alone.',
    },
  },
  {
    topic: 'Wireless power transfer',
    name: { ko: '벽 너머의 전력', en: 'Power Through Walls' },
    years: '2025–2026',
    funder: { ko: '이음산업기술원', en: 'Ieum Institute of Technology' },
    text: {
      ko: '콘크리트 벽 안의 센서에 50 mW를 보냅니다.',
      en: '50 mW for sensors that are set in concrete.',
    },
  },
];
