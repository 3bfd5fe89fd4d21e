declare module 'virtual:public-people' {
  import type { Locale } from '#contract/locale';
  import type { People } from '#contract/people';

  /** The lab's people as visitors see them, generated from the content files at build time. */
  export const publicPeople: Record<Locale, People>;
}
