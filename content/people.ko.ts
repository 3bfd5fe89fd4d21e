import type { LabPeople } from '#contract/people';

/** The lab's people in Korean. Emails are written plainly here; visitors are shown them with AT. */
export const people: LabPeople = {
  professors: [
    {
      name: '윤서준',
      photograph: { file: 'seojun-yoon.png', alt: '윤서준 교수를 그린 그림' },
      position: '교수',
      department: '컴퓨터공학부',
      office: '공학관 412호',
      email: 'sj.yoon@hanbit.example',
      phone: '02-555-0142',
      links: {
        homepage: 'https://yoon.hanbit.example',
        scholar: 'https://scholar.google.com/citations?user=HanbitExample',
        orcid: 'https://orcid.org/0000-0009-1412-2021',
        github: 'https://github.com/hanbit-example',
      },
      interests: ['사이버물리시스템', '저전력 무선 통신', '에너지 하베스팅'],
    },
  ],
  graduate_students: [],
  undergraduate_students: [
    { name: '강하늘', position: '학부연구생', department: '컴퓨터공학부', interests: ['무선 센서 네트워크'] },
    {
      name: '문가온',
      position: '학부연구생',
      department: '인공지능학부',
      interests: ['소형 임베디드 시스템'],
    },
  ],
  graduate_alumnis: [
    {
      name: '서도윤',
      position: '석사 (2024)',
      department: '컴퓨터공학부',
      interests: ['무선 전력 전송'],
      photograph: { file: 'doyun-seo.png', alt: '서도윤을 그린 그림' },
      links: { github: 'https://github.com/doyun-example' },
    },
    {
      name: '임채아',
      position: '박사 (2023)',
      department: '컴퓨터공학부',
      interests: ['에너지 하베스팅'],
      photograph: { file: 'chaea-lim.png', alt: '임채아를 그린 그림' },
      links: { homepage: 'https://lim.hanbit.example' },
    },
  ],
  undergraduate_alumnis: [{ name: '백이든', position: '학사 (2025)', department: '소프트웨어학부' }],
};
