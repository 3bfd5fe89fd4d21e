declare module 'virtual:public-people' {
  import type { Locale } from '#contract/locale';
  import type { People } from '#contract/people';

  /** The lab's people as a visitor sees them: made of the content files at build time. */
  export const publicPeople: Record<Locale, People>;
}
