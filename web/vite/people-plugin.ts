import { people as peopleEn } from '#content/people.en';
import { people as peopleKo } from '#content/people.ko';
import { visiblePeople } from '#contract/people';
import type { Plugin } from 'vite';

const NAME = 'virtual:public-people';

const publicPeople = {
  ko: visiblePeople(peopleKo, undefined),
  en: visiblePeople(peopleEn, undefined),
};

/** Names in both languages of the people whom a visitor may see. */
export const publicNames = Object.values(publicPeople)
  .flatMap((people) => Object.values(people).flat())
  .map(({ name }) => name);

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
      return `export const publicPeople = ${JSON.stringify(publicPeople)};`;
    },
  };
}
