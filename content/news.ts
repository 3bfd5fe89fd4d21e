import type { Bilingual } from './bilingual.ts';

/** One sentence, and where one can read more. */
export type News = { date: string; text: Bilingual; link?: string };

/** In any order. The newest three stand on the first screen; without any, nothing is drawn. */
export const news: News[] = [
  {
    date: '2026-11-09',
    text: {
      ko: '센서 노드 HB-4가 배터리 교체 없이 1,100일을 넘겼습니다.',
      en: 'HB-4 has passed 1,100 days without a change of battery.',
    },
  },
  {
    date: '2026-10-21',
    text: {
      ko: '저전력 무선 통신 논문이 한빛임베디드학회 최우수논문상을 받았습니다.',
      en: 'Our low energy radio wins the Hanbit Society’s best paper award.',
    },
    link: '/publications',
  },
  {
    date: '2026-09-01',
    text: {
      ko: '도시 텃밭 열 곳에 무선 센서 네트워크를 설치하기 시작했습니다.',
      en: 'We have begun to put sensor networks into ten city gardens.',
    },
  },
  {
    date: '2026-03-02',
    text: {
      ko: '학부연구생 두 명이 연구실에 들어왔습니다.',
      en: 'Two undergraduate researchers have joined the laboratory.',
    },
  },
];
