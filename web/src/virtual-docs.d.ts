declare module 'virtual:docs' {
  import type { ComponentType } from 'react';

  /** A file of public/markdown, compiled at build time. */
  export type BuiltDoc = {
    default: ComponentType<{ components?: Record<string, ComponentType> }>;
    /** What its first heading says. */
    title: string;
    /** SHA-256 of the file in hex. */
    digest: string;
  };

  /** Every file of public/markdown by its name without `.md`. */
  export const docs: Record<string, () => Promise<BuiltDoc>>;
}
