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

declare module 'virtual:lab' {
  import type { PublicLab } from '#contract/public-content';

  /** The lab's data that the site was built with. */
  export const lab: PublicLab;
}

declare module 'virtual:privacy' {
  import type { Content } from '#contract/content';

  /** The privacy data that the site was built with. */
  export const privacy: Content['privacy'];
}

declare module 'virtual:lab-content' {
  import type { PublicContent } from '#contract/public-content';

  /** The content that the site was built with, as visitors see it. */
  export const content: Omit<PublicContent, 'privacy'>;
  /** By file name in content/photographs; the built files are `/pictures/<name>-<width>.avif` and `.webp`. */
  export const builtPhotographs: Record<
    string,
    { name: string; width: number; height: number; widths: number[]; dark?: string }
  >;
  /** An SVG element from the lab's content. */
  export const hardwareDrawing: string | undefined;
}

declare module 'virtual:publications' {
  import type { Publication } from '#contract/publications';

  /** The publications that the site was built with, newest first. */
  export const publications: readonly Publication[];
}
