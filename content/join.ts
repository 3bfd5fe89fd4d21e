import type { Bilingual } from './bilingual.ts';

export type JoinUs = {
  /** A few words for the first screen. */
  mark: Bilingual;
  heading: Bilingual;
  text: Bilingual;
  positions: { who: Bilingual; brings: Bilingual; gets: Bilingual }[];
  /** How one applies, step by step. */
  steps: Bilingual[];
  /** The last day, in Seoul. Without one the invitation stands until it is taken out. */
  until?: string;
};

/** `undefined` when nobody is sought: then nothing is drawn. */
export const joinUs: JoinUs | undefined = {
  mark: { ko: '2027년 가을 신입 연구원 모집', en: 'Now recruiting for fall 2027' },
  heading: { ko: '함께 연구할 분을 찾습니다', en: 'Come and work with us' },
  text: {
    ko: '납땜이 처음이어도 괜찮습니다. 스스로 묻고, 끝까지 재어 보는 분이면 됩니다.',
    en: 'You need not have soldered before. You ask your own questions, and measure until you know.',
  },
  positions: [
    {
      who: { ko: '석·박사과정', en: 'M.S. and Ph.D. students' },
      brings: {
        ko: 'C 또는 Rust, 그리고 회로나 무선 통신 가운데 하나',
        en: 'C or Rust, and either circuits or radio',
      },
      gets: {
        ko: '등록금과 생활비, 첫해부터 자기 보드와 자기 주제',
        en: 'Tuition and a stipend, a board and a topic of your own from the first year',
      },
    },
    {
      who: { ko: '학부연구생', en: 'Undergraduate researchers' },
      brings: { ko: '2학년 이상, 한 주에 열 시간', en: 'Second year or later, ten hours a week' },
      gets: {
        ko: '대학원생 한 명과 짝을 이루는 한 학기 과제와 장학금',
        en: 'A project of one term beside a graduate student, and a scholarship',
      },
    },
    {
      who: { ko: '박사후연구원', en: 'Postdoctoral researchers' },
      brings: {
        ko: '에너지 하베스팅 또는 무선 전력 전송 분야의 논문',
        en: 'Papers on energy harvesting or wireless power',
      },
      gets: {
        ko: '2년 계약과 과제 하나의 책임, 영어로 일하는 환경',
        en: 'Two years, a project to lead, and a group that works in English when you need it',
      },
    },
  ],
  steps: [
    {
      ko: '관심 있는 연구 주제 하나와 그 이유를 반 쪽으로 적습니다.',
      en: 'Write half a page on one topic of ours and why it interests you.',
    },
    { ko: '이력서, 성적표와 함께 이메일로 보냅니다.', en: 'Send it by email with your CV and transcript.' },
    {
      ko: '일주일 안에 답을 드리고, 연구실에서 한 시간 이야기합니다.',
      en: 'We answer within a week and talk for an hour, here or by video.',
    },
  ],
  until: '2027-05-28',
};
