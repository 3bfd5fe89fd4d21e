import type { LabContent } from './lab.ko.ts';

export const lab: LabContent = {
  name: 'Cyber-Physical Systems Laboratory',
  affiliation: 'Division of Computer Science, Hanbit University',
  lead: 'We study how small devices can power themselves, talk to each other and last.',
  email: 'cps AT hanbit.example',
  phone: '+82-2-0000-4120',
  address: ['Engineering Hall 412, Hanbit University', '1 Hanbit-ro, Hanbit-gu, Seoul, Korea'],
  place: { name: 'Engineering Hall, Hanbit University', latitude: 37.5444, longitude: 127.0374 },
};
