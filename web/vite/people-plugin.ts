import { people as peopleEn } from '#content/people.en';
import { people as peopleKo } from '#content/people.ko';
import { visiblePeople } from '#contract/people';
import type { Plugin } from 'vite';

const NAME = 'virtual:public-people';

/**
 * Provides the response of GET /api/people for visitors. Everything else in the content files about people stays in
 * Node.
 */
export function peoplePlugin(): Plugin {
  return {
    name: 'public-people',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load(id) {
      if (id !== `\0${NAME}`) return undefined;
      const people = { ko: visiblePeople(peopleKo, undefined), en: visiblePeople(peopleEn, undefined) };
      return `export const publicPeople = ${JSON.stringify(people)};`;
    },
  };
}
