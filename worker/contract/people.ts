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
