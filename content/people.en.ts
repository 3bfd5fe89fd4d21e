import type { PeopleGroup, PersonCard } from '#contract/people';

/** The lab's people in English. Emails are written plainly here; visitors are shown them with AT. */
export const people: Record<PeopleGroup, PersonCard[]> = {
  professors: [
    {
      name: 'Seojun Yoon',
      position: 'Professor',
      department: 'Division of Computer Science',
      office: 'Engineering Hall, Room 412',
      email: 'sj.yoon@hanbit.example',
      phone: '+82-2-555-0142',
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
      position: 'M.S. (2024)',
      department: 'Division of Computer Science',
      interests: ['Wireless power transfer'],
    },
    {
      name: 'Chaea Lim',
      position: 'Ph.D. (2023)',
      department: 'Division of Computer Science',
      interests: ['Energy harvesting'],
    },
  ],
  undergraduate_alumnis: [
    { name: 'Ideun Baek', position: 'B.S. (2025)', department: 'Division of Software' },
  ],
};
