declare module 'virtual:docs' {
  import type { ComponentType } from 'react';

  /** A file of public/markdown, compiled at build time. */
  export type BuiltDoc = {
    default: ComponentType<{ components?: Record<string, ComponentType> }>;
    /** What its first heading says. */
    title: string;
  };

  /** Every file of public/markdown by its name without `.md`. */
  export const docs: Record<string, () => Promise<BuiltDoc>>;
}
