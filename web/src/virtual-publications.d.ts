declare module 'virtual:publications' {
  import type { Publication } from './lib/publication.ts';

  /** Of content/publications.bib, newest first, generated at build time. */
  export const publications: readonly Publication[];
}

declare module 'virtual:selected-papers' {
  import type { Publication } from './lib/publication.ts';

  /** Those for the main page, without their abstracts. */
  export const selectedPapers: readonly Publication[];
  export const publicationCount: number;
}
