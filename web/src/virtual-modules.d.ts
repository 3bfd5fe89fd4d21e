declare module 'virtual:docs' {
  import type { Locale } from '#contract/locale';
  import type { ComponentType } from 'react';

  /** A file of public/markdown, compiled at build time. */
  export type BuiltText = {
    locale: Locale;
    Content: ComponentType<{ components?: Record<string, ComponentType> }>;
    /** Text of its first heading. */
    title: string;
    /** SHA-256 of the file in hex. */
    digest: string;
  };

  /** A document in the languages that it is written in. */
  export type BuiltDoc = { ko: BuiltText; en?: BuiltText };

  /** The documents of public/markdown by name. */
  export const docs: Record<string, () => Promise<BuiltDoc>>;
}

declare module 'virtual:lab-content' {
  import type { AboutContent } from '#content/about.ko';
  import type { JoinUs } from '#content/join';
  import type { News } from '#content/news';
  import type { Photograph } from '#content/photographs';
  import type { Project } from '#content/projects';
  import type { Locale } from '#contract/locale';

  export const abouts: Record<Locale, AboutContent>;
  /** Newest first. */
  export const news: News[];
  export const projects: Project[];
  /** Absent also when its last day had passed at build time. */
  export const joinUs: JoinUs | undefined;
  export const photographs: Photograph[];
  /** By the file's name in content/photographs; its files are `/pictures/<name>-<width>.avif` and `.webp`. */
  export const builtPhotographs: Record<
    string,
    { name: string; width: number; height: number; widths: number[] }
  >;
  /** An SVG element, from the lab's own content. */
  export const hardwareDrawing: string | undefined;
}

declare module 'virtual:public-people' {
  import type { Locale } from '#contract/locale';
  import type { People } from '#contract/people';

  /** The lab's people as visitors see them, generated from the content files at build time. */
  export const publicPeople: Record<Locale, People>;
}

declare module 'virtual:publications' {
  import type { Publication } from '#contract/publications';

  /** Of content/publications.bib, newest first, generated at build time. */
  export const publications: readonly Publication[];
}

declare module 'virtual:selected-publications' {
  import type { Publication } from '#contract/publications';

  /** Those for the main page, without their abstracts. */
  export const selectedPublications: readonly Publication[];
  export const publicationCount: number;
}
