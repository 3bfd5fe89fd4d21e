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
