import { hasAccess, MEMBER } from './access-levels.ts';

/** Complete URLs. */
export type PersonLinks = { homepage?: string; scholar?: string; orcid?: string; github?: string };

/** A person's card. Absent fields are not shown. For visitors, `email` has AT instead of @. */
export type PersonCard = {
  name: string;
  /** A file of content/photographs, and the alternative text. */
  photograph?: { file: string; alt: string } | undefined;
  position: string;
  department: string;
  office?: string;
  email?: string;
  phone?: string;
  links?: PersonLinks | undefined;
  interests?: string[];
  years?: string;
  /** Where a former member is now. */
  after?: string;
};

export const PEOPLE_GROUPS = [
  'professors',
  'graduate_students',
  'undergraduate_students',
  'graduate_alumnis',
  'undergraduate_alumnis',
] as const;
export type PeopleGroup = (typeof PEOPLE_GROUPS)[number];

/** Groups that the reader may not see are absent. */
export type People = Partial<Record<PeopleGroup, PersonCard[]>>;

/** Groups whose members' names are not public. */
const MEMBERS_ONLY = ['undergraduate_students', 'undergraduate_alumnis'] as const;
const membersOnly: ReadonlySet<PeopleGroup> = new Set(MEMBERS_ONLY);
export type MembersOnlyGroup = (typeof MEMBERS_ONLY)[number];

export function canSeeEveryone(secureLevel: number): boolean {
  return hasAccess(secureLevel, MEMBER);
}

/**
 * The people whom a reader may see.
 * @param secureLevel undefined for a visitor, who sees emails with AT instead of @
 */
export function visiblePeople(
  groups: Record<PeopleGroup, PersonCard[]>,
  secureLevel: number | undefined,
): People {
  const isMember = secureLevel !== undefined && canSeeEveryone(secureLevel);
  const answer: People = {};
  for (const group of PEOPLE_GROUPS) {
    if (membersOnly.has(group) && !isMember) continue;
    answer[group] = secureLevel === undefined ? groups[group].map(withObfuscatedEmail) : groups[group];
  }
  return answer;
}

function withObfuscatedEmail(card: PersonCard): PersonCard {
  return card.email === undefined ? card : { ...card, email: obfuscateEmail(card.email) };
}

/** An email as visitors see it: programs that collect addresses for spam search for an @. */
export const obfuscateEmail = (email: string) => email.replace('@', ' AT ');
