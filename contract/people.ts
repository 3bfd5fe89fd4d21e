import { hasAccess, MEMBER } from './access-levels.ts';

/** A person's card. What is absent is not shown. `email` is written with AT for anonymous callers. */
export type PersonCard = {
  name: string;
  position: string;
  department: string;
  office?: string;
  email?: string;
  phone?: string;
  interests?: string[];
};

export const PEOPLE_GROUPS = [
  'professors',
  'graduate_students',
  'undergraduate_students',
  'graduate_alumnis',
  'undergraduate_alumnis',
] as const;
export type PeopleGroup = (typeof PEOPLE_GROUPS)[number];

/** Groups that one may not see are absent. */
export type People = Partial<Record<PeopleGroup, PersonCard[]>>;

/** Groups whose names nobody outside the lab may read. */
const membersOnly: ReadonlySet<PeopleGroup> = new Set(['undergraduate_students', 'undergraduate_alumnis']);

/** Whether somebody of this level is shown the lab's undergraduates. */
export function seesEveryone(secureLevel: number): boolean {
  return hasAccess(secureLevel, MEMBER);
}

/**
 * What of the lab's people somebody may see.
 * @param secureLevel of the user; undefined for a visitor, who is shown emails with AT
 */
export function visiblePeople(
  groups: Record<PeopleGroup, PersonCard[]>,
  secureLevel: number | undefined,
): People {
  const isMember = secureLevel !== undefined && seesEveryone(secureLevel);
  const answer: People = {};
  for (const group of PEOPLE_GROUPS) {
    if (membersOnly.has(group) && !isMember) continue;
    answer[group] = secureLevel === undefined ? groups[group].map(withObfuscatedEmail) : groups[group];
  }
  return answer;
}

function withObfuscatedEmail(card: PersonCard): PersonCard {
  return card.email === undefined ? card : { ...card, email: card.email.replace('@', ' AT ') };
}
