import type { LabPeople } from '#contract/people';

/** The lab's people in English. Emails are written plainly here; visitors are shown them with AT. */
export const people: LabPeople = {
  professors: [
    {
      name: 'Seojun Yoon',
      photograph: { file: 'seojun-yoon.png', alt: 'Drawing of Seojun Yoon' },
      position: 'Professor',
      department: 'Division of Computer Science',
      office: 'Engineering Hall, Room 412',
      email: 'sj.yoon@hanbit.example',
      phone: '+82-2-555-0142',
      links: {
        homepage: 'https://yoon.hanbit.example',
        scholar: 'https://scholar.google.com/citations?user=HanbitExample',
        orcid: 'https://orcid.org/0000-0009-1412-2021',
        github: 'https://github.com/hanbit-example',
      },
      interests: ['Cyber-physical systems', 'Low energy wireless communication', 'Energy harvesting'],
    },
  ],
  graduate_students: [],
  undergraduate_students: [
    {
      name: 'Haneul Kang',
      position: 'Undergraduate researcher',
      department: 'Division of Computer Science',
      interests: ['Wireless sensor networks'],
    },
    {
      name: 'Gaon Moon',
      position: 'Undergraduate researcher',
      department: 'Division of Artificial Intelligence',
      interests: ['Small embedded systems'],
    },
  ],
  graduate_alumnis: [
    {
      name: 'Doyun Seo',
      photograph: { file: 'doyun-seo.png', alt: 'Drawing of Doyun Seo' },
      links: { github: 'https://github.com/doyun-example' },
      position: 'M.S. (2024)',
      department: 'Division of Computer Science',
      interests: ['Wireless power transfer'],
    },
    {
      name: 'Chaea Lim',
      photograph: { file: 'chaea-lim.png', alt: 'Drawing of Chaea Lim' },
      links: { homepage: 'https://lim.hanbit.example' },
      position: 'Ph.D. (2023)',
      department: 'Division of Computer Science',
      interests: ['Energy harvesting'],
    },
  ],
  undergraduate_alumnis: [
    { name: 'Ideun Baek', position: 'B.S. (2025)', department: 'Division of Software' },
  ],
};
